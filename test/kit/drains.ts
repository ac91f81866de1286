import type { Decision, SnapshotPod } from '../../src/companion/model/types.js';
import { driverPod, NOW } from './snapshots.js';

/** A start time as the companion writes it. */
export const secondsAgo = (seconds: number): string => (NOW / 1000 - seconds).toFixed(3);

/** A driver pod of the old template. */
export const oldDriverPod = (node: string): SnapshotPod => driverPod(node, { digest: 'old' });

/** Names of the pods that a decision evicts. */
export function evictedPods({ actions }: Decision): readonly string[] {
  return actions.flatMap((action) => (action.kind === 'evictPod' ? [action.name] : [])).sort();
}
