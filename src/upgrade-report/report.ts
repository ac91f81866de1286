import { groupBy } from '../lib/group-by.js';
import { compareText } from '../lib/json.js';
import { isoSecond } from '../lib/time.js';
import { wavesOf } from '../plan/waves.js';
import { IN_PROGRESS } from '../upgrade/model/node-states.js';
import type { GivenPlan } from './read-plan.js';
import type { HistoryEvent, NodeHistory, NodeReport, PlannedUpgrade, UpgradeRecord, UpgradeReport } from './types.js';

/** One node, with its times as numbers. */
interface Passed {
  readonly history: NodeHistory;
  readonly outcome: NodeReport['outcome'];
  readonly reason: string;
  readonly beginMs?: number;
  readonly endMs?: number;
}

/** What has happened, and beside it how it was planned. */
export function makeReport(record: UpgradeRecord, plan?: GivenPlan): UpgradeReport {
  const passed = record.histories
    .flatMap((history) => passedOf(history) ?? [])
    .sort((a, b) => (a.beginMs ?? Infinity) - (b.beginMs ?? Infinity) || compareText(a.history.node, b.history.node));
  const waves = wavesOf(passed);
  const begins = passed.flatMap(({ beginMs }) => beginMs ?? []);
  const ends = passed.flatMap(({ endMs }) => endMs ?? []);
  const [startMs, endMs] = [least(begins), most(ends)];
  const nodes = [...groupBy(passed, ({ history }) => history.node).values()];
  return {
    source: record.source,
    startsAt: timeOrNull(startMs),
    endsAt: timeOrNull(endMs),
    duration: startMs === undefined || endMs === undefined ? 0 : Math.round(Math.max(0, endMs - startMs) / 1000),
    nodes: nodes.length,
    upgraded: nodes.filter((own) => own.every(({ outcome }) => outcome === 'upgraded')).length,
    failed: nodes.filter((own) => own.some(({ outcome }) => outcome === 'failed')).length,
    waves: waves.reduce((last: number, wave) => Math.max(last, wave ?? 0), 0),
    podsEvicted: passed.reduce((sum, { history }) => sum + history.evicted.length, 0),
    nodeReports: passed.map((one, index) => nodeReport(one, waves[index] ?? null, plan)),
    soaks: record.soaks.map(({ fromMs, toMs }) => ({ from: isoSecond(fromMs), to: isoSecond(toMs) })),
    problems: record.problems,
    planned: plan === undefined ? null : plannedUpgrade(plan, passed, startMs),
  };
}

const least = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((a, b) => Math.min(a, b));
const most = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((a, b) => Math.max(a, b));

const timeOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : isoSecond(ms));

/** What became of a node; undefined: nothing was due on it. */
function passedOf(history: NodeHistory): Passed | undefined {
  let beginMs: number | undefined;
  let endMs: number | undefined;
  let failure: string | undefined;
  let last: HistoryEvent['state'];
  for (const { atMs, state, message, isWait } of history.events) {
    // The step to the state names a rule, and what the node waits for then names the pod.
    if (state === 'upgrade-failed' && (failure === undefined || isWait === true)) failure = message;
    if (state === undefined || state === last) continue;
    if (IN_PROGRESS.has(state)) {
      beginMs ??= atMs;
      endMs = undefined;
      failure = undefined;
    }
    if (state === 'upgrade-failed' || state === 'upgrade-done') endMs = atMs;
    last = state;
  }
  if (last === undefined || (last === 'upgrade-done' && endMs === undefined)) return undefined;
  const times = { ...(beginMs !== undefined && { beginMs }), ...(endMs !== undefined && { endMs }) };
  if (last === 'upgrade-failed') return { history, outcome: 'failed', reason: failure ?? '', ...times };
  if (last === 'upgrade-done') return { history, outcome: 'upgraded', reason: '', ...times };
  const reason = history.events.at(-1)?.message ?? '';
  return { history, outcome: IN_PROGRESS.has(last) ? 'in-progress' : 'waiting', reason, ...times };
}

function nodeReport(
  { history, outcome, reason, beginMs, endMs }: Passed,
  wave: number | null,
  plan?: GivenPlan,
): NodeReport {
  const { node, driver, events, evicted } = history;
  const planned = plan?.nodePlans.find((one) => one.node === node && one.driver === driver);
  return {
    ...{ node, driver, outcome, wave, reason, evicted },
    pool: history.pool === '' ? (planned?.pool ?? '') : history.pool,
    topologyDomain: history.topologyDomain ?? planned?.topologyDomain ?? null,
    beginsAt: timeOrNull(beginMs),
    endsAt: timeOrNull(endMs),
    history: events.map(({ atMs, state, message, isWait }) => ({
      ...{ at: isoSecond(atMs), state: state ?? '' },
      message: isWait === true ? `waits: ${message}` : message,
    })),
    planned:
      planned === undefined
        ? null
        : { outcome: planned.outcome, wave: planned.wave, beginsAt: planned.beginsAt, endsAt: planned.endsAt },
  };
}

function plannedUpgrade(plan: GivenPlan, passed: readonly Passed[], startMs: number | undefined): PlannedUpgrade {
  const { duration, nodes, upgraded, podsEvicted, nodePlans } = plan;
  const plannedMs = least(nodePlans.flatMap(({ beginsAt }) => (beginsAt === null ? [] : [Date.parse(beginsAt)])));
  const late = startMs === undefined || plannedMs === undefined ? 0 : startMs - plannedMs;
  const outcomes = new Map(nodePlans.map(({ node, driver, outcome }) => [`${driver}/${node}`, outcome]));
  const otherOutcome = passed.flatMap(({ history: { node, driver }, outcome }) => {
    const expected = outcomes.get(`${driver}/${node}`);
    return expected === undefined || expected === outcome ? [] : [node];
  });
  return {
    ...{ duration, nodes, upgraded, podsEvicted, lateSeconds: Math.round(late / 1000) },
    otherOutcome: [...new Set(otherOutcome)],
  };
}
