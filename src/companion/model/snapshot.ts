import type { GpuOperatorPolicy } from './gpu-operator.js';
import type { NodeMaintenance } from './node-maintenance.js';
import type { PodIndex } from './pod-index.js';
import type { SriovNodeState } from './sriov.js';
import type {
  EvictedControllers,
  EvictionRecords,
  RefusedPatch,
  SnapshotBudget,
  SnapshotDaemonSet,
  SnapshotNode,
  SnapshotRevision,
} from './types.js';

/** The cluster as the caches have it. It may lag behind the API server; actions have preconditions for that. */
export interface Snapshot {
  readonly nodes: readonly SnapshotNode[];
  /** Pods of all namespaces. */
  readonly pods: PodIndex;
  /** DaemonSets of the drivers' namespaces. */
  readonly daemonSets: readonly SnapshotDaemonSet[];
  /** ControllerRevisions of the drivers' namespaces. */
  readonly revisions: readonly SnapshotRevision[];
  readonly budgets: readonly SnapshotBudget[];
  /** They could not be listed yet. */
  readonly areBudgetsMissing?: boolean;
  /**
   * DaemonSets of other namespaces that own pods of drained nodes, by `namespace/name`. One that is missing here is in
   * `Decision.daemonSetLookups`, and the drain waits until it was looked up.
   */
  readonly foreignDaemonSets: ReadonlyMap<string, 'present' | 'absent' | 'unknown'>;
  readonly evictions: EvictionRecords;
  readonly evicted?: EvictedControllers;
  /** Nodes whose patches are refused, by name. */
  readonly refusedPatches?: ReadonlyMap<string, RefusedPatch> | undefined;
  /** When the policy was last written; undefined: not known, so no DaemonSet counts as newer than it. */
  readonly policyWrittenMs?: number | undefined;
  /** UIDs of driver DaemonSets that this policy or an earlier one listed while the companion carried it out. */
  readonly listedBefore?: ReadonlySet<string>;
  /** Who renews the Lease of the Network Operator; empty or absent: no process does. */
  readonly operatorLeaseHolder?: string | undefined;
  /** What the GPU operator is told about upgrades; absent: not known, or no driver of the policy is restarted by it. */
  readonly gpuOperatorPolicies?: readonly GpuOperatorPolicy[] | undefined;
  /**
   * Whether a pod with a UID holds a GPU by a ResourceClaim of dynamic resource allocation; absent: no driver of the policy is a GPU driver.
   */
  readonly podsWithGpuClaims?: Pick<ReadonlySet<string>, 'has'> | undefined;
  /** SriovNetworkNodeStates by the name of their node; absent: the cluster does not serve the kind, or the policy has no `sriovNodeStates`. */
  readonly sriovNodeStates?: ReadonlyMap<string, SriovNodeState> | undefined;
  /**
   * NodeMaintenances of the namespace of the policy by their name; absent: the cluster does not serve the kind, or the policy has no
   * `nodeMaintenance`.
   */
  readonly nodeMaintenances?: ReadonlyMap<string, NodeMaintenance> | undefined;
  /** The annotation of the status ConfigMap; the policy has a pause of its own. */
  readonly paused: boolean;
  /** The value of the annotation of the status ConfigMap that has maintenance windows ignored; absent: there is none. */
  readonly ignoreWindowsUntil?: string | undefined;
}

/** A participant on a node, as the key of a map. */
export function nodeKey(driver: string, node: string): string {
  return `${driver}/${node}`;
}
