import { digestOf } from '../kit/digests.js';
import { makeRandom, type Random } from '../kit/cluster/random.js';
import { drawDriver, type GitDriver } from './git.js';
import type { Incident } from './incidents.js';
import type { RunResult } from './run.js';
import type { Scenario } from './scenario.js';
import { at, type TroubleIncident } from './troubles.js';

/** A node that cannot go on, in a scenario where nothing keeps the others from their upgrade. */
export interface Stuck {
  readonly node: string;
  /** It takes a slot while it waits: its upgrade has begun and does not end. */
  readonly takesSlot: boolean;
  /** The upgrade of one of the other nodes takes no longer. */
  readonly nodeMs: number;
}

interface StuckKind {
  readonly takesSlot: boolean;
  readonly incidents: (node: string, random: Random) => readonly TroubleIncident[];
}

const MINUTE_MS = 60_000;
const SOAK_MS = 2 * MINUTE_MS;
/** A drain without obstacles with its refused and repeated requests, the restart of a driver and of the companion. */
const QUICK_NODE_MS = 8 * MINUTE_MS;

const hook =
  (request: 'cordon' | 'patch' | 'evict' | 'delete'): StuckKind['incidents'] =>
  (node, random) => [{ kind: 'webhook', webhook: { request, node, how: random.pick(['refuses', 'times-out']) } }];

/** Each lasts. A drain has no time-out, so a node that cannot be drained waits. */
const STUCK_KINDS = {
  'cordon-refused': { takesSlot: false, incidents: hook('cordon') },
  'patch-refused': { takesSlot: false, incidents: hook('patch') },
  'eviction-refused': { takesSlot: true, incidents: hook('evict') },
  'deletion-refused': { takesSlot: true, incidents: hook('delete') },
  job: { takesSlot: true, incidents: (node) => [{ kind: 'pin-pod', node, as: 'job' }] },
  finalizer: { takesSlot: true, incidents: (node) => [{ kind: 'pin-pod', node, as: 'finalizer' }] },
  budget: {
    takesSlot: true,
    incidents: (node) => [
      { kind: 'pin-pod', node, as: 'workload' },
      { kind: 'close-budget', workload: 'pinned' },
    ],
  },
  maintenance: { takesSlot: false, incidents: (node) => [{ kind: 'maintenance', node, on: true }] },
  relabelled: { takesSlot: false, incidents: (node) => [{ kind: 'relabel', node, group: null }] },
} satisfies Record<string, StuckKind>;

/** A scenario with a stuck node. */
export type StuckScenario = Scenario & { readonly stuck: Stuck };

export function drawNeighbours(seed: number): StuckScenario {
  const random = makeRandom(seed, 'neighbours');
  const names = Array.from({ length: random.int(3, 6) }, (_, index) => `node-${index + 1}`);
  const node = random.pick(names);
  const kind: StuckKind = STUCK_KINDS[random.pick(Object.keys(STUCK_KINDS) as (keyof typeof STUCK_KINDS)[])];
  const loadMs = random.pick([0, 0, 30 * MINUTE_MS]);
  const jobMs = random.pick([0, 0, 20 * MINUTE_MS]);
  const digest = digestOf('ofed-2');
  const later = { prefix: 'ofed', digest, applyMs: random.int(0, 40_000) } as const;
  const incidents: Incident[] = [
    ...kind.incidents(node, random).map((one) => at(0, one)),
    ...(loadMs === 0 ? [] : [at(0, { kind: 'slow-driver', digest, loadMs })]),
    ...(random.chance(0.3) ? [at(0, { kind: 'unfit-pods', everyMs: 10 * MINUTE_MS, forMs: Infinity })] : []),
    at(random.int(0, 30_000), { kind: 'rollout', ...later }),
    ...(random.chance(0.3) ? [at(random.int(0, 5 * MINUTE_MS), { kind: 'terminate', backAfterMs: 10_000 })] : []),
  ];
  return {
    seed,
    conditions: { faultRate: random.pick([0, 0, 0.1]), lagMs: random.pick([10, 300]), room: 20 },
    git: { paused: false, drivers: [driverOf(random, kind.takesSlot)] },
    safeLoad: false,
    nodes: names.map((name) => ({ name, labels: { group: 'a' }, cordoned: false })),
    workloads: [workloadOf('app', names.length, 0), ...(jobMs === 0 ? [] : [workloadOf('train', names.length, jobMs)])],
    budgets: random.chance(0.3) ? [{ workload: 'app', minAvailable: names.length - 1 }] : [],
    incidents,
    stuck: { node, takesSlot: kind.takesSlot, nodeMs: QUICK_NODE_MS + loadMs + jobMs },
  };
}

