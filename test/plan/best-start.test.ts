import { expect, it } from '@jest/globals';
import { bestStartSteps, startsOf } from '../../src/forecast/plan/best-start.js';
import { desiredOf } from '../../src/forecast/plan/desired.js';
import { planMarkdown } from '../../src/forecast/plan/render/markdown.js';
import { planText } from '../../src/forecast/plan/render/text.js';
import { planTimeline } from '../../src/forecast/plan/render/timeline.js';
import type { UpgradePlan } from '../../src/forecast/plan/types.js';
import { changed, withMetadata } from './changed.js';
import { AT, fleetOf, type Fleet } from './fleet.js';

/** A long window in the afternoon of the day of the plan, and short ones in the nights. */
const LONG = { schedule: '0 14 1 12 *', duration: '4h' };
const SHORT = { schedule: '0 1 * * *', duration: '1m' };

const rollout = { maintenanceWindows: [SHORT, LONG], topologyKey: 'rack' };
const drain = { enable: true, force: true, timeoutSeconds: 300, deleteEmptyDir: true };

/** Three nodes with a pod of a Job each. */
function fleetWithJobs(more: Parameters<typeof fleetOf>[0]['rollout'] = rollout): Fleet {
  const fleet = fleetOf({ nodes: 3, podsPerNode: 1, upgradePolicy: { maxParallelUpgrades: 1, drain }, rollout: more });
  const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'train', uid: 'uid-train', controller: true }];
  return changed(fleet, 'Pod', /-pod-/, (pod) => withMetadata(pod, { ownerReferences }));
}

function bestOf({ objects, snapshot }: Fleet): UpgradePlan {
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  const durations = { driver: { from: 240, to: 240 }, job: { from: 3600, to: 3600 } };
  const steps = bestStartSteps(desired, snapshot, { at: AT, runs: 1, durations });
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

it('the best start is the one at which the fewest pods end before they are done', () => {
  const plan = bestOf(fleetWithJobs());
  // In the long window all nodes go while their pods run, of which two go twice; in a short one, one does, and the next night the pods are over.
  expect(plan.starts?.map(({ startsAt, upgraded, endedPods }) => [startsAt, upgraded, endedPods])).toEqual([
    ['2026-12-01T14:00:00Z', 3, 5],
    ...['2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05'].map((day) => [`${day}T01:00:00Z`, 3, 1]),
  ]);
  expect(plan.startsAt).toBe('2026-12-02T01:00:00Z');
  const summary = 'the cheapest of 5 starts within 14 days is 2026-12-02 01:00Z';
  const row = /2026-12-01 14:00Z to 2026-12-01 14:\d\dZ: 3 of 3 nodes through, 5 pods end early/;
  for (const text of [planText(plan), planMarkdown(plan, 'east'), JSON.stringify(planTimeline(plan, 'east'))])
    expect(text).toMatch(new RegExp(`${summary}[^]*${row.source}`));
});

it('without windows there is no start to choose', () => {
  const plan = bestOf(fleetWithJobs({}));
  expect(plan.starts).toHaveLength(1);
  expect(planText(plan)).toContain('there is one start to choose: 2026-12-01 12:00Z');
});

it('starts are now while a window is open, and openings; the first of each length are among them', () => {
  const times = (maintenanceWindows: readonly object[]): readonly string[] => {
    const desired = desiredOf(fleetWithJobs({ maintenanceWindows } as never).objects);
    if (desired === undefined) throw new Error('the fleet has no policy');
    return startsOf(desired, AT).map((at) => at.toISOString().slice(5, 16));
  };
  expect(times([{ schedule: '0 11 * * *', duration: '2h' }])[0]).toBe('12-01T12:00');
  expect(
    times([
      { schedule: '0 1 * * *', duration: '2h' },
      { schedule: '0 10 * * 0', duration: '8h' },
    ]),
  ).toEqual(['12-02T01:00', '12-03T01:00', '12-04T01:00', '12-05T01:00', '12-06T10:00']);
  expect(times([])).toEqual(['12-01T12:00']);
  // No window opens within two weeks.
  expect(times([{ schedule: '0 1 1 1 *', duration: '2h' }])).toEqual(['12-01T12:00']);
});
