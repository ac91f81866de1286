import { fromStructured, matchesSelector } from '../lib/label-selector.js';
import { nameOf } from './drain-filters.js';
import type { Blocker, Snapshot, SnapshotBudget, SnapshotPod } from './types.js';

/** So many blockers are named; an event has room for few, and people look at one after the other anyway. */
const MOST_BLOCKERS = 10;

/** Who keeps a node from being empty: pods that are still there, each with the budgets that allow no eviction. */
export function blockersOf(snapshot: Snapshot, pods: readonly SnapshotPod[]): readonly Blocker[] {
  return pods.slice(0, MOST_BLOCKERS).map((pod) => ({
    pod: nameOf(pod),
    budgets: budgetsInTheWay(snapshot, pod).map(({ name }) => name),
    reason: reasonOf(snapshot, pod),
  }));
}

function budgetsInTheWay(snapshot: Snapshot, pod: SnapshotPod): readonly SnapshotBudget[] {
  if (pod.deletionMs !== undefined) return [];
  const matching = snapshot.budgets.filter(
    ({ namespace, selector }) =>
      namespace === pod.namespace && selector !== undefined && matchesSelector(fromStructured(selector), pod.labels),
  );
  // The eviction API refuses a pod with several budgets outright: Kubernetes' `pkg/registry/core/pod/storage/eviction.go`.
  return matching.length > 1 ? matching : matching.filter(({ disruptionsAllowed }) => disruptionsAllowed <= 0);
}

function reasonOf(snapshot: Snapshot, pod: SnapshotPod): string {
  if (pod.deletionMs !== undefined) {
    return pod.finalizers.length === 0 ? 'is ending' : `is ending, held by ${pod.finalizers.join(', ')}`;
  }
  const record = snapshot.evictions.get(pod.uid);
  if (record === undefined || record.outcome === 'accepted') return 'is being evicted';
  return `was refused ${record.attempts} ${record.attempts === 1 ? 'time' : 'times'}: ${record.message}`;
}

/** The blockers in one line. */
export function blockersText(blockers: readonly Blocker[], total: number): string {
  const named = blockers.slice(0, 3).map(({ pod, budgets, reason }) => {
    const by = budgets.length === 0 ? '' : ` (PodDisruptionBudget ${budgets.join(', ')})`;
    return `pod ${pod} ${reason}${by}`;
  });
  return named.join('; ') + (total > named.length ? `; and ${total - named.length} more` : '');
}
