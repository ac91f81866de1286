import { digestOf } from '../kit/digests.js';
import type { UpgradePolicyInput } from '../../src/contract/upgrade-policy.js';
import { makeRandom, type Random } from '../kit/cluster/random.js';
import type { ClusterConditions, Workload } from '../kit/cluster/simulated-cluster.js';
import { drawIncidents, type Incident } from './incidents.js';

/** A driver DaemonSet in git. */
interface GitDaemonSet {
  readonly name: string;
  readonly policy: string;
  readonly digest: string;
  /** Value of the node label `group` of its nodes. */
  readonly group: string;
}

/** One driver in git. */
export interface GitDriver {
  readonly prefix: 'ofed' | 'gpu';
  readonly autoUpgrade: boolean;
  readonly uninstall: boolean;
  readonly sets: readonly GitDaemonSet[];
  readonly maxParallelUpgrades: number;
  readonly maxUnavailable: number | string;
  readonly drain: { readonly enable: boolean; readonly force: boolean; readonly timeoutSeconds: number };
  readonly deleteEmptyDir: boolean;
  readonly drainPodSelector: string;
  readonly podDeletionTimeoutSeconds: number;
  readonly jobsSelector: string;
  readonly jobsTimeoutSeconds: number;
  readonly gate?: 'ready-file' | 'label';
  readonly rollout: NonNullable<UpgradePolicyInput['drivers'][number]['rollout']>;
}

export interface Git {
  readonly paused: boolean;
  readonly drivers: readonly GitDriver[];
}

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
}

export const NAMESPACE = 'driver-ns';
export const GATE_LABEL = 'network.nvidia.com/operator.mofed.wait';
export const CONTROLLER_LABELS = { 'app.kubernetes.io/name': 'network-operator' };
/** Incidents and faults happen in this first part of a run. */
export const FAULTS_MS = 12 * 60_000;

export function drawScenario(seed: number): Scenario {
  const random = makeRandom(seed, 'scenario');
  const nodes = drawNodes(random);
  const git = drawGit(random);
  const workloads = drawWorkloads(random, nodes.length);
  const incidents = drawIncidents(makeRandom(seed, 'incidents'), git, nodes, workloads);
  return {
    seed,
    conditions: {
      faultRate: random.pick([0, 0.02, 0.1, 0.3]),
      lagMs: random.pick([10, 50, 300, 2000]),
      room: random.pick([3, 5, 10]),
    },
    git,
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

function drawGit(random: Random): Git {
  const gpuOnly = random.chance(0.2);
  const both = !gpuOnly && random.chance(0.15);
  const drivers = [
    ...(gpuOnly ? [] : [drawDriver(random, 'ofed')]),
    ...(gpuOnly || both ? [drawDriver(random, 'gpu')] : []),
  ];
  return { paused: false, drivers };
}

function drawDriver(random: Random, prefix: 'ofed' | 'gpu'): GitDriver {
  const gate = prefix === 'ofed' ? random.pick([undefined, undefined, 'ready-file', 'label'] as const) : undefined;
  return {
    prefix,
    autoUpgrade: true,
    uninstall: false,
    sets: ['a', 'b'].map((group) => ({
      name: `${prefix}-${group}`,
      policy: group === 'a' || random.chance(0.5) ? 'main' : 'side',
      digest: digestOf(`${prefix}-1`),
      group,
    })),
    maxParallelUpgrades: random.pick([0, 1, 1, 2, 3]),
    maxUnavailable: random.pick(['25%', '50%', 1, 2, '100%']),
    drain: { enable: random.chance(0.85), force: random.chance(0.7), timeoutSeconds: random.pick([0, 60, 300, 300]) },
    deleteEmptyDir: random.chance(0.7),
    drainPodSelector: random.chance(0.1) ? 'drain=me' : '',
    podDeletionTimeoutSeconds: random.pick([60, 300]),
    jobsSelector: random.chance(0.25) ? 'job=yes' : '',
    jobsTimeoutSeconds: random.pick([0, 120]),
    ...(gate === undefined ? {} : { gate }),
    rollout: drawRollout(random, gate !== undefined),
  };
}

function drawRollout(random: Random, gated: boolean): GitDriver['rollout'] {
  const pool = { name: 'narrow', nodeSelector: { group: 'a' } };
  return {
    failureBudget: random.pick([1, 1, 2, '50%', '100%']),
    ...(random.chance(0.15) ? { pools: [{ ...pool, maxUnavailable: random.pick([1, '50%']) }] } : {}),
    ...(random.chance(0.1) ? { pools: [{ ...pool, maxParallelUpgrades: 1 }] } : {}),
    ...(random.chance(0.15) ? { canary: { nodes: 1, soak: random.pick(['0s', '2m']) } } : {}),
    ...(random.chance(0.1) ? { canary: { nodeSelector: { rack: 'rack-1' }, soak: '1m' } } : {}),
    ...(random.chance(0.1) ? { topologyKey: 'rack' } : {}),
    ...(random.chance(0.1) ? { maintenanceWindows: [{ schedule: '*/30 * * * *', duration: '10m' }] } : {}),
    ...(random.chance(0.25) ? { validation: drawValidation(random, gated) } : {}),
  };
}

function drawValidation(random: Random, gated: boolean): NonNullable<GitDriver['rollout']>['validation'] {
  const podSelector = gated && random.chance(0.5) ? 'gated=yes' : '';
  return { resources: ['rdma/rdma_shared_device_a'], podSelector, timeoutSeconds: random.pick([60, 600]) };
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
      finalizer: random.chance(0.05),
    };
  });
}

