import { fromStructured, matchesSelector } from '../lib/label-selector.js';
import { nameOf } from './drain-filters.js';
import type { Blocker, Snapshot, SnapshotBudget, SnapshotPod } from './types.js';

/** So many blockers are named; an event has room for few, and people look at one after the other anyway. */
const MOST_BLOCKERS = 10;

/** PodDisruptionBudgets that a pod is under. */
export type BudgetsOf = (pod: SnapshotPod) => readonly SnapshotBudget[];

/** Reads the selectors of all budgets once: a drain asks about many pods. */
export function budgetsByPod(budgets: readonly SnapshotBudget[]): BudgetsOf {
  const parsed = budgets.flatMap(({ selector, ...budget }) =>
    selector === undefined ? [] : [{ budget, selector: fromStructured(selector) }],
  );
  return ({ namespace, labels }) =>
    parsed
      .filter(({ budget, selector }) => budget.namespace === namespace && matchesSelector(selector, labels))
      .map(({ budget }) => budget);
}

/** Who keeps a node from being empty: pods that are still there, each with the budgets that allow no eviction. */
export function blockersOf({ snapshot, budgetsOf }: Asked, pods: readonly SnapshotPod[]): readonly Blocker[] {
  return pods.slice(0, MOST_BLOCKERS).map((pod) => ({
    pod: nameOf(pod),
    budgets: budgetsInTheWay(budgetsOf, pod),
    reason: reasonOf(snapshot, pod),
  }));
}

interface Asked {
  readonly snapshot: Snapshot;
  readonly budgetsOf: BudgetsOf;
}

function budgetsInTheWay(budgetsOf: BudgetsOf, pod: SnapshotPod): readonly string[] {
  if (pod.deletionMs !== undefined) return [];
  const matching = budgetsOf(pod);
  // The eviction API refuses a pod with several budgets outright: Kubernetes' `pkg/registry/core/pod/storage/eviction.go`.
  const inTheWay =
    matching.length > 1 ? matching : matching.filter(({ disruptionsAllowed }) => disruptionsAllowed <= 0);
  return inTheWay.map(({ name }) => name);
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
