import { digestOf } from '../../kit/digests.js';
import { makeRandom, type Random } from '../../../src/forecast/simulation/random.js';
import type { SriovNeed, SriovOptions } from '../../../src/forecast/simulation/simulated-cluster.js';
import { PLAIN_DRIVER, type GitPool, type GitSriov } from './git.js';
import { incidentsWithoutGatedPods, withGpuOperator, withoutGatedPods } from './gpu-operator.js';
import type { Incident } from './incidents.js';
import type { Scenario } from './scenario.js';

/** What happens to config daemons, or what they do. What has no second incident that ends it lasts until the repair. */
export type SriovIncident =
  /** Policies change for the nodes of a group, or for all. */
  | { readonly kind: 'sriov-change'; readonly need: SriovNeed; readonly group?: string }
  | { readonly kind: 'sriov-daemon-dies'; readonly node: string; readonly awayMs: number }
  | { readonly kind: 'sriov-withdraws'; readonly node: string }
  | { readonly kind: 'sriov-fails'; readonly node: string; readonly how: 'reports' | 'repeats' | 'not' }
  | { readonly kind: 'sriov-slow'; readonly workMs: number }
  | { readonly kind: 'sriov-pools'; readonly pools: readonly GitPool[] };

const MINUTE_MS = 60_000;
const QUICK: SriovOptions = { workMs: 20_000, drainsAfterReload: false };
const CALM: GitSriov = { pools: [], drain: { force: true, timeoutSeconds: 300, deleteEmptyDir: true }, change: 1 };

/** A scenario with virtual functions: beside other drivers, or alone. */
export function withSriov(plain: Scenario): Scenario {
  const random = makeRandom(plain.seed, 'sriov');
  if (random.chance(0.15)) return calmScenario(plain, random);
  const withGpu = random.chance(0.25) ? withGpuOperator(plain) : plain;
  const scenario = withGpu.isCalm === true ? plain : withGpu;
  const isAlone = random.chance(0.25);
  const changes = Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, at) => drawChange(random, at));
  const troubles = Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => drawIncidents(random, scenario.nodes));
  return {
    ...scenario,
    sriov: { workMs: random.pick([5000, 20_000, 90_000]), drainsAfterReload: random.chance(0.1) },
    git: {
      ...scenario.git,
      rollout: withoutGatedPods(scenario.git.rollout),
      drivers: isAlone ? [] : scenario.git.drivers,
      sriov: {
        pools: drawPools(random),
        drain: {
          force: random.chance(0.7),
          timeoutSeconds: random.pick([0, 60, 300, 300]),
          deleteEmptyDir: random.chance(0.7),
        },
        change: 1,
      },
    },
    workloads: random.chance(0.8) ? [...scenario.workloads, sriovWorkload(random.int(1, 4))] : scenario.workloads,
    incidents: [...incidentsWithoutGatedPods(scenario.incidents), ...changes, ...troubles.flat()].sort(
      (a, b) => a.atMs - b.atMs,
    ),
  };
}

function drawChange(random: Random, at: number): Incident {
  const need = random.pick(['nothing', 'drain', 'drain', 'drain', 'late-reboot', 'reboot'] as const);
  const group = random.chance(0.2) ? { group: random.pick(['a', 'b']) } : {};
  const atMs = at === 0 ? random.int(0, 2 * MINUTE_MS) : random.int(MINUTE_MS, 10 * MINUTE_MS);
  return { atMs, kind: 'sriov-change', need, ...group };
}

/** Mostly one pool at a node; a node of two pools is not drained. */
function drawPools(random: Random): readonly GitPool[] {
  const limit = random.pick([undefined, 0, 1, 1, 2, '30%', '50%', '100%']);
  const pool = (name: string, nodeSelector: string): GitPool => ({
    ...{ name, nodeSelector },
    ...(limit !== undefined && { maxUnavailable: limit }),
  });
  return random.pick([
    [],
    [],
    [pool('group-a', 'group=a')],
    [pool('group-a', 'group=a')],
    [pool('rack', 'rack=rack-1')],
    [pool('group-a', 'group=a'), pool('rack', 'rack=rack-1')],
  ]);
}

