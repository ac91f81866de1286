import { groupBy } from '../../../shared/lib/group-by.js';
import { COMPANION_NAMES } from '../../../shared/contract/labels.js';
import { applyDaemonSet } from '../../simulation/apply-daemon-set.js';
import { startControllers } from '../../simulation/controllers/controllers.js';
import { startOperators, type KnownOperators } from '../../simulation/controllers/operators.js';
import { startVirtualMachines } from '../../simulation/controllers/virtual-machines.js';
import { startKubelets } from '../../simulation/kubelet.js';
import {
  drawn,
  makeCluster,
  type Durations,
  type Range,
  type SimulatedCluster,
  type Workload,
} from '../../simulation/simulated-cluster.js';
import { keyOf, type StoredBudget, type StoredConfigMap, type StoredNode } from '../../simulation/store.js';
import type { ApiBudget, ApiConfigMap } from '../../../shared/kubernetes/shapes/cluster.js';
import { reduceBudget, reduceNode } from '../../../companion/runtime/kube-port/reduce.js';
import type { Desired } from '../desired.js';
import { objectsOf, type ClusterSnapshot, type SnapshotObjects } from '../snapshot/objects.js';
import type { DurationName, PlannedDuration, PlanOptions } from '../types.js';
import { readDevices, type ReadDevices } from './devices.js';
import { readDaemonSets, type ReadDaemonSets } from './daemon-sets.js';
import { plannedDurations } from './durations.js';
import { readOperators } from './operators.js';
import { addPods, readPods, type ReadPod } from './pods.js';
import { readWorkloads } from './workloads.js';

/** A cluster as the snapshot has it, read once for all runs. */
export interface PlannedCluster {
  readonly desired: Desired;
  readonly operators: KnownOperators;
  readonly devices: ReadDevices;
  readonly startMs: number;
  readonly nodes: readonly StoredNode[];
  readonly pods: readonly ReadPod[];
  readonly daemonSets: ReadDaemonSets;
  readonly workloads: readonly Workload[];
  readonly budgets: readonly StoredBudget[];
  /** The status of the companion, which has its pause. */
  readonly status?: StoredConfigMap;
  readonly durations: readonly PlannedDuration[];
  readonly objects: SnapshotObjects;
}

export function readCluster(desired: Desired, snapshot: ClusterSnapshot, options: PlanOptions): PlannedCluster {
  const objects = objectsOf(snapshot);
  const { policy } = desired;
  const devices = readDevices(objects);
  const pods = readPods(objects, policy, devices);
  const status = objects.ConfigMap.find(({ metadata }) => metadata?.name === COMPANION_NAMES.statusConfigMap);
  return {
    desired,
    operators: readOperators(objects, policy),
    devices,
    startMs: options.at.getTime(),
    objects,
    pods,
    nodes: objects.Node.map((object) => {
      const node = reduceNode(object);
      const allocatable = { ...node.allocatable, ...devices.allocatableOf(node.name) };
      return { ...node, allocatable, resourceVersion: '', boots: 0 };
    }),
    daemonSets: readDaemonSets(objects, policy, pods),
    workloads: readWorkloads(objects, pods),
    budgets: countedBudgets(objects.PodDisruptionBudget).map(budgetOf),
    ...(status && { status: statusOf(status) }),
    durations: plannedDurations(objects, policy, options),
  };
}

/**
 * More budgets of a namespace are not simulated: each is compared with all of its pods. Two that cover a pod refuse its eviction already.
 */
export const BUDGETS_MAX = 200;

function countedBudgets(budgets: readonly ApiBudget[]): readonly ApiBudget[] {
  const byNamespace = groupBy(budgets, ({ metadata }) => metadata?.namespace ?? '');
  return [...byNamespace.values()].flatMap((own) => own.slice(0, BUDGETS_MAX));
}

function budgetOf(object: ApiBudget): StoredBudget {
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = object.spec ?? {};
  return { ...reduceBudget(object), minAvailable, maxUnavailable, unhealthyPodEvictionPolicy, resourceVersion: '' };
}

function statusOf({ metadata = {}, data = {} }: ApiConfigMap): StoredConfigMap {
  return { name: COMPANION_NAMES.statusConfigMap, resourceVersion: '', annotations: metadata.annotations ?? {}, data };
}

/** How soon a controller sees a change, and a kubelet starts a pod. */
const CONTROLLER_MS = 100;
const KUBELET_MS = 1000;
/** The change is applied, and its controllers have seen it. */
const APPLY_MS = 2000;

/** The cluster of one run, a moment after the change was applied. */
export function startCluster(planned: PlannedCluster, seed: number): SimulatedCluster {
  const { policy, daemonSets } = planned.desired;
  const [driver, workload, termination, job] = (['driver', 'workload', 'termination', 'job'] as const).map((name) =>
    rangeOf(planned, name),
  ) as [Range, Range, Range, Range];
  const durations: Durations = { driver, workload, termination, controllerMs: CONTROLLER_MS, kubeletMs: KUBELET_MS };
  const conditions = { faultRate: 0, lagMs: 0, podCapacity: Infinity, isInstant: true, durations };
  const cluster = makeCluster(seed, conditions, policy, planned.startMs);
  cluster.hasFaults = false;
  const { store } = cluster;
  for (const node of planned.nodes) store.nodes.put(node.name, node, 'setup');
  for (const { name, ready } of planned.nodes) if (ready === 'Unknown') cluster.unreachableNodes.add(name);
  addPods(cluster, planned.pods, durations, job);
  for (const set of planned.daemonSets.sets) store.daemonSets.put(keyOf(set), set, 'setup');
  for (const revision of planned.daemonSets.revisions) store.revisions.put(keyOf(revision), revision, 'setup');
  for (const [key, exists] of planned.daemonSets.foreign) cluster.foreignDaemonSets.set(key, exists);
  for (const budget of planned.budgets) store.budgets.put(keyOf(budget), budget, 'setup');
  if (planned.status) store.configMaps.put(planned.status.name, planned.status, 'setup');
  for (const one of planned.workloads)
    cluster.workloads.push({ ...one, ...(one.kind === 'Job' && { runsMs: drawn(cluster, job, [0, 0]) }) });
  cluster.safeLoad = policy.drivers.some(
    (one) => one.kind === 'ofed' && one.policies.some(({ upgradePolicy }) => upgradePolicy.safeLoad),
  );
  startControllers(cluster);
  startOperators(cluster, planned.operators);
  cluster.virtualMachines = startVirtualMachines(cluster);
  startKubelets(cluster);
  for (const object of daemonSets) applyDaemonSet(cluster, object);
  while (cluster.events.step(planned.startMs + APPLY_MS));
  return cluster;
}

function rangeOf({ durations }: PlannedCluster, name: DurationName): Range {
  const { from = 0, to = 0 } = durations.find((one) => one.name === name) ?? {};
  return { fromMs: from * 1000, toMs: to * 1000 };
}
