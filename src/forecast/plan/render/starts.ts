import { counted } from '../../../shared/lib/listed.js';
import { START_DAYS, STARTS_MAX } from '../best-start.js';
import type { PlannedStart, UpgradePlan } from '../types.js';
import { timeText } from './span.js';

/** Which start the plan has, in a line; none where no starts were compared. */
export function startLine({ starts, startsAt, nodes }: UpgradePlan): readonly string[] {
  if (starts === undefined || nodes === 0) return [];
  if (starts.length === 1)
    return [
      `there is one start to choose: ${timeText(startsAt)}; only maintenance windows within ${START_DAYS} days give more`,
    ];
  return [`the cheapest of ${starts.length} starts within ${START_DAYS} days is ${timeText(startsAt)}`];
}

/** What each start costs, and how they are compared. */
export function startLines({ starts = [], startsAt, nodes }: UpgradePlan): readonly string[] {
  if (starts.length < 2 || nodes === 0) return [];
  return [
    `compared are openings of maintenance windows, and now while one is open: the first of each length of window, then the next ones, at most ${STARTS_MAX}`,
    'each is a plan of the cluster as it is now, with what runs now; the cheapest has the most nodes that come through, then the fewest pods that end before they are done, then the fewest node-hours, then the earliest time',
    ...starts.map((start) => `- ${startText(start)}${start.startsAt === startsAt ? ': the cheapest' : ''}`),
  ];
}

function startText({ startsAt, endsAt, nodes, upgraded, endedPods, nodeHours, gpuHours }: PlannedStart): string {
  const end = endsAt === null ? 'nothing comes through' : `to ${timeText(endsAt)}`;
  const parts = [
    `${upgraded} of ${counted(nodes, 'node')} through`,
    `${counted(endedPods, 'pod ends', 'pods end')} early`,
    `${nodeHours} node-hours`,
    gpuHours === null ? 'GPU-hours are not known' : `${gpuHours} GPU-hours`,
  ];
  return `${timeText(startsAt)} ${end}: ${parts.join(', ')}`;
}
