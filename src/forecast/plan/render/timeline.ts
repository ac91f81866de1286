import { withoutUnsafe } from '../../page/safe.js';
import { segmentsOf, shownSpan, spanOf } from '../../page/segments.js';
import type { Timeline, TimelineRow, TimelineSpan } from '../../page/types.js';
import type { NodePlan, UpgradePlan } from '../types.js';
import { costLine, costLines } from './cost.js';
import { afterText, durationText, headlines, rankText, whatText } from './text.js';

/** The plan as a timeline. */
export function planTimeline(plan: UpgradePlan, name: string): Timeline {
  const span = spanOfPlan(plan);
  const { obstacles, durations, notes, windows, soaks, nodesAtOnce, podsWithoutNode } = plan;
  const timeline: Timeline = {
    title: `Planned upgrade of ${name}`,
    summary: [...headlines(plan), ...costLine(plan)],
    ...span,
    rows: plan.nodePlans.map((one) => rowOf(one, span)),
    windows: windows.map(spanOf),
    soaks: soaks.map(spanOf),
    nodesAtOnce,
    podsWithoutNode: podsWithoutNode.map(({ at, pods }) => ({ atMs: Date.parse(at), count: pods })),
    obstacles: obstacles.map((one) => {
      const { kind, isStuck, nodes, help } = one;
      return { kind, rank: rankText(one), isStuck, nodes, text: whatText(one), help };
    }),
    notes: [
      { heading: 'What it costs', lines: costLines(plan) },
      { heading: 'How long things take', lines: durations.map(durationText) },
      { heading: 'Not simulated', lines: notes },
    ].filter(({ lines }) => lines.length > 0),
  };
  return withoutUnsafe(timeline);
}

/** From the start to the last thing that happens to a node. */
function spanOfPlan({ startsAt, endsAt, nodePlans }: UpgradePlan): TimelineSpan {
  const fromMs = Date.parse(startsAt);
  const times = nodePlans.flatMap(({ history }) => history.map(({ at }) => Date.parse(at)));
  const toMs = times.reduce((latest, ms) => Math.max(latest, ms), endsAt === null ? fromMs : Date.parse(endsAt));
  return shownSpan(fromMs, toMs);
}

function rowOf(plan: NodePlan, span: TimelineSpan): TimelineRow {
  const { node, driver, pool, topologyDomain, outcome, wave, evicted, history, after } = plan;
  const times = history.map(({ at, state, message }) => ({ atMs: Date.parse(at), state, text: message }));
  // A node that nothing happens to waits from the start.
  const states = times.length === 0 ? [{ atMs: span.fromMs, state: 'upgrade-required' as const }] : times;
  const message = after.message === '' ? '' : `: ${after.message}`;
  return {
    node,
    driver,
    pool,
    topologyDomain: topologyDomain ?? '',
    outcome,
    wave,
    evicted,
    segments: segmentsOf(states, span),
    reason: plan.beginsAt === null || after.kind === 'nothing' ? afterText(plan) : `after ${after.kind}${message}`,
    history: times.map(({ atMs, text }) => ({ atMs, text })),
  };
}
