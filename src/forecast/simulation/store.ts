import type {
  ContainerState,
  SnapshotBudget,
  SnapshotDaemonSet,
  SnapshotNode,
  SnapshotPod,
  SnapshotRevision,
} from '../../companion/model/types.js';
import type { GpuOperatorPolicy } from '../../companion/model/gpu-operator.js';
import type { NodeMaintenance, NodeMaintenanceSpec } from '../../companion/model/node-maintenance.js';
import type { SriovNodeState } from '../../companion/model/sriov.js';
import { indexBy, type IndexBy } from './index-by.js';
import type { BudgetSpec } from './rules/budgets.js';
import type { PodScheduling } from './rules/scheduling.js';
import type { GpuClaim, JobObject, LeaseRecord } from '../../companion/runtime/ports.js';

/** Who writes. Invariants depend on it. */
export type Actor =
  | 'ours'
  | 'admin'
  | 'foreign-flow'
  | 'gpu-operator'
  | 'sriov-operator'
  | 'maintenance-operator'
  | 'requestor'
  | 'kubelet'
  | 'controller'
  | 'setup';

/** What happens to a pod without a request; times are absolute, `Infinity` means never. */
export interface PodLifecycle {
  readonly kind: 'driver' | 'gated' | 'workload' | 'job' | 'bare' | 'mirror' | 'foreign-ds' | 'operator';
  readonly startMs: number;
  readonly readyMs: number;
  readonly finishMs: number;
  readonly graceMs: number;
  /** When the kubelet has terminated the pod; set when it is deleted. */
  readonly goneMs: number;
  /** The node of a DaemonSet's pod that is not bound yet. */
  readonly targetNode?: string;
  /** Install digest of its template. */
  readonly digest?: string;
  /** The controller that replaces it: the name of a workload or DaemonSet. */
  readonly owner?: string;
  /** It is a virtual machine that an eviction migrates. Default: false. */
  readonly isMigrated?: true;
}

export interface StoredNode extends SnapshotNode {
  /** Times at which it boots, so that its pods start again. */
  readonly boots: number;
}
export interface StoredPod extends SnapshotPod {
  /** The scheduler found no node for it. */
  readonly unschedulable: boolean;
  readonly resourceVersion: string;
  readonly lifecycle: PodLifecycle;
  /** Absent: it fits every node without taints that has a place for it. */
  readonly scheduling?: PodScheduling;
}
export interface StoredDaemonSet extends SnapshotDaemonSet {
  /** `controller-revision-hash` of pods of the current template. */
  readonly hash: string;
  /** `foreign-ds`: its pods start at once. */
  readonly role: 'driver' | 'gated' | 'foreign-ds';
  /** Labels of its pods beside its own. */
  readonly podLabels?: Readonly<Record<string, string>>;
  readonly labelPrefix: string;
  /** After this time its startup probe gives up. Default: it has none. */
  readonly startupSeconds?: number;
}
export interface StoredRevision extends SnapshotRevision {
  readonly resourceVersion: string;
  readonly name: string;
}
export interface StoredBudget extends SnapshotBudget, BudgetSpec {
  readonly resourceVersion: string;
  /** Its status, once its controller has counted. */
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
}
/** A NodeMaintenance by its name. */
export interface StoredNodeMaintenance extends NodeMaintenance {
  readonly spec: NodeMaintenanceSpec;
  /** The operator has seen it, and has to remove its finalizer before a deleted object is gone. */
  readonly hasFinalizer: boolean;
}
interface StoredGpuClaim extends GpuClaim {
  readonly resourceVersion: string;
}
interface StoredGpuOperatorPolicy extends GpuOperatorPolicy {
  readonly resourceVersion: string;
}
export interface StoredLease {
  readonly resourceVersion: string;
  readonly name: string;
  readonly spec: LeaseRecord;
}
interface StoredJob extends JobObject {
  readonly resourceVersion: string;
}
export interface StoredConfigMap {
  readonly resourceVersion: string;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}

export interface Stored {
  readonly resourceVersion: string;
}

type Listener<T> = (key: string, before: T | undefined, after: T | undefined, actor: Actor) => void;

/** The objects of one kind by key. They are immutable, so a cache may share them. */
export interface Table<T extends Stored> {
  get(key: string): T | undefined;
  values(): IterableIterator<T>;
  entries(): IterableIterator<[string, T]>;
  readonly size: number;
  /** Stores it with a new resourceVersion, and returns it. */
  put(key: string, value: T, actor: Actor): T;
  remove(key: string, actor: Actor): void;
  listen(listener: Listener<T>): () => void;
}

