import type { PodIndex } from './pod-index.js';
import type { EvictionRecords, SnapshotBudget, SnapshotDaemonSet, SnapshotNode, SnapshotRevision } from './types.js';

/** The cluster as the caches have it: it may lag behind the API server, which the preconditions of actions make up for. */
export interface Snapshot {
  readonly nodes: readonly SnapshotNode[];
  /** Pods of all namespaces. */
  readonly pods: PodIndex;
  /** DaemonSets of the drivers' namespaces. */
  readonly daemonSets: readonly SnapshotDaemonSet[];
  /** ControllerRevisions of the drivers' namespaces. */
  readonly revisions: readonly SnapshotRevision[];
  readonly budgets: readonly SnapshotBudget[];
  /**
   * What is known of DaemonSets elsewhere, by `namespace/name`, for the pods that a drain meets. One that is not in here
   * comes back in `Decision.daemonSetLookups`; until it is answered its pods keep the drain waiting.
   */
  readonly foreignDaemonSets: ReadonlyMap<string, 'present' | 'absent' | 'unknown'>;
  readonly evictions: EvictionRecords;
  /** When the API server last wrote the policy; undefined: not known, so no DaemonSet counts as newer than it. */
  readonly policyWrittenMs?: number | undefined;
  /** UIDs of driver DaemonSets that this policy or an earlier one listed while the companion carried it out. */
  readonly listedBefore?: ReadonlySet<string>;
  /** The annotation of the status ConfigMap; the policy has a pause of its own. */
  readonly paused: boolean;
}