function drawIncidents(random: Random, nodes: Scenario['nodes']): readonly Incident[] {
  const atMs = random.int(1000, 8 * MINUTE_MS);
  const laterMs = atMs + random.int(1000, 4 * MINUTE_MS);
  const node = random.pick(nodes).name;
  switch (
    random.pick(['dies', 'dies', 'withdraws', 'withdraws', 'fails', 'fails', 'slow', 'pools', 'drop', 'retry'] as const)
  ) {
    case 'dies':
      return [{ atMs, kind: 'sriov-daemon-dies', node, awayMs: random.pick([1000, 20_000, 4 * MINUTE_MS]) }];
    case 'withdraws':
      return [{ atMs, kind: 'sriov-withdraws', node }];
    case 'fails': {
      const how = random.pick(['reports', 'repeats'] as const);
      const begin: Incident = { atMs, kind: 'sriov-fails', node, how };
      return random.chance(0.3) ? [begin] : [begin, { ...begin, atMs: laterMs, how: 'not' }];
    }
    case 'slow':
      return [{ atMs, kind: 'sriov-slow', workMs: random.pick([5 * MINUTE_MS, 40 * MINUTE_MS]) }];
    case 'pools':
      return [{ atMs, kind: 'sriov-pools', pools: drawPools(random) }];
    case 'drop':
      return [{ atMs, kind: 'drop-state', node, prefix: 'weft-sriov' }];
    case 'retry':
      return [{ atMs, kind: 'retry', node, prefix: 'weft-sriov' }];
  }
}

function sriovWorkload(replicas: number): Scenario['workloads'][number] {
  return {
    ...{ namespace: 'work', name: 'dpdk', kind: 'ReplicaSet', replicas, labels: {} },
    ...{ resourceNames: ['openshift.io/vf'], emptyDir: false, toleratesUnschedulable: false, graceMs: 10_000 },
    ...{ runsMs: Infinity, finalizer: 'none' },
  };
}

/** OFED and virtual functions are due on all nodes when the pause of the companion ends, and nothing goes wrong. */
function calmScenario(scenario: Scenario, random: Random): Scenario {
  const nodes = scenario.nodes.map((node) => ({ ...node, labels: { group: 'a', rack: 'rack-1' }, cordoned: false }));
  const sets = [{ name: 'ofed-a', policy: 'main', digest: digestOf('ofed-1'), group: 'a' }];
  const ofed = { ...PLAIN_DRIVER, maxParallelUpgrades: random.pick([0, 1, 2]), sets };
  const maxUnavailable = random.pick([1, 2, '100%']);
  const pools = random.chance(0.5) ? [] : [{ name: 'group-a', nodeSelector: 'group=a', maxUnavailable }];
  const rollout = { failureBudget: 1, ...(random.chance(0.3) && { canary: { nodes: 1, soak: '2m' } }) };
  return {
    ...{ seed: scenario.seed, isCalm: true, conditions: { faultRate: 0, lagMs: 10, podCapacity: 10 } },
    git: { paused: true, rollout, drivers: [ofed], sriov: { ...CALM, pools } },
    ...{ sriov: QUICK, safeLoad: false, nodes, budgets: [] },
    workloads: nodes.length > 1 ? [sriovWorkload(nodes.length - 1)] : [],
    incidents: [
      { kind: 'rollout', prefix: 'ofed', digest: digestOf('ofed-2'), applyMs: 0, atMs: 0 },
      { kind: 'sriov-change', need: random.pick(['drain', 'reboot']), atMs: 0 },
      { kind: 'pause-policy', on: false, atMs: 5 * MINUTE_MS },
    ],
  };
}
