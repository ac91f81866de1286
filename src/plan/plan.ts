import { compareText } from '../lib/json.js';
import { isoSecond } from '../lib/time.js';
import type { Desired } from './desired.js';
import { notesOf } from './notes.js';
import { obstaclesOf } from './obstacles.js';
import type { SimulatedCluster } from '../simulation/simulated-cluster.js';
import { recordRun, type NodeRecord, type RunRecord } from './run/record.js';
import type { ClusterSnapshot } from './snapshot/objects.js';
import { placeOf } from './place.js';
import { nodesAtOnce, windowSpans } from './spans.js';
import { wavesOf } from './waves.js';
import { DEFAULT_RUNS, type NodePlan, type PlanOptions, type UpgradePlan } from './types.js';
import { readCluster, startCluster } from './cluster/planned-cluster.js';

/**
 * Simulates the upgrade that a change starts: the companion's own decisions, on the cluster of the snapshot, in simulated time. Equal
 * arguments give an equal plan.
 */
export function makePlan(desired: Desired, snapshot: ClusterSnapshot, options: PlanOptions): UpgradePlan {
  const { runs: count = DEFAULT_RUNS, seed = 1, onRun = () => undefined } = options;
  const planned = readCluster(desired, snapshot, options);
  const lengths: number[] = [];
  let shown: RunRecord | undefined;
  const seeds: { readonly seed: number; readonly ms: number }[] = [];
  for (let index = 0; index < count; index += 1) {
    const run = recordRun(startCluster(planned, seed + index), desired.schedule);
    const ms = run.endMs - run.startMs;
    lengths.push(ms);
    seeds.push({ seed: run.seed, ms });
    // One run is kept: a run holds a whole cluster.
    if (index === 0) shown = run;
    onRun(index + 1);
  }
  const median = quantile(lengths, 0.5);
  const middle = seeds.find(({ ms }) => ms === median);
  const typical =
    shown === undefined || middle === undefined || shown.seed === middle.seed
      ? shown
      : recordRun(startCluster(planned, middle.seed), desired.schedule);
  if (typical === undefined) throw new Error('a plan needs at least one run');
  return {
    ...summaryOf(typical, lengths),
    ...{ runs: count, seed, durations: planned.durations, notes: notesOf(planned) },
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function summaryOf(
  run: RunRecord,
  lengths: readonly number[],
): Omit<UpgradePlan, 'runs' | 'seed' | 'durations' | 'notes'> {
  const nodePlans = nodePlansOf(run);
  const waves = nodePlans.flatMap(({ wave }) => wave ?? []);
  const seconds = (share: number): number => Math.round(quantile(lengths, share) / 1000);
  return {
    startsAt: isoSecond(run.startMs),
    endsAt: nodePlans.some(({ endsAt }) => endsAt !== null) ? isoSecond(run.endMs) : null,
    duration: { half: seconds(0.5), nineOfTen: seconds(0.9) },
    nodes: nodePlans.length,
    upgraded: nodePlans.filter(({ outcome }) => outcome === 'upgraded').length,
    waves: waves.reduce((most, wave) => Math.max(most, wave), 0),
    podsEvicted: nodePlans.reduce((sum, { evicted }) => sum + evicted.length, 0),
    nodePlans,
    windows: windowSpans(run.cluster.policy, { fromMs: run.startMs, toMs: lastMs(run) }).map(({ fromMs, toMs }) => ({
      from: isoSecond(fromMs),
      to: isoSecond(toMs),
    })),
    soaks: run.soaks.map(({ fromMs, untilMs }) => ({ from: isoSecond(fromMs), to: isoSecond(untilMs) })),
    nodesAtOnce: nodesAtOnce(run.cluster.policy) ?? null,
    podsWithoutNode: run.podsWithoutNode.map(({ atMs, count }) => ({ at: isoSecond(atMs), pods: count })),
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
  const { node, driver, policy = '', beginMs, endMs, before, evicted, history } = record;
  return {
    ...{ node, driver, outcome: outcomeOf(record), wave },
    ...placeOf(cluster.policy, { node: cluster.store.nodes.get(node), driver, policy }),
    beginsAt: beginMs === undefined ? null : isoSecond(beginMs),
    endsAt: endMs === undefined ? null : isoSecond(endMs),
    after: before === undefined ? { kind: 'nothing', message: '' } : { kind: before.kind, message: before.message },
    evicted,
    history: history.map(({ atMs, state, message }) => ({ at: isoSecond(atMs), state, message })),
  };
}

function outcomeOf({ beginMs, endMs, failure }: NodeRecord): NodePlan['outcome'] {
  if (failure !== undefined) return 'failed';
  if (endMs !== undefined) return 'upgraded';
  return beginMs === undefined ? 'waiting' : 'in-progress';
}
