import { groupBy } from '../../../shared/lib/group-by.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import { escapePrometheusLabel } from '../../../shared/lib/escape.js';
import { beginsUpgrade } from '../../model/node-states.js';
import type { Decision, DriverCounts, EvictPod, NodeCounts, PatchNode, Step } from '../../model/types.js';

/** Measurements of nodes that this run observed. `noteDurations` adds to them. */
interface Measurements {
  /** Nodes in the flow, by `driver/node`; monotonic milliseconds. */
  readonly underWay: Map<string, { readonly startedMs?: number; readonly enteredMs: number }>;
  /** Seconds from begin to done, one per finished upgrade, by their labels: driver and pool. */
  readonly upgrades: Map<string, Measured & Histogram>;
  /** Seconds that nodes spent in a state, by their labels: driver, pool and state. */
  readonly states: Map<string, Measured & Total>;
  /** Evictions that a PodDisruptionBudget refused, by driver. */
  readonly refusals: Map<string, number>;
}

interface Measured {
  readonly of: { readonly driver: string; readonly pool: string; readonly state?: NodeState };
}

interface Total {
  readonly count: number;
  readonly sumSeconds: number;
}

interface Histogram extends Total {
  /** Cumulative counts, one for each bucket. */
  readonly atMost: readonly number[];
}

export function noMeasurements(): Measurements {
  return { underWay: new Map(), upgrades: new Map(), states: new Map(), refusals: new Map() };
}

const BUCKETS_SECONDS = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400];
const NO_UPGRADES: Histogram = { count: 0, sumSeconds: 0, atMost: BUCKETS_SECONDS.map(() => 0) };

/** Adds the durations that end with a patch that took effect. */
export function noteDurations(
  { underWay, upgrades, states }: Measurements,
  action: PatchNode,
  monotonicMs: number,
): void {
  for (const [driver, steps] of groupBy(action.steps, (step) => step.driver))
    noteSteps({ underWay, upgrades, states }, { driver, node: action.node, steps }, monotonicMs);
}

/** The steps of one participant. */
interface StepsOf {
  readonly driver: string;
  readonly node: string;
  readonly steps: readonly Step[];
}

function noteSteps(
  { underWay, upgrades, states }: Pick<Measurements, 'underWay' | 'upgrades' | 'states'>,
  { driver, node, steps }: StepsOf,
  monotonicMs: number,
): void {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return;
  const key = `${driver}/${node}`;
  const before = underWay.get(key);
  const of = { driver, pool: last.pool ?? '' };
  const startedMs = beginsUpgrade({ steps }) ? monotonicMs : before?.startedMs;
  const enteredMs = first.from === last.to ? (before?.enteredMs ?? monotonicMs) : monotonicMs;

  if (last.to === 'upgrade-done' || last.to === 'upgrade-failed') underWay.delete(key);
  else underWay.set(key, { enteredMs, ...(startedMs !== undefined && { startedMs }) });

  if (before !== undefined && first.from !== last.to) {
    const name = labels({ ...of, state: first.from });
    const known = states.get(name) ?? { of: { ...of, state: first.from }, count: 0, sumSeconds: 0 };
    states.set(name, { ...known, ...added(known, (monotonicMs - before.enteredMs) / 1000) });
  }
  if (last.to === 'upgrade-done' && startedMs !== undefined) {
    const known = upgrades.get(labels(of)) ?? NO_UPGRADES;
    const seconds = (monotonicMs - startedMs) / 1000;
    const atMost = known.atMost.map((count, index) => count + (seconds <= (BUCKETS_SECONDS[index] ?? 0) ? 1 : 0));
    upgrades.set(labels(of), { of, ...added(known, seconds), atMost });
  }
}

/** Counts an eviction that a PodDisruptionBudget refused. */
export function noteRefusal({ refusals }: Measurements, { driver }: EvictPod): void {
  refusals.set(driver, (refusals.get(driver) ?? 0) + 1);
}

function added({ count, sumSeconds }: Total, seconds: number): Total {
  return { count: count + 1, sumSeconds: sumSeconds + seconds };
}

/**
 * The six gauges of the GPU operator with their names and meanings (`controllers/operator_metrics.go`), so that what reads them
 * reads these, too. The driver and the pool are labels: the nodes of one policy share a budget.
 */