function driverOf(random: Random, takesSlot: boolean): GitDriver {
  return {
    ...drawDriver(random, 'ofed'),
    startupSeconds: 3600,
    maxParallelUpgrades: random.pick(takesSlot ? [2, 3, 0] : [1, 2, 3, 0]),
    drain: { enable: true, force: true, timeoutSeconds: 0 },
    deleteEmptyDir: true,
    drainPodSelector: '',
    jobsSelector: 'job=yes',
    jobsTimeoutSeconds: 0,
    // A node in progress keeps the others from beginning if it is a canary.
    rollout: {
      failureBudget: '100%',
      driverTimeout: '50m',
      ...(!takesSlot && random.chance(0.3) ? { canary: { nodes: 1, soak: `${SOAK_MS / 1000}s` } } : {}),
    },
  };
}

/** A ReplicaSet, or with `runsMs` a Job. */
function workloadOf(name: string, replicas: number, runsMs: number): Scenario['workloads'][number] {
  const isJob = runsMs > 0;
  return {
    namespace: 'work',
    name,
    kind: isJob ? 'Job' : 'ReplicaSet',
    replicas,
    labels: isJob ? { job: 'yes' } : {},
    resourceNames: [],
    emptyDir: false,
    toleratesUnschedulable: false,
    graceMs: 10_000,
    runsMs: isJob ? runsMs : Infinity,
    finalizer: 'none',
  };
}

/** The same scenario without the node, and without the slot that it takes. */
function withoutStuck(scenario: Scenario, { node, takesSlot }: Stuck): Scenario {
  const { git, nodes, incidents } = scenario;
  const isOfNode = (incident: Incident): boolean =>
    ('node' in incident && incident.node === node) || ('webhook' in incident && incident.webhook.node === node);
  const slotsOf = ({ maxParallelUpgrades: slots }: GitDriver): number => (takesSlot && slots > 0 ? slots - 1 : slots);
  const drivers = git.drivers.map((driver) => ({ ...driver, maxParallelUpgrades: slotsOf(driver) }));
  return {
    ...scenario,
    git: { ...git, drivers },
    nodes: nodes.filter(({ name }) => name !== node),
    incidents: incidents.filter((incident) => !isOfNode(incident)),
  };
}

/** How long the other nodes take at most, from the rollout on: one round after the other, and the canary before them. */
function boundMs({ git, nodes, stuck }: StuckScenario): number {
  const [driver] = git.drivers;
  const others = nodes.length - 1;
  const limit = driver?.maxParallelUpgrades ?? 0;
  const slots = limit === 0 ? others : limit - (stuck.takesSlot ? 1 : 0);
  const canaryMs = driver?.rollout.canary === undefined ? 0 : stuck.nodeMs + SOAK_MS;
  return canaryMs + Math.ceil(others / slots) * stuck.nodeMs;
}

type Violated = NonNullable<RunResult['violation']>;

/** A node that cannot go on costs the others nothing but its slot: they end as they do without it, and in the time that they need. */
export async function compareNeighbours(
  scenario: StuckScenario,
  run: (scenario: Scenario) => RunResult | Promise<RunResult>,
): Promise<RunResult> {
  const { stuck } = scenario;
  const result = await run(scenario);
  if (result.violation !== undefined) return result;
  const alone = await run(withoutStuck(scenario, stuck));
  if (alone.violation !== undefined) return alone;
  const violation = violationOf(scenario, result, alone);
  return violation === undefined ? result : { ...result, violation };
}

function violationOf(
  scenario: StuckScenario,
  { ends }: RunResult,
  { ends: endsAlone }: RunResult,
): Violated | undefined {
  const { stuck } = scenario;
  const rule = 'a node that cannot go on costs the others nothing but its slot';
  let [lastMs, lastAloneMs] = [0, 0];
  for (const [node, alone] of endsAlone) {
    const end = ends.get(node);
    if (end?.state !== alone.state)
      return { rule, fact: `${node}: ${end?.state} with ${stuck.node}, ${alone.state} without` };
    lastMs = Math.max(lastMs, end.atMs);
    lastAloneMs = Math.max(lastAloneMs, alone.atMs);
  }
  const fact = `${minutes(lastMs)} min with ${stuck.node}, ${minutes(lastAloneMs)} without`;
  // The order of the nodes and the time that a driver takes to load differ.
  if (lastMs > lastAloneMs + stuck.nodeMs) return { rule, fact };
  const most = boundMs(scenario);
  return lastMs > most
    ? { rule: 'a run is no longer than its policy and its nodes need', fact: `${fact}; at most ${minutes(most)}` }
    : undefined;
}

const minutes = (ms: number): string => (ms / MINUTE_MS).toFixed(1);
