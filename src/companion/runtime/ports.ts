import type {
  ChangeNodeMaintenance,
  DeleteDaemonSet,
  DeletePod,
  DriverCounts,
  EvictionOutcome,
  EvictPod,
  PatchNode,
  PatchSriovNodeState,
  SnapshotBudget,
  SnapshotDaemonSet,
  SnapshotNode,
  SnapshotPod,
  SnapshotRevision,
} from '../model/types.js';
import type { NodeMaintenance } from '../model/node-maintenance.js';
import type { SriovNodeState } from '../model/sriov.js';
import type { GpuOperatorPolicy } from '../model/gpu-operator.js';
import type { Answer, Listed, Stop, WatchEvent } from '../../shared/kube-client/types.js';

/**
 * The interfaces between the companion and everything outside of it: cluster, clock, signals, random numbers and output, so
 * that a test can replace each. No method throws or rejects for anything that a server answers or fails to answer: answers
 * are data. A promise that rejects is a bug of the implementation and ends the run.
 */

/** Answer to an eviction; 403 of an admission webhook is an `error` of `EvictionOutcome`, not `forbidden`. */
export type EvictionAnswer = EvictionOutcome | { readonly kind: 'forbidden'; readonly message: string };

// --- Lists and watches ------------------------------------------------------------------------------------------------

/** The kinds that are listed and watched, and the type of their items. */
export interface WatchedItems {
  readonly nodes: SnapshotNode;
  readonly pods: SnapshotPod;
  readonly daemonSets: SnapshotDaemonSet;
  readonly revisions: SnapshotRevision;
  readonly gpuClaims: GpuClaim;
  readonly sriovNodeStates: SriovNodeState;
  readonly nodeMaintenances: NodeMaintenance;
}

/** A ResourceClaim, and the UIDs of the pods that hold a GPU by it: none if it has no device of NVIDIA's DRA driver for GPUs. */
export interface GpuClaim {
  readonly namespace: string;
  readonly name: string;
  readonly podUids: readonly string[];
}

export type WatchedKind = keyof WatchedItems;

/** Contents of a Lease (coordination.k8s.io/v1). Missing fields are undefined. Times are milliseconds since the epoch. */
export interface LeaseRecord {
  /** Empty or absent: no process holds it. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireMs?: number;
  readonly renewMs?: number;
  readonly leaseTransitions?: number;
}

export interface VersionedLease {
  readonly record: LeaseRecord;
  readonly resourceVersion: string;
}

/** The policy ConfigMap. */
interface PolicyObject {
  /** Text of the policy document. */
  readonly text: string;
  /** When the text was last written, by the API server's clock (`managedFields`, or else `creationTimestamp`). */
  readonly writtenMs?: number;
  /** Name of the Job that was rendered with the policy; absent without a CronJob. */
  readonly job?: string;
  /** Hash of the policy as it was rendered; absent where an older version of Weft rendered it. */
  readonly hash?: string;
}

/** A Job of the companion. */
export interface JobObject {
  readonly uid: string;
  /** It has the condition Failed: no other pod comes. */
  readonly isFailed: boolean;
}

/** The status ConfigMap. An update sends the annotations as they were read, because one of them is the pause. */
export interface StatusObject {
  readonly annotations: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
  readonly resourceVersion: string;
  /** When its data was last written, by the API server's clock. */
  readonly writtenMs?: number;
}

/** A request of one verb. */
export interface Access {
  /** API group; empty for core. */
  readonly group: string;
  /** Plural, with the subresource. */
  readonly resource: string;
  readonly verb: string;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** Absent: any object. */
  readonly name?: string;
}

/** The object that an Event is about, as the API has it. */
interface EventObject {
  readonly apiVersion: 'v1' | 'batch/v1';
  readonly kind: 'Node' | 'Job';
  /** Absent for a node. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

/** One Kubernetes Event. */
export interface ObjectEvent {
  /** Identifies the occurrence; valid as an object name. A repetition patches the count of the existing Event. */
  readonly key: string;
  readonly about: EventObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  /** At most 1024 characters, the API server's limit. */
  readonly message: string;
  /** Rows of the transition table that were taken, in their order. */
  readonly rows?: readonly string[];
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * The cluster. Each call is one request (a list may be several pages) with a time-out of its own well below `LEASE_MARGIN_MS`
 * of `lease.ts`. The names of the Lease, the policy and the status are `COMPANION_NAMES`, in the companion's namespace.
 */
export interface ClusterPort {
  /**
   * A consistent list: without `resourceVersion` in the request. No namespace: all of them. Where the cluster does not serve `gpuClaims`,
   * `sriovNodeStates` or `nodeMaintenances`, the list and its resourceVersion are empty.
   */
  list<Kind extends WatchedKind>(kind: Kind, namespace?: string): Promise<Answer<Listed<WatchedItems[Kind]>>>;
  /** Watches from after `resourceVersion`. Events arrive in order, never during this call. */
  watch<Kind extends WatchedKind>(
    kind: Kind,
    namespace: string | undefined,
    resourceVersion: string,
    onEvent: (event: WatchEvent<WatchedItems[Kind]>) => void,
  ): Stop;
  listBudgets(): Promise<Answer<readonly SnapshotBudget[]>>;
  /** ClusterPolicies and NVIDIADrivers; none where their CRDs are missing. */
  listGpuOperatorPolicies(): Promise<Answer<readonly GpuOperatorPolicy[]>>;
  getNode(name: string): Promise<Answer<SnapshotNode>>;
  /** All pods that are bound to a node, by one consistent list with the field selector `spec.nodeName`. */
  listPodsOnNode(node: string): Promise<Answer<readonly SnapshotPod[]>>;
  /** Whether a DaemonSet that is none of the driver's exists: `ok` or `gone`. */
  getDaemonSet(namespace: string, name: string): Promise<Answer<undefined>>;

