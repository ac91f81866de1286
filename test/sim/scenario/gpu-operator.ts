import { digestOf } from '../../kit/digests.js';
import { makeRandom, type Random } from '../../../src/forecast/simulation/random.js';
import type { GpuOperatorOptions } from '../../../src/forecast/simulation/simulated-cluster.js';
import { drawDriver, PLAIN_DRIVER, type Git, type GitDriver } from './git.js';
import type { Incident } from './incidents.js';
import type { Scenario } from './scenario.js';

/** What happens to the GPU operator, or what it does. What has no second incident that ends it lasts until the repair. */
export type GpuOperatorIncident =
  | { readonly kind: 'gpu-operator-restarts'; readonly awayMs: number }
  | { readonly kind: 'gpu-operator-auto-upgrade'; readonly on: boolean }
  | { readonly kind: 'gpu-operator-fails'; readonly node: string; readonly on: boolean }
  | { readonly kind: 'gpu-operator-slow'; readonly writeMs: number }
  /** The node loses the annotation of its cordon, so the GPU operator lifts that at its end. */
  | { readonly kind: 'forget-initial-cordon'; readonly node: string };

const MINUTE_MS = 60_000;
/** It deletes each pod that holds a GPU. */
export const ANY_POD = { drain: false, podDeletion: { force: true, deleteEmptyDir: true, timeoutSeconds: 300 } };

/** A scenario with a GPU driver whose DaemonSets are selected, and mostly with the GPU operator. */
export function withGpuOperator(scenario: Scenario): Scenario {
  const random = makeRandom(scenario.seed, 'gpu-operator');
  if (random.chance(0.15)) return calmScenario(scenario, random);
  const found = scenario.git.drivers;
  const [ofed] = found.filter(({ prefix }) => prefix === 'ofed');
  const others = ofed !== undefined ? [ofed] : random.chance(0.5) ? [drawDriver(random, 'ofed')] : [];
  const management = random.chance(0.2) ? 'selected' : 'operator';
  const gpu = { ...(found.find(({ prefix }) => prefix === 'gpu') ?? drawDriver(random, 'gpu')), management } as const;
  const rollouts = [2, ...(random.chance(0.3) ? [3] : [])].map((release): Incident => {
    const atMs = release === 2 ? random.int(0, 2 * MINUTE_MS) : random.int(3 * MINUTE_MS, 10 * MINUTE_MS);
    return { kind: 'rollout', prefix: 'gpu', digest: digestOf(`gpu-${release}`), applyMs: random.int(0, 40_000), atMs };
  });
  const troubles = Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => drawIncidents(random, scenario.nodes));
  const operator = management === 'selected' ? {} : { gpuOperator: drawOptions(random) };
  return {
    ...scenario,
    ...operator,
    git: { ...scenario.git, rollout: withoutGatedPods(scenario.git.rollout), drivers: [...others, gpu] },
    workloads: random.chance(0.6) ? [...scenario.workloads, gpuWorkload(random.int(1, 3))] : scenario.workloads,
    incidents: [
      ...incidentsWithoutGatedPods(scenario.incidents),
      ...rollouts,
      ...(management === 'operator' ? troubles.flat() : []),
    ].sort((a, b) => a.atMs - b.atMs),
  };
}

/** The pods of the validation wait for OFED, which may be uninstalled while the GPU driver is upgraded. */
export function withoutGatedPods({ validation, ...rollout }: Git['rollout']): Git['rollout'] {
  return validation === undefined ? rollout : { ...rollout, validation: { ...validation, podSelector: '' } };
}

export function incidentsWithoutGatedPods(incidents: readonly Incident[]): readonly Incident[] {
  return incidents.map((one) => {
    if (one.kind !== 'settings' || one.change.rollout === undefined) return one;
    return { ...one, change: { ...one.change, rollout: withoutGatedPods(one.change.rollout) } };
  });
}

