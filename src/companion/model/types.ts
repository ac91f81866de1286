import type { PodRefusal } from '../../shared/contract/maintenance-record.js';
import type { NodeState } from '../../shared/contract/node-states.js';
import type { LabelSelector } from '../../shared/kubernetes/selection/label-selector.js';
import type { NodeConstraints } from '../../shared/kubernetes/selection/node-placement.js';
import type { Taint } from '../../shared/kubernetes/selection/taints.js';
import type { Finding } from './findings.js';
import type { NodeMaintenanceChange } from './node-maintenance.js';
import type { SriovAnswer } from './sriov.js';
import type { BlockerKind, WaitKind } from './wait-kinds.js';

/**
 * The input and the output of the companion's decision core. Everything here is data: times are milliseconds since the epoch
 * unless the name says otherwise, and every object is immutable.
 */

// --- Objects of the watch caches -------------------------------------------------------------------------------------

export interface SnapshotNode {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly unschedulable: boolean;
  /** When the node lifecycle controller saw its cordon, as it wrote it: `timeAdded` of the taint for that. */
  readonly cordonTime?: string;
  /** Status of the condition Ready; a node without one is `True`, as upstream. `Unknown`: the kubelet does not report. */
  readonly ready: 'True' | 'False' | 'Unknown';
  /** Since when it is `Unknown`: `lastTransitionTime` of the condition. */
  readonly unreachableSinceMs?: number;
  readonly taints: readonly Taint[];
  /** `status.allocatable`, quantities as text. */
  readonly allocatable: Readonly<Record<string, string>>;
}

export interface ControllerRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface SnapshotPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `spec.nodeName`; empty while the pod is not bound. */
  readonly nodeName: string;
  /** How many nodes would take it if they had no other pods, as the scheduler says; absent: it says nothing, or the pod is bound. */
  readonly fitsEmptyNodes?: number | undefined;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly createdMs: number;
  /** `deletionTimestamp`: when its grace period ends; absent unless the pod was deleted. */
  readonly deletionMs?: number;
  readonly finalizers: readonly string[];
  /** The owner reference with `controller: true`. */
  readonly controller?: ControllerRef;
  /** Whose controller it is, by its labels or its image, as `api` of a driver names it; absent: of none. */
  readonly controllerOf?: 'network-operator';
  /** Annotation `kubernetes.io/config.mirror` is present. */
  readonly mirror: boolean;
  readonly emptyDir: boolean;
  /** It may run on a cordoned node, and be bound to one: it tolerates `node.kubernetes.io/unschedulable:NoSchedule`. */
  readonly toleratesUnschedulable: boolean;
  /** Names of resources in requests and limits of its containers, `cpu` and `memory` left out. */
  readonly resourceNames: readonly string[];
  /** `spec.runtimeClassName`, of NVIDIA's classes alone. */
  readonly runtimeClass?: string;
  /** Upstream's meaning: phase Running, at least one container status, and every container ready. */
  readonly ready: boolean;
  /** `lastTransitionTime` of the condition Ready: since when it is ready, or is not. */
  readonly readyChangedMs?: number;
  /** Only driver pods and gated pods need theirs; others may share an empty list. */
  readonly containers: readonly ContainerState[];
  readonly initContainers: readonly ContainerState[];
}

export interface ContainerState {
  readonly name: string;
  readonly ready: boolean;
  readonly restarts: number;
  /** `state.running.startedAt`; absent while it does not run. */
  readonly startedMs?: number;
  /** `state.terminated.finishedAt`; absent unless it has ended. */
  readonly finishedMs?: number;
  /** `state.waiting.reason`. */
  readonly waitingReason?: string;
}

export interface SnapshotDaemonSet extends NodeConstraints {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdMs: number;
  readonly deletionMs?: number;
  readonly generation: number;
  /** `status.observedGeneration`: until it catches up, the controller makes pods of the older template. */
  readonly observedGeneration: number;
  /** Install digest computed from its pod template. */
  readonly digest: string;
  /** What the GPU operator says that its template installs (`DRIVER_CONFIG_DIGEST`); absent for other drivers. */
  readonly configDigest?: string;
  /** Annotation `weft.dev/install-digest`: what the generator gave it; absent on one that the operator made. */
  readonly renderedDigest?: string;
  /** `spec.updateStrategy.type`; absent: not known. */
  readonly updateStrategy?: string;
}

export interface SnapshotRevision {
  readonly namespace: string;
  /** UID of the DaemonSet that owns it. */
  readonly ownerUid: string;
  /** Its label `controller-revision-hash`. */
  readonly hash: string;
  /** Install digest of the pod template that it holds. */
  readonly digest: string;
  /** As that of a DaemonSet. */
  readonly configDigest?: string;
}

