import { makeRandom, type Random } from '../../../src/forecast/simulation/random.js';
import type {
  ClusterConditions,
  GpuOperatorOptions,
  SriovOptions,
  Workload,
} from '../../../src/forecast/simulation/simulated-cluster.js';
import { withEdits } from './edits.js';
import { drawGit, withDrainTimeout, withOwnLimits, type Git } from './git.js';
import { withGpuOperator } from './gpu-operator.js';
import { drawIgnoredWindows, drawIncidents, type Incident } from './incidents.js';
import { drawNeighbours, type Stuck } from './neighbours.js';
import { withMaintenanceOperator } from './maintenance-operator.js';
import { withSriov } from './sriov.js';
import { drawKinds, TROUBLE_KINDS, withTrouble, type TroubleKind } from './troubles.js';

export interface NodePlan {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly cordoned: boolean;
}

export interface Scenario {
  readonly seed: number;
  readonly conditions: ClusterConditions;
  readonly git: Git;
  readonly safeLoad: boolean;
  readonly nodes: readonly NodePlan[];
  readonly workloads: readonly Omit<Workload, 'uid'>[];
  /** `minAvailable` by workload. */
  readonly budgets: readonly { readonly workload: string; readonly minAvailable: number }[];
  readonly incidents: readonly Incident[];
  /** With the GPU operator, which restarts the `operatorState` driver. */
  readonly gpuOperator?: GpuOperatorOptions;
  /** With the SR-IOV operator, which leaves its drains to the companion. */
  readonly sriov?: SriovOptions;
  /** With the Maintenance Operator, and how many nodes it takes out at once; 0: no limit. */
  readonly maintenanceOperator?: { readonly maxParallel: number };
  /** Nothing goes wrong: each node is cordoned and uncordoned once. */
  readonly isCalm?: true;
  /** A node that cannot go on: the run is compared with the one without it. */
  readonly stuck?: Stuck;
}

export const CONTROLLER_LABELS = { 'app.kubernetes.io/name': 'network-operator' };
/** Incidents and faults happen in this first part of a run. */
export const FAULTS_MS = 12 * 60_000;

/** Kinds of scenarios that are no trouble of another one. */
export const SCENARIO_KINDS = ['neighbours', 'gpu-operator', 'sriov', 'maintenance-operator'] as const;
export type ScenarioKind = TroubleKind | (typeof SCENARIO_KINDS)[number];

/**
 * The scenario of a seed; with `only` it is of this kind or has this kind of trouble, and else those that are drawn for the seed. One of
 * ten has a stuck node, another one a GPU driver whose DaemonSets are selected, and another one virtual functions.
 */
export function drawScenario(seed: number, only?: ScenarioKind): Scenario {
  const kind = only ?? KIND_OF_SEED[seed % 10];
  if (kind === 'neighbours') return drawNeighbours(seed);
  if (kind === 'maintenance-operator') return withEdits(withMaintenanceOperator(drawPlainScenario(seed)));
  const random = makeRandom(seed, 'troubles');
  const trouble = TROUBLE_KINDS.find((one) => one === only);
  const kinds = trouble === undefined ? drawKinds(random) : [trouble];
  const scenario = kinds.reduce((one, of) => withTrouble(of, one, random), drawPlainScenario(seed));
  if (kind === 'gpu-operator') return withEdits(withGpuOperator(scenario));
  return kind === 'sriov' ? withEdits(withSriov(scenario)) : scenario;
}

const KIND_OF_SEED: Readonly<Record<number, (typeof SCENARIO_KINDS)[number]>> = {
  3: 'gpu-operator',
  5: 'maintenance-operator',
  6: 'sriov',
  9: 'neighbours',
};

function drawPlainScenario(seed: number): Scenario {
  const random = makeRandom(seed, 'scenario');
  const nodes = drawNodes(random);
  const git = withOwnLimits(drawGit(random), makeRandom(seed, 'own-limits'));
  const workloads = drawWorkloads(random, nodes.length);
  const ignored = drawIgnoredWindows(makeRandom(seed, 'ignored-windows'), git);
  const drawn = [...drawIncidents(makeRandom(seed, 'incidents'), git, nodes, workloads), ...ignored];
  const incidents = drawn.sort((a, b) => a.atMs - b.atMs);
  return {
    seed,
    conditions: {
      faultRate: random.pick([0, 0.02, 0.1, 0.3]),
      lagMs: random.pick([10, 50, 300, 2000]),
      podCapacity: random.pick([3, 5, 10]),
    },
    git: withDrainTimeout(git, makeRandom(seed, 'drain-timeout')),
    safeLoad: random.chance(0.2),
    nodes,
    workloads: runsFarAhead(incidents) ? workloads.map(withoutToleration) : workloads,
    budgets: workloads
      .filter(() => random.chance(0.4))
      .map(({ name, replicas }) => ({ workload: name, minAvailable: Math.max(0, replicas - random.int(0, 2)) })),
    incidents,
  };
}

/**
 * Not covered: a companion whose clock is ahead of the cluster's by the time-out of a drain, with pods that tolerate the cordon. They
 * are created again on the node that they were evicted from. By that clock they are older than the drain, so they are evicted again
 * until the drain times out and the node fails. They can be distinguished only by the creation time of the pod (control plane's clock)
 * and the start of the drain (companion's clock); see `docs/guide/companion.md`.
 */
function runsFarAhead(incidents: readonly Incident[]): boolean {
  return incidents.some((incident) => incident.kind === 'clock-jump' && incident.byMs > 5000);
}

function withoutToleration(workload: Omit<Workload, 'uid'>): Omit<Workload, 'uid'> {
  return { ...workload, toleratesUnschedulable: false };
}

function drawNodes(random: Random): NodePlan[] {
  return Array.from({ length: random.int(1, 6) }, (_, index) => ({
    name: `node-${index + 1}`,
    labels: { group: random.chance(0.8) ? 'a' : 'b', rack: `rack-${1 + (index >> 1)}` },
    cordoned: random.chance(0.1),
  }));
}

function drawWorkloads(random: Random, nodes: number): Omit<Workload, 'uid'>[] {
  return Array.from({ length: random.int(0, 4) }, (_, index) => {
    const kind = random.pick(['ReplicaSet', 'ReplicaSet', 'StatefulSet', 'Job', 'CustomThing'] as const);
    return {
      namespace: 'work',
      name: `${kind.toLowerCase()}-${index}`,
      kind,
      replicas: random.int(1, Math.max(1, nodes)),
      labels: {
        // Whoever runs in another namespace may call himself what he likes.
        ...(kind === 'StatefulSet' ? CONTROLLER_LABELS : {}),
        ...(kind === 'Job' ? { job: 'yes' } : {}),
        ...(random.chance(0.7) ? { drain: 'me' } : {}),
        ...(random.chance(0.08)
          ? { 'nvidia.com/ofed-driver-upgrade-drain.skip': 'true', 'nvidia.com/gpu-driver-upgrade-drain.skip': 'true' }
          : {}),
      },
      resourceNames: random.chance(0.3) ? ['nvidia.com/gpu'] : [],
      emptyDir: random.chance(0.2),
      toleratesUnschedulable: random.chance(0.05),
      graceMs: random.pick([1000, 10_000, 30_000]),
      runsMs: kind === 'Job' ? random.int(30_000, 400_000) : Infinity,
      finalizer: random.chance(0.05) ? 'slow' : 'none',
    };
  });
}
