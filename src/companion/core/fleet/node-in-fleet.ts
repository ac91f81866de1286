import type { SnapshotNode } from '../../model/types.js';
import type { Part } from '../maintenance/plan.js';

/** What the fleet knows of each node. */
export interface NodeInFleet {
  readonly node: SnapshotNode;
  readonly parts: readonly Part[];
  /** It was taken out and is not back, in the snapshot. */
  readonly isActive: boolean;
  /** It failed, and is not tried again. What became due on it meanwhile waits. */
  readonly hasFailed: boolean;
  /** It is cordoned or not ready, or may be at any time. */
  readonly isDown: boolean;
  /** The companion leaves it as it is. */
  readonly isSuspended: boolean;
  /** The API server refuses its patches. */
  readonly isRefused: boolean;
}