/** A PodDisruptionBudget, policy/v1. */
export interface SnapshotBudget {
  readonly namespace: string;
  readonly name: string;
  /** Absent: matches no pod; empty: every pod of the namespace. */
  readonly selector?: LabelSelector;
  readonly disruptionsAllowed: number;
  /** It allows no eviction although all of its pods are healthy: what it covers leaves, if ever, by another program. */
  readonly neverAllows?: true | undefined;
}

/** Results of evictions, in memory only. */
export interface EvictionRecords {
  /** By node name and pod UID. */
  readonly byNode: ReadonlyMap<string, ReadonlyMap<string, EvictionRecord>>;
  /** Difference of the wall clock to the monotonic clock, whose times the records have. */
  readonly shiftMs: number;
}

/** Result of the last attempt to evict one pod. */
export interface EvictionRecord {
  readonly podUid: string;
  readonly attempts: number;
  /** `accepted`: the API server accepted it, and the pod is terminating. `refused`: a budget did, and nothing but `retry` followed. */
  readonly outcome: EvictionOutcome['kind'];
  /** The API server's message or the companion's. */
  readonly message: string;
  /** The earliest time of the next attempt. */
  readonly nextAttemptMs: number;
  readonly firstAttemptMs: number;
}

/** The pods that this run evicted from nodes, by the name of the node and the UID of their controller. In memory only. */
export type EvictedControllers = ReadonlyMap<string, EvictedOfNode>;

/** The pods that were evicted from a node, by the UID of their controller. */
export type EvictedOfNode = ReadonlyMap<string, EvictedPods>;

/** The pods of a controller that were evicted from a node. */
export interface EvictedPods {
  /** When the first of them was evicted, in Unix milliseconds. */
  readonly firstMs: number;
  readonly uids: ReadonlySet<string>;
}

/** The API server refused the last patch of a node, or did not answer it. */
export interface RefusedPatch {
  readonly message: string;
  /** Refusals in a row. */
  readonly failures: number;
  /** When the patch may be sent again, in Unix milliseconds. */
  readonly untilMs: number;
}

/** The API server's answer to an eviction. */
export type EvictionOutcome =
  | { readonly kind: 'accepted' }
  /** 404, or another UID under the name (409 by the precondition). */
  | { readonly kind: 'gone' }
  /** 429: a budget allows nothing now. */
  | { readonly kind: 'refused'; readonly message: string; readonly retryAfterSeconds?: number }
  /** 409 of the budget's update, 5xx, a time-out, a namespace that is being deleted: try again. */
  | { readonly kind: 'retry'; readonly message: string; readonly retryAfterSeconds?: number }
  /** Any other answer, such as 500 for several budgets on one pod: tried again like a refusal, until the deadline. */
  | { readonly kind: 'error'; readonly message: string };

// --- Output of a decision --------------------------------------------------------------------------------------------

export interface Decision {
  /** Independent of each other: they may be sent in any order and at the same time. */
  readonly actions: readonly Action[];
  readonly waiting: readonly Waiting[];
  readonly findings: readonly Finding[];
  /** DaemonSets to look up before a drain can go on, as `namespace/name`. */
  readonly daemonSetLookups: readonly ForeignDaemonSet[];
  /** When the next decision may differ without a change in the cluster; absent: never. */
  readonly wakeMs?: number;
  readonly counts: readonly DriverCounts[];
}

export interface ForeignDaemonSet {
  readonly namespace: string;
  readonly name: string;
}

/** One API request. Its precondition fails if the snapshot was stale. */
export type Action = PatchNode | EvictPod | DeletePod | DeleteDaemonSet | PatchSriovNodeState | ChangeNodeMaintenance;

/** One merge patch of a node: label, annotation and cordon changes together. `null` removes a key. */
export interface PatchNode {
  readonly kind: 'patchNode';
  /** The first participant whose label it changes. */
  readonly driver: string;
  readonly node: string;
  readonly uid: string;
  /** Sent as `metadata.resourceVersion`: if the node changed meanwhile, the answer is 409. */
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
  /** Absent: `spec.unschedulable` is not touched. */
  readonly unschedulable?: boolean;
  /** The steps of this patch in order; empty if it only updates the gate label or an annotation. */
  readonly steps: readonly Step[];
}

/** One merge patch of the annotations of a SriovNetworkNodeState: the answer of the drainer. */
export interface PatchSriovNodeState {
  readonly kind: 'patchSriovNodeState';
  readonly driver: string;
  readonly node: string;
  readonly namespace: string;
  /** That of the node. */
  readonly name: string;
  readonly uid: string;
  /** Sent as `metadata.resourceVersion`: if the object changed meanwhile, the answer is 409. */
  readonly resourceVersion: string;
  readonly annotations: SriovAnswer;
}