export interface Store {
  readonly nodes: Table<StoredNode>;
  readonly pods: Table<StoredPod>;
  readonly daemonSets: Table<StoredDaemonSet>;
  readonly revisions: Table<StoredRevision>;
  readonly budgets: Table<StoredBudget>;
  /** By `namespace/name`. */
  readonly gpuClaims: Table<StoredGpuClaim>;
  readonly gpuOperatorPolicies: Table<StoredGpuOperatorPolicy>;
  /** By the name of their node. */
  readonly sriovNodeStates: Table<SriovNodeState>;
  readonly nodeMaintenances: Table<StoredNodeMaintenance>;
  readonly leases: Table<StoredLease>;
  readonly configMaps: Table<StoredConfigMap>;
  readonly jobs: Table<StoredJob>;
  /** By the name of the node; the empty name for pods that are bound to none. */
  readonly podsOn: IndexBy<StoredPod>;
  /** By the UID of the controller; the empty UID for pods without one. */
  readonly podsOf: IndexBy<StoredPod>;
  /** By the UID: one pod, or none. */
  readonly podsByUid: IndexBy<StoredPod>;
  /** By the namespace. */
  readonly podsIn: IndexBy<StoredPod>;
  /** Those with an anti-affinity to other pods; the key is empty. */
  readonly repelling: IndexBy<StoredPod>;
  /** The newest resourceVersion of all. */
  version(): number;
  makeUid(): string;
  /** A copy of the store without listeners. */
  copy(): Store;
}

export function makeStore(from?: Store, version = 0, uids = 0): Store {
  const nextVersion = (): number => ++version;
  const pods = makeTable(nextVersion, from?.pods, podInSeconds);
  const store: Store = {
    nodes: makeTable(nextVersion, from?.nodes),
    pods,
    podsOn: indexBy(pods, ({ nodeName }) => nodeName),
    podsOf: indexBy(pods, ({ controller }) => controller?.uid ?? ''),
    podsByUid: indexBy(pods, ({ uid }) => uid),
    podsIn: indexBy(pods, ({ namespace }) => namespace),
    repelling: indexBy(pods, ({ scheduling }) => ((scheduling?.antiAffinity.length ?? 0) > 0 ? '' : undefined)),
    daemonSets: makeTable(nextVersion, from?.daemonSets, inSeconds),
    revisions: makeTable(nextVersion, from?.revisions),
    budgets: makeTable(nextVersion, from?.budgets),
    gpuClaims: makeTable(nextVersion, from?.gpuClaims),
    gpuOperatorPolicies: makeTable(nextVersion, from?.gpuOperatorPolicies),
    sriovNodeStates: makeTable(nextVersion, from?.sriovNodeStates),
    nodeMaintenances: makeTable(nextVersion, from?.nodeMaintenances),
    leases: makeTable(nextVersion, from?.leases),
    configMaps: makeTable(nextVersion, from?.configMaps),
    jobs: makeTable(nextVersion, from?.jobs),
    version: () => version,
    makeUid: () => `uid-${++uids}`,
    copy: () => makeStore(store, version, uids),
  };
  return store;
}

/** The API server and the kubelet write times in whole seconds: `metav1.Time`. */
function second<Time extends number | undefined>(ms: Time): Time {
  return (ms === undefined ? ms : Math.floor(ms / 1000) * 1000) as Time;
}

const isWhole = (ms = 0): boolean => ms % 1000 === 0;

function inSeconds<T extends { readonly createdMs: number; readonly deletionMs?: number }>(value: T): T {
  const { createdMs, deletionMs } = value;
  if (isWhole(createdMs) && isWhole(deletionMs)) return value;
  return {
    ...value,
    createdMs: second(createdMs),
    ...(deletionMs !== undefined && { deletionMs: second(deletionMs) }),
  };
}

/** Most pods that are written were read from here, and have whole seconds. */
function podInSeconds(pod: StoredPod): StoredPod {
  const { readyChangedMs, containers, initContainers } = pod;
  const isDone = (one: ContainerState): boolean => isWhole(one.startedMs);
  if (isWhole(readyChangedMs) && containers.every(isDone) && initContainers.every(isDone)) return inSeconds(pod);
  const state = (one: ContainerState): ContainerState =>
    one.startedMs === undefined ? one : { ...one, startedMs: second(one.startedMs) };
  return {
    ...inSeconds(pod),
    ...(readyChangedMs !== undefined && { readyChangedMs: second(readyChangedMs) }),
    containers: containers.map(state),
    initContainers: initContainers.map(state),
  };
}

function makeTable<T extends Stored>(
  nextVersion: () => number,
  from?: Table<T>,
  written: (value: T) => T = (value) => value,
): Table<T> {
  const objects = new Map<string, T>(from?.entries());
  const listeners = new Set<Listener<T>>();
  const tell: Listener<T> = (key, before, after, actor) => {
    for (const listener of listeners) listener(key, before, after, actor);
  };
  return {
    get: (key) => objects.get(key),
    values: () => objects.values(),
    entries: () => objects.entries(),
    get size() {
      return objects.size;
    },
    put: (key, value, actor) => {
      const before = objects.get(key);
      const after = { ...written(value), resourceVersion: String(nextVersion()) };
      objects.set(key, after);
      tell(key, before, after, actor);
      return after;
    },
    remove: (key, actor) => {
      const before = objects.get(key);
      if (before === undefined) return;
      nextVersion();
      objects.delete(key);
      tell(key, before, undefined, actor);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Key of an object that lives in a namespace. */
export const keyOf = (object: { readonly namespace: string; readonly name: string }): string =>
  `${object.namespace}/${object.name}`;
