import { NODE_STATES } from '../../contract/node-states.js';
import { namedDriver, upgradeCommand } from '../../contract/upgrade-command.js';
import { groupBy } from '../../lib/group-by.js';
import { withoutUnsafe } from '../../timeline/safe.js';
import { segmentsOf, shownSpan, spanOf } from '../../timeline/segments.js';
import type { Timeline, TimelineObstacle, TimelineRow, TimelineSpan } from '../../timeline/types.js';
import type { GivenPlan } from '../read-plan.js';
import type { NodeReport, UpgradeReport } from '../types.js';
import { reportHeadlines } from './text.js';

/** What an upgrade may do, where that is known. */
export type Frame = Pick<Timeline, 'windows' | 'nodesAtOnce'>;

export const NO_FRAME: Frame = { windows: [], nodesAtOnce: null };

/** That of a plan. */
export function frameOf({ windows, nodesAtOnce }: GivenPlan): Frame {
  return { windows: windows.map(spanOf), nodesAtOnce };
}

/** The report as a timeline, with the plan of each node beside what happened. */
export function reportTimeline(report: UpgradeReport, frame: Frame): Timeline {
  const span = spanOfReport(report);
  const lateMs = (report.planned?.lateSeconds ?? 0) * 1000;
  return withoutUnsafe({
    title: 'Report of the upgrade',
    summary: reportHeadlines(report),
    ...span,
    rows: report.nodeReports.map((one) => rowOf(one, span, lateMs)),
    ...frame,
    soaks: report.soaks.map(spanOf),
    podsWithoutNode: [],
    obstacles: obstaclesOf(report),
    notes: [
      { heading: 'Problems', lines: report.problems },
      { heading: 'Source', lines: [report.source] },
    ].filter(({ lines }) => lines.length > 0),
  });
}

/** Nodes that failed or are not through, by their drivers and reasons. */
function obstaclesOf({ nodeReports }: UpgradeReport): readonly TimelineObstacle[] {
  const drivers = [...new Set(nodeReports.map(({ driver }) => driver))];
  const left = nodeReports.filter(({ outcome }) => outcome !== 'upgraded');
  const byReason = groupBy(left, ({ driver, outcome, reason }) => `${driver} ${outcome} ${reason}`);
  return [...byReason.values()].flatMap((nodes) => {
    const [first] = nodes;
    if (first === undefined) return [];
    const { driver, outcome, reason } = first;
    const command = upgradeCommand('explain', nodes.length === 1 ? first.node : 'NODE', namedDriver(driver, drivers));
    const help = `\`${command}\` says what can be done`;
    return [{ kind: outcome, isStuck: outcome === 'failed', nodes: nodes.map(({ node }) => node), text: reason, help }];
  });
}

/** From the first to the last thing that happened or was planned. */
function spanOfReport({ nodeReports, planned }: UpgradeReport): TimelineSpan {
  const lateMs = (planned?.lateSeconds ?? 0) * 1000;
  const times = nodeReports.flatMap(({ history, planned: own }) => [
    ...history.map(({ at }) => Date.parse(at)),
    ...(own?.endsAt == null ? [] : [Date.parse(own.endsAt) + lateMs]),
  ]);
  const fromMs = times.reduce((earliest, ms) => Math.min(earliest, ms), times[0] ?? 0);
  const toMs = times.reduce((latest, ms) => Math.max(latest, ms), fromMs);
  return shownSpan(fromMs, toMs);
}

function rowOf(report: NodeReport, span: TimelineSpan, lateMs: number): TimelineRow {
  const { node, driver, pool, topologyDomain, outcome, wave, evicted, history, reason, planned } = report;
  const states = history.flatMap(({ at, state }) =>
    // It may be of a label, which may have any text.
    state !== '' && NODE_STATES.has(state) ? [{ atMs: Date.parse(at), state }] : [],
  );
  const [from, to] = [planned?.beginsAt ?? null, planned?.endsAt ?? null];
  return {
    ...{ node, driver, pool, topologyDomain: topologyDomain ?? '', outcome, wave, evicted, reason },
    segments: segmentsOf(states, span),
    history: history.map(({ at, message }) => ({ atMs: Date.parse(at), text: message })),
    ...(from !== null &&
      to !== null && { planned: { fromMs: Date.parse(from) + lateMs, toMs: Date.parse(to) + lateMs } }),
  };
}
