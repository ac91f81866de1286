import { groupBy } from '../../../shared/lib/group-by.js';
import { counted } from '../../../shared/lib/listed.js';
import { shorten } from '../../../shared/lib/text.js';
import { withoutUnsafe } from '../../page/safe.js';
import { segmentsOf, shownSpan, spanOf } from '../../page/segments.js';
import type { Timeline, TimelineRow, TimelineSpan } from '../../page/types.js';
import { evictionText } from '../run/history.js';
import type { NodePlan, UpgradePlan } from '../types.js';
import { costLine, costLines } from './cost.js';
import { startLine, startLines } from './starts.js';
import { afterText, durationText, headlines, rankText, whatText } from './text.js';

/** The plan as a timeline. */
export function planTimeline(plan: UpgradePlan, name: string): Timeline {
  const span = spanOfPlan(plan);
  const { obstacles, durations, notes, windows, soaks, nodesAtOnce, podsWithoutNode } = plan;
  const texts = new Map<string, number>();
  const indexOf = (text: string): number => {
    const index = texts.get(text) ?? texts.size;
    texts.set(text, index);
    return index;
  };
  const rows = plan.nodePlans.map((one) => rowOf(one, span, indexOf));
  const timeline: Timeline = {
    title: `Planned upgrade of ${name}`,
    summary: [...headlines(plan), ...costLine(plan), ...startLine(plan)],
    ...span,
    rows,
    texts: [...texts.keys()],
    windows: windows.map(spanOf),
    soaks: soaks.map(spanOf),
    nodesAtOnce,
    podsWithoutNode: podsWithoutNode.map(({ at, pods }) => ({ atMs: Date.parse(at), count: pods })),
    obstacles: obstacles.map((one) => {
      const { kind, isStuck, isNext, nodes, help } = one;
      return { kind, rank: rankText(one), isStuck: isStuck && isNext !== true, nodes, text: whatText(one), help };
    }),
    notes: [
      { heading: 'What it costs', lines: costLines(plan) },
      { heading: 'Starts that were compared', lines: startLines(plan) },
      { heading: 'What nodes waited for last', lines: waitedLines(plan) },
      { heading: 'How long things take', lines: durations.map(durationText) },
      { heading: 'Not simulated', lines: notes },
    ].filter(({ lines }) => lines.length > 0),
  };
  return withoutUnsafe(timeline);
}

const WAITS_SHOWN = 10;

/** Which limit held how many nodes before they began, most first. */
function waitedLines({ nodePlans }: UpgradePlan): readonly string[] {
  const waited = nodePlans.filter(({ after }) => after.kind !== 'nothing' && after.message !== '');
  const byLimit = groupBy(waited, ({ after: { kind, message } }) => `${kind}: ${message}`);
  return [...byLimit]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, WAITS_SHOWN)
    .map(([limit, own]) => `${counted(own.length, 'node')} (${limit})`);
}

/** From the start to the last thing that happens to a node. */
function spanOfPlan({ startsAt, endsAt, nodePlans }: UpgradePlan): TimelineSpan {
  const fromMs = Date.parse(startsAt);
  const times = nodePlans.flatMap(({ history }) => history.map(({ at }) => Date.parse(at)));
  const toMs = times.reduce((latest, ms) => Math.max(latest, ms), endsAt === null ? fromMs : Date.parse(endsAt));
  return shownSpan(fromMs, toMs);
}

function rowOf(plan: NodePlan, span: TimelineSpan, indexOf: (text: string) => number): TimelineRow {
  const { node, driver, pool, topologyDomain, outcome, wave, evicted, history, after } = plan;
  const times = history.map(({ at, state }) => ({ atMs: Date.parse(at), state }));
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
    history: shortHistory(plan).map(({ atMs, text }) => [atMs - span.fromMs, indexOf(text)]),
  };
}

/** A page of a thousand nodes stays small. */
const TEXT_LENGTH = 160;

/** What happens to a node, with evictions at one time as one event: the row names the pods. */
function shortHistory({ history, evicted }: NodePlan): readonly { readonly atMs: number; readonly text: string }[] {
  const evictions = new Set(evicted.map(evictionText));
  const counts = new Map<string, number>();
  const of = (at: string): number => counts.get(at) ?? 0;
  for (const { at, message } of history) if (evictions.has(message)) counts.set(at, of(at) + 1);
  return history.flatMap(({ at, message }) => {
    if (!evictions.has(message)) return [{ atMs: Date.parse(at), text: shorten(message, TEXT_LENGTH) }];
    const count = of(at);
    counts.delete(at);
    return count === 0 ? [] : [{ atMs: Date.parse(at), text: `${counted(count, 'pod')} evicted` }];
  });
}
