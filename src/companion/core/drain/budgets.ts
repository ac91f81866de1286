import { matchesSelector, readOnce } from '../../../shared/kubernetes/selection/label-selector.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { once } from '../../../shared/lib/memo.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotPod } from '../../model/types.js';

/** A PodDisruptionBudget. */
export interface PodBudget {
  readonly name: string;
  readonly namespace: string;
  /** It allows no eviction now. */
  readonly isSpent: boolean;
  /** It allows none either when all of its pods are healthy. */
  readonly neverAllows: boolean;
  readonly covers: (pod: SnapshotPod) => boolean;
}

/** The budgets of a snapshot by their namespaces, computed where they are needed. */
export type PodBudgets = () => ReadonlyMap<string, readonly PodBudget[]>;

export function podBudgetsIn(snapshot: Pick<Snapshot, 'budgets'>): PodBudgets {
  return once(() => groupBy(podBudgetsOf(snapshot), ({ namespace }) => namespace));
}

/** The budgets that cover a pod. */
export function budgetsOver(podBudgets: PodBudgets, pod: SnapshotPod): readonly PodBudget[] {
  return (podBudgets().get(pod.namespace) ?? []).filter(({ covers }) => covers(pod));
}

/** The budgets of a snapshot that cover any pod. A decision is made for each change of a pod or a node, and budgets are listed less often. */
function podBudgetsOf({ budgets }: Pick<Snapshot, 'budgets'>): readonly PodBudget[] {
  return budgets.flatMap(({ namespace, name, selector, disruptionsAllowed, neverAllows = false }) => {
    if (selector === undefined) return [];
    const parsed = readOnce(selector);
    const covers = (pod: SnapshotPod) => pod.namespace === namespace && matchesSelector(parsed, pod.labels);
    return [{ name, namespace, isSpent: disruptionsAllowed <= 0, neverAllows, covers }];
  });
}