function drawOptions(random: Random): GpuOperatorOptions {
  const timeoutSeconds = random.pick([60, 300, 300]);
  return {
    drain: random.chance(0.2),
    podDeletion: { force: random.chance(0.5), deleteEmptyDir: random.chance(0.5), timeoutSeconds },
  };
}

function drawIncidents(random: Random, nodes: Scenario['nodes']): readonly Incident[] {
  const atMs = random.int(1000, 8 * MINUTE_MS);
  const node = random.pick(nodes).name;
  const then = (begin: GpuOperatorIncident, end: GpuOperatorIncident): readonly Incident[] => [
    { atMs, ...begin },
    ...(random.chance(0.3) ? [] : [{ atMs: atMs + random.int(1000, 4 * MINUTE_MS), ...end }]),
  ];
  switch (random.pick(['restarts', 'restarts', 'off', 'off', 'fails', 'slow', 'forget', 'drop', 'retry'] as const)) {
    case 'restarts':
      return [{ atMs, kind: 'gpu-operator-restarts', awayMs: random.pick([1000, 20_000, 4 * MINUTE_MS]) }];
    case 'off': {
      const off = { kind: 'gpu-operator-auto-upgrade', on: false } as const;
      return then(off, { ...off, on: true });
    }
    case 'fails': {
      const fails = { kind: 'gpu-operator-fails', node, on: true } as const;
      return then(fails, { ...fails, on: false });
    }
    case 'slow':
      return [{ atMs, kind: 'gpu-operator-slow', writeMs: random.pick([1000, 30_000]) }];
    case 'forget':
      return [{ atMs, kind: 'forget-initial-cordon', node }];
    case 'drop':
      return [{ atMs, kind: 'drop-state', node, prefix: random.pick(['gpu', 'weft-gpu']) }];
    case 'retry':
      return [{ atMs, kind: 'retry', node, prefix: random.pick(['gpu', 'weft-gpu']) }];
  }
}

function gpuWorkload(replicas: number): Scenario['workloads'][number] {
  return {
    ...{ namespace: 'work', name: 'trainer', kind: 'ReplicaSet', replicas, labels: {} },
    ...{ resourceNames: ['nvidia.com/gpu'], emptyDir: false, toleratesUnschedulable: false, graceMs: 10_000 },
    ...{ runsMs: Infinity, finalizer: 'none' },
  };
}

/** Both drivers are due on all nodes when the pause of the companion ends, and nothing goes wrong. */
function calmScenario(scenario: Scenario, random: Random): Scenario {
  const driver = (prefix: 'ofed' | 'gpu'): GitDriver => {
    const maxParallelUpgrades = random.pick([0, 1, 2]);
    const sets = [{ name: `${prefix}-a`, policy: 'main', digest: digestOf(`${prefix}-1`), group: 'a' }];
    return { ...PLAIN_DRIVER, prefix, maxParallelUpgrades, sets };
  };
  const drivers = [driver('ofed'), { ...driver('gpu'), management: 'operator' as const }];
  const rollout: Git['rollout'] = { failureBudget: 1 };
  const nodes = scenario.nodes.map((node) => ({ ...node, labels: { group: 'a', rack: 'rack-1' }, cordoned: false }));
  return {
    seed: scenario.seed,
    isCalm: true,
    conditions: { faultRate: 0, lagMs: 10, podCapacity: 10 },
    git: {
      paused: true,
      rollout: random.chance(0.3) ? { ...rollout, canary: { nodes: 1, soak: '2m' } } : rollout,
      drivers,
    },
    gpuOperator: ANY_POD,
    safeLoad: false,
    nodes,
    workloads: nodes.length > 1 ? [gpuWorkload(nodes.length - 1)] : [],
    budgets: [],
    incidents: [
      ...(['ofed', 'gpu'] as const).map((prefix): Incident => ({
        kind: 'rollout',
        prefix,
        digest: digestOf(`${prefix}-2`),
        applyMs: 0,
        atMs: 0,
      })),
      { kind: 'pause-policy', on: false, atMs: 5 * MINUTE_MS },
    ],
  };
}