const GAUGES: readonly { readonly name: string; readonly help: string; readonly of: (one: NodeCounts) => number }[] = [
  {
    name: 'gpu_operator_driver_auto_upgrade_enabled',
    help: 'Whether a policy upgrades nodes',
    of: (one) => Number(one.autoUpgrade),
  },
  {
    name: 'gpu_operator_nodes_upgrades_in_progress',
    help: 'Nodes whose upgrade has begun',
    of: (one) => one.inProgress,
  },
  { name: 'gpu_operator_nodes_upgrades_done', help: 'Nodes whose driver is up to date', of: (one) => one.done },
  { name: 'gpu_operator_nodes_upgrades_failed', help: 'Nodes whose upgrade failed', of: (one) => one.failed },
  { name: 'gpu_operator_nodes_upgrades_available', help: 'Nodes that could begin now', of: (one) => one.available },
  { name: 'gpu_operator_nodes_upgrades_pending', help: 'Nodes that are to be upgraded', of: (one) => one.pending },
];

/** The Prometheus text format, version 0.0.4. */
export function renderMetrics(
  { counts, waiting }: Pick<Decision, 'counts' | 'waiting'>,
  measured: Measurements,
): string {
  return [
    ...nodeGauges(counts),
    ...waitGauges(waiting),
    ...refusalCounters(counts, measured),
    ...upgradeHistograms(measured),
    ...stateSummaries(measured),
    '',
  ].join('\n');
}

function header(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}.`, `# TYPE ${name} ${type}`];
}

function nodeGauges(counts: readonly DriverCounts[]): readonly string[] {
  const uncovered = 'weft_nodes_uncovered';
  const kept = 'weft_nodes_without_successor';
  return [
    ...GAUGES.flatMap(({ name, help, of }) => [
      ...header(name, 'gauge', help),
      ...counts.flatMap(({ driver, pools }) =>
        pools.map((one) => `${name}${labels({ driver, pool: one.pool })} ${of(one)}`),
      ),
    ]),
    ...header(uncovered, 'gauge', 'Nodes with NICs and without a driver that no DaemonSet covers'),
    ...counts.map((one) => `${uncovered}${labels({ driver: one.driver })} ${one.uncovered}`),
    ...header(kept, 'gauge', 'Nodes that keep their driver, because no DaemonSet would put another one there'),
    ...counts.map((one) => `${kept}${labels({ driver: one.driver })} ${one.withoutSuccessor}`),
  ];
}

function waitGauges(waiting: Decision['waiting']): readonly string[] {
  const name = 'weft_nodes_waiting';
  const counted = new Map<string, number>();
  for (const { driver, kind } of waiting) {
    const key = labels({ driver, for: kind });
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const lines = [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, count]) => `${name}${key} ${count}`);
  return [...header(name, 'gauge', 'Nodes by what they wait for'), ...lines];
}

function refusalCounters(counts: readonly DriverCounts[], { refusals }: Measurements): readonly string[] {
  const name = 'weft_evictions_refused_total';
  const lines = counts.map(({ driver }) => `${name}${labels({ driver })} ${refusals.get(driver) ?? 0}`);
  return [...header(name, 'counter', 'Evictions that a PodDisruptionBudget refused'), ...lines];
}

function upgradeHistograms({ upgrades }: Measurements): readonly string[] {
  const name = 'weft_node_upgrade_duration_seconds';
  const lines = [...upgrades].flatMap(([key, { of, count, sumSeconds, atMost }]) => [
    ...BUCKETS_SECONDS.map((le, index) => `${name}_bucket${labels({ ...of, le: String(le) })} ${atMost[index] ?? 0}`),
    `${name}_bucket${labels({ ...of, le: '+Inf' })} ${count}`,
    `${name}_sum${key} ${sumSeconds}`,
    `${name}_count${key} ${count}`,
  ]);
  return [...header(name, 'histogram', 'From begin to done, of upgrades in this run'), ...lines];
}

function stateSummaries({ states }: Measurements): readonly string[] {
  const name = 'weft_node_state_duration_seconds';
  const lines = [...states].flatMap(([key, { sumSeconds, count }]) => [
    `${name}_sum${key} ${sumSeconds}`,
    `${name}_count${key} ${count}`,
  ]);
  return [...header(name, 'summary', 'How long nodes stayed in a state in this run'), ...lines];
}

function labels(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}="${escapePrometheusLabel(value)}"`);
  return `{${pairs.join(',')}}`;
}