/** The policy document that the generator would render. */
export function policyDocument(git: Git): UpgradePolicyInput {
  return {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    paused: git.paused,
    drivers: git.drivers.map(driverDocument),
  };
}

function driverDocument(driver: GitDriver): UpgradePolicyInput['drivers'][number] {
  const { prefix, gate } = driver;
  const common = {
    labelPrefix: prefix,
    namespace: NAMESPACE,
    daemonSetSelector: `nvidia.com/${prefix}-driver`,
    podSelector: `nvidia.com/${prefix}-driver`,
    uninstall: driver.uninstall,
    rollout: driver.rollout,
    ...(gate === undefined ? {} : { gate: { kind: gate, label: GATE_LABEL, podSelectors: ['gated=yes'] } }),
  };
  if (prefix === 'ofed') {
    const controllerPodSelector = 'app.kubernetes.io/name=network-operator';
    const upgradePolicy = upgradePolicyOf(driver);
    const policies = policiesOf(driver).map((one) => ({ ...one, upgradePolicy }));
    return { api: 'network-operator', ...common, containerName: 'mofed-container', controllerPodSelector, policies };
  }
  const { deleteEmptyDir, podDeletionTimeoutSeconds: timeoutSeconds, maxUnavailable } = driver;
  const podDeletion = { force: driver.drain.force, timeoutSeconds, deleteEmptyDir };
  const upgradePolicy = { ...upgradePolicyOf(driver), maxUnavailable, podDeletion };
  const policies = policiesOf(driver).map((one) => ({ ...one, upgradePolicy }));
  const resourcePrefixes = ['nvidia.com/gpu'];
  return { api: 'gpu-operator', ...common, containerName: 'nvidia-driver-ctr', resourcePrefixes, policies };
}

function policiesOf(driver: GitDriver): { name: string; daemonSets: { name: string; digest: string }[] }[] {
  return [...new Set(driver.sets.map(({ policy }) => policy))].map((name) => ({
    name,
    daemonSets: driver.uninstall
      ? []
      : driver.sets.filter(({ policy }) => policy === name).map((set) => ({ name: set.name, digest: set.digest })),
  }));
}

function upgradePolicyOf(driver: GitDriver) {
  return {
    autoUpgrade: driver.autoUpgrade,
    maxParallelUpgrades: driver.maxParallelUpgrades,
    ...(driver.jobsSelector === ''
      ? {}
      : { waitForCompletion: { podSelector: driver.jobsSelector, timeoutSeconds: driver.jobsTimeoutSeconds } }),
    drain: { ...driver.drain, podSelector: driver.drainPodSelector, deleteEmptyDir: driver.deleteEmptyDir },
  };
}