/**
 * Asks the Maintenance Operator for a node, or gives it back. The list of requestors is replaced, so a change of it has the resourceVersion
 * as its precondition.
 */
export interface ChangeNodeMaintenance {
  readonly kind: 'changeNodeMaintenance';
  readonly driver: string;
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
  /** Identifies the object, which may not exist yet: its namespace and name. */
  readonly uid: string;
  readonly change: NodeMaintenanceChange;
}

/** A row of the table of a maintenance that was taken, for one participant. */
export interface Step {
  /** Prefix of the participant's labels. */
  readonly driver: string;
  /** Name of the policy of the node, for reports. */
  readonly pool?: string;
  /** Id of the row in `core/maintenance/table.ts`. */
  readonly row: string;
  readonly from: NodeState;
  readonly to: NodeState;
  /** Text of the node's Event. */
  readonly message: string;
}

/** POST pods/eviction, or DELETE, with the UID as precondition. */
export interface EvictPod {
  readonly kind: 'evictPod';
  /** The time of the drain is over: the pod is deleted, which no PodDisruptionBudget refuses. */
  readonly isDeletion?: true;
  readonly driver: string;
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** UID of the pod's controller. */
  readonly controllerUid?: string | undefined;
  /** What is lost with the pod. */
  readonly warning?: string;
}

/** DELETE of a driver pod or of a gated pod, with the UID as precondition. */
export interface DeletePod {
  readonly kind: 'deletePod';
  readonly driver: string;
  /** Empty for an unbound pod. */
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly reason: 'driver-restart' | 'driver-leftover' | 'gated-pod-stale';
}

/** DELETE of a retired driver DaemonSet without its pods (propagation policy Orphan). */
export interface DeleteDaemonSet {
  readonly kind: 'deleteDaemonSet';
  readonly driver: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Precondition: if the DaemonSet created a pod meanwhile, the answer is 409. */
  readonly resourceVersion: string;
}

export interface Waiting {
  readonly driver: string;
  readonly node: string;
  readonly state: NodeState;
  readonly kind: WaitKind;
  readonly message: string;
  /** Start of the wait, if an annotation has it. */
  readonly sinceMs?: number;
  /** When it ends by itself at the latest: a deadline, or the opening of a window. */
  readonly untilMs?: number;
  /** Pods that block the node. */
  readonly blockers: readonly Blocker[];
  /** Pods because of which no pod of the node may be evicted; the message names them. Absent: there are none. */
  readonly refusals?: readonly PodRefusal[];
}

/** Why a node waits. */
export interface WaitReason {
  readonly kind: WaitKind;
  readonly message: string;
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Time of the next decision, if it is before `untilMs`. */
  readonly wakeMs?: number;
  readonly blockers?: readonly Blocker[];
  readonly refusals?: readonly PodRefusal[];
}

/** A pod that a node waits for, and the budgets that allow no eviction of it. */
export interface Blocker {
  readonly kind: BlockerKind;
  /** As `namespace/name`. */
  readonly pod: string;
  /** Names of PodDisruptionBudgets of its namespace. */
  readonly budgets: readonly string[];
  /** What the others say, as text. */
  readonly reason: string;
  /** Why its last eviction was refused, in the API server's words; absent if none was. */
  readonly refusal?: string;
  /** What keeps a terminating pod; absent: nothing does. */
  readonly finalizers?: readonly string[];
  /** When its eviction is tried again, in whole seconds; absent if no eviction of it was refused. */
  readonly retryMs?: number;
}

/** Numbers of nodes, as the GPU operator's metrics have them. */
export interface NodeCounts {
  readonly autoUpgrade: boolean;
  readonly total: number;
  readonly inProgress: number;
  readonly done: number;
  readonly failed: number;
  /** Nodes that could begin now. */
  readonly available: number;
  readonly pending: number;
  readonly skipped: number;
}

/** Numbers of the nodes of one driver. */
export interface DriverCounts extends NodeCounts {
  readonly driver: string;
  /** Nodes with NICs and without a driver that no DaemonSet of the driver covers. */
  readonly uncovered: number;
  /** Nodes that keep their driver, because no DaemonSet would put another one there. */
  readonly withoutSuccessor: number;
  /** The same numbers for each policy: its nodes share a budget. */
  readonly pools: readonly PoolCounts[];
}

export interface PoolCounts extends NodeCounts {
  /** Name of the policy. */
  readonly pool: string;
}
