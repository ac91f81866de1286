import { groupBy } from '../../shared/lib/group-by.js';
import { compareText } from '../../shared/lib/json.js';
import { isoSecond } from '../../shared/lib/time.js';
import { costOf } from './cost.js';
import type { Desired } from './desired.js';
import { nextObstacles } from './next-obstacles.js';
import { notesOf } from './notes.js';
import { obstaclesOf } from './obstacles.js';
import type { SimulatedCluster } from '../simulation/simulated-cluster.js';
import { BEGUN_BEFORE, waitText } from './run/history.js';
import { recordRun, type NodeRecord, type RunRecord } from './run/record.js';
import type { ClusterSnapshot } from './snapshot/objects.js';
import { placeOf } from './place.js';
import { timeSpent } from './time-spent.js';
import { nodesAtOnce, windowSpans } from './spans.js';
import { wavesOf } from './waves.js';
import { DEFAULT_RUNS, type NodePlan, type PlanOptions, type UpgradePlan } from './types.js';
import { idleReasons } from './idle.js';
import { readCluster, startCluster, type PlannedCluster } from './cluster/planned-cluster.js';

/**
 * Simulates the upgrade that a change starts: the companion's own decisions, on the cluster of the snapshot, in simulated time. Equal
 * arguments give an equal plan.
 */
export function makePlan(desired: Desired, snapshot: ClusterSnapshot, options: PlanOptions): UpgradePlan {
  const steps = planSteps(desired, snapshot, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in steps, each of one decision: a caller can end between them. */
export function* planSteps(
  desired: Desired,
  snapshot: ClusterSnapshot,
  options: PlanOptions,
): Generator<undefined, UpgradePlan> {
  const { runs: count = DEFAULT_RUNS, seed = 1, onRun = () => undefined } = options;
  const planned = readCluster(desired, snapshot, options);
  const untried = new Set<string>();
  const done: { readonly seed: number; readonly ms: number; readonly summary: RunSummary }[] = [];
  for (let index = 0; index < count; index += 1) {
    const run = yield* recordRun(startCluster(planned, seed + index), desired.schedule);
    for (const namespace of run.cluster.untriedNamespaces) untried.add(namespace);
    // The run itself holds a whole cluster.
    done.push({ seed: run.seed, ms: run.endMs - run.startMs, summary: summaryOf(run, planned) });
    onRun(index + 1, count);
  }
  const lengths = done.map(({ ms }) => ms);
  const median = quantile(lengths, 0.5);
  const typical = done.find(({ ms }) => ms === median);
  if (typical === undefined) throw new Error('a plan needs at least one run');
  const seconds = (share: number): number => Math.round(quantile(lengths, share) / 1000);
  const { startsAt, endsAt, obstacles, ...rest } = typical.summary;
  const next = yield* nextObstacles(typical.summary, planned, typical.seed);
  return {
    startsAt,
    endsAt,
    duration: { half: seconds(0.5), nineOfTen: seconds(0.9) },
    ...rest,
    obstacles: [...obstacles, ...next],
    runs: count,
    seed,
    durations: planned.durations,
    notes: notesOf(planned, untried),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** What a plan says of one run. */
type RunSummary = Omit<UpgradePlan, 'duration' | 'runs' | 'seed' | 'durations' | 'notes'>;

function summaryOf(run: RunRecord, planned: PlannedCluster): RunSummary {
  const nodePlans = nodePlansOf(run);
  const windows = windowSpans(run.cluster.policy, { fromMs: run.startMs, toMs: lastMs(run) });
  const nodes = [...groupBy(nodePlans, ({ node }) => node).values()];
  const waves = nodePlans.flatMap(({ wave }) => wave ?? []);
  return {
    startsAt: isoSecond(run.startMs),
    endsAt: nodePlans.some(({ endsAt }) => endsAt !== null) ? isoSecond(run.endMs) : null,
    time: timeSpent(run, windows),
    nodes: nodes.length,
    begun: nodes.filter((own) => own.some(({ beginsAt }) => beginsAt !== null)).length,
    upgraded: nodes.filter((own) => own.every(({ outcome }) => outcome === 'upgraded')).length,
    waves: waves.reduce((most, wave) => Math.max(most, wave), 0),
    podsEvicted: nodePlans.reduce((sum, { evicted }) => sum + evicted.length, 0),
    cost: costOf(run, planned, lastMs(run)),
    nodePlans,
    windows: windows.map(({ fromMs, toMs }) => ({ from: isoSecond(fromMs), to: isoSecond(toMs) })),
    soaks: run.soaks.map(({ fromMs, untilMs }) => ({ from: isoSecond(fromMs), to: isoSecond(untilMs) })),
    nodesAtOnce: nodesAtOnce(run.cluster.policy) ?? null,
    podsWithoutNode: run.podsWithoutNode.map(({ atMs, count }) => ({ at: isoSecond(atMs), pods: count })),
    idle: idleReasons(run, planned),
    obstacles: obstaclesOf(run),
  };
}

/** When something last happened to a node. */
function lastMs({ nodes, endMs }: RunRecord): number {
  return nodes.reduce((latest, { history }) => Math.max(latest, history.at(-1)?.atMs ?? 0), endMs);
}

function nodePlansOf({ nodes, cluster }: RunRecord): readonly NodePlan[] {
  const sorted = [...nodes].sort(
    (a, b) => (a.beginMs ?? Infinity) - (b.beginMs ?? Infinity) || compareText(a.node, b.node),
  );
  const waves = wavesOf(sorted);
  return sorted.map((record, index) => nodePlan(record, waves[index] ?? null, cluster));
}

function nodePlan(record: NodeRecord, wave: number | null, cluster: SimulatedCluster): NodePlan {
  const { node, driver, policy = '', beginMs, endMs, evicted, history } = record;
  return {
    node,
    driver,
    outcome: outcomeOf(record),
    wave,
    ...placeOf(cluster.policy, { node: cluster.store.nodes.get(node), policy }),
    beginsAt: beginMs === undefined ? null : isoSecond(beginMs),
    endsAt: endMs === undefined ? null : isoSecond(endMs),
    after: afterOf(record),
    evicted,
    history: history.map(({ atMs, state, message }) => ({ at: isoSecond(atMs), state, message })),
  };
}

function afterOf({ isBegunBefore, before }: NodeRecord): NodePlan['after'] {
  if (before !== undefined) return { kind: before.kind, message: waitText(before) };
  return { kind: 'nothing', message: isBegunBefore ? BEGUN_BEFORE : '' };
}

function outcomeOf({ beginMs, endMs, failure }: NodeRecord): NodePlan['outcome'] {
  if (failure !== undefined) return 'failed';
  if (endMs !== undefined) return 'upgraded';
  return beginMs === undefined ? 'waiting' : 'in-progress';
}