  /** Answers with the node as it is after the patch. */
  patchNode(action: PatchNode): Promise<Answer<SnapshotNode>>;
  evictPod(action: EvictPod): Promise<EvictionAnswer>;
  deletePod(action: DeletePod): Promise<Answer<undefined>>;
  deleteDaemonSet(action: DeleteDaemonSet): Promise<Answer<undefined>>;
  patchSriovNodeState(action: PatchSriovNodeState): Promise<Answer<undefined>>;
  changeNodeMaintenance(action: ChangeNodeMaintenance): Promise<Answer<undefined>>;

  /** Whether the companion has a right: a SelfSubjectAccessReview, which every account may create. */
  isAllowed(access: Access): Promise<Answer<boolean>>;

  /** A Job in the companion's namespace. */
  getJob(name: string): Promise<Answer<JobObject>>;
  /** Deletes it with its pods, in the background. Another UID: `conflict`. */
  deleteJob(name: string, uid: string): Promise<Answer<undefined>>;

  readPolicy(): Promise<Answer<PolicyObject>>;
  readStatus(): Promise<Answer<StatusObject>>;
  createStatus(data: StatusObject['data']): Promise<Answer<StatusObject>>;
  updateStatus(status: StatusObject): Promise<Answer<StatusObject>>;
  readLease(): Promise<Answer<VersionedLease>>;
  /** The Lease of the Network Operator in the same namespace. */
  readOperatorLease(): Promise<Answer<VersionedLease>>;
  createLease(record: LeaseRecord): Promise<Answer<VersionedLease>>;
  updateLease(lease: VersionedLease): Promise<Answer<VersionedLease>>;
  /** Creates the Event when its count is 1, patches count, message and last time otherwise. */
  writeEvent(event: ObjectEvent): Promise<Answer<undefined>>;
}

// --- Clock, signals, output -------------------------------------------------------------------------------------------

export interface Clock {
  /** Wall clock: milliseconds since the epoch. That of the machine may jump from one process to the next, and one of a test at any time. */
  now(): number;
  /** Monotonic milliseconds. */
  monotonicMs(): number;
  /** Milliseconds of processor time that the process has taken. */
  processorMs(): number;
  /** Calls back once after this much monotonic time, never within this call. */
  after(ms: number, callback: () => void): Stop;
}

/** SIGTERM and SIGINT. */
export interface Signals {
  readonly stopRequested: boolean;
  /** Calls back when a stop is requested, at most once. */
  onStop(callback: () => void): void;
}

/** Numbers from 0 up to 1. */
export type Random = () => number;

/** One structured log line: printed as JSON. */
export interface LogRecord {
  readonly time: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly [field: string]: string | number | boolean | readonly string[];
}

/** Logs, metrics and the termination message. */
export interface Output {
  log(record: LogRecord): void;
  /** Numbers of nodes after each decision; absent if only metrics need them. */
  readonly counts?: (counts: readonly DriverCounts[]) => void;
  /** The whole Prometheus text, each time it changed. */
  metrics(text: string): void;
  /** The termination message, once, at most 4096 bytes. */
  summary(text: string): void;
}

export interface Ports {
  readonly cluster: ClusterPort;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly random: Random;
  readonly output: Output;
}
