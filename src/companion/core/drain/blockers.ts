import { counted } from '../../../shared/lib/listed.js';
import { nameOf } from '../../model/pod.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Blocker, SnapshotPod } from '../../model/types.js';
import { budgetsOver, type PodBudget, type PodBudgets } from './budgets.js';

/** Maximum number of blockers, because an Event's message has room for few. */
const MOST_BLOCKERS = 4;

/** Of one pod; anybody may create thousands in his namespace. */
const MOST_BUDGETS = 5;

/** The pods that a drain still waits for, each with the budgets that allow no eviction. */
export type BlockersOf = (pods: readonly SnapshotPod[]) => readonly Blocker[];

/** Of pods whose budgets refuse their eviction. `isForGood`: a budget never allows one, so that only a person ends it. */
export type BudgetBlockersOf = (pods: readonly SnapshotPod[]) => {
  readonly blockers: readonly Blocker[];
  readonly isForGood: boolean;
};

/** Texts about the pods that a drain waits for. */
export function blockersIn({ evictions }: Pick<Snapshot, 'evictions'>, podBudgets: PodBudgets): BlockersOf {
  const blockerOf = (pod: SnapshotPod): Blocker => {
    if (pod.deletionMs !== undefined) return ending(pod);
    const about = { pod: nameOf(pod), budgets: budgetsInTheWay(podBudgets, pod) };
    const record = evictions.byNode.get(pod.nodeName)?.get(pod.uid);
    if (record === undefined || record.outcome === 'accepted')
      return { kind: 'eviction', ...about, reason: 'is being evicted' };
    const { attempts, message, nextAttemptMs } = record;
    const retryMs = Math.ceil((nextAttemptMs + evictions.shiftMs) / 1000) * 1000;
    const reason = `was refused ${counted(attempts, 'time')}: ${message}`;
    return { kind: 'refusal', ...about, reason, refusal: message, retryMs };
  };
  return (pods) => pods.slice(0, MOST_BLOCKERS).map(blockerOf);
}

/**
 * The pods whose eviction their budgets would refuse now. A budget that never allows one is left to the drain where the pod is not of a workload of
 * Kubernetes itself: operators of databases and of virtual machines move their pods when the node is cordoned, or when the eviction is asked for.
 */
export function budgetBlockersIn(podBudgets: PodBudgets): BudgetBlockersOf {
  return (pods) => {
    const refused = pods
      .map((pod) => {
        const budgets = budgetsOver(podBudgets, pod);
        return { pod, budgets, isForGood: budgets.some(({ neverAllows }) => neverAllows) };
      })
      .filter(({ pod, budgets, isForGood }) => isRefused(budgets) && !(isForGood && isOfOperator(pod)))
      .slice(0, MOST_BLOCKERS);
    const blockers = refused.map(({ pod, budgets, isForGood }): Blocker => {
      const reason = isForGood
        ? 'cannot be evicted, however many pods of its budget are Ready'
        : 'cannot be evicted now';
      return { kind: 'eviction', pod: nameOf(pod), budgets: namesOf(budgets), reason };
    });
    return { blockers, isForGood: refused.some((one) => one.isForGood) };
  };
}

/** Its controller is a custom resource, and nothing of Kubernetes replaces the pod. */
function isOfOperator({ controller }: SnapshotPod): boolean {
  if (controller === undefined) return false;
  const { apiVersion } = controller;
  return !OWN_GROUPS.has(apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))));
}

/** The API groups of the workloads of Kubernetes itself. */
const OWN_GROUPS: ReadonlySet<string> = new Set(['', 'apps', 'batch']);

/** Names of the PodDisruptionBudgets that allow no eviction of a pod. */
export function budgetsInTheWay(podBudgets: PodBudgets, pod: SnapshotPod): readonly string[] {
  const all = budgetsOver(podBudgets, pod);
  return isRefused(all) ? namesOf(all) : [];
}

/** The eviction API refuses a pod with several budgets outright: Kubernetes' `pkg/registry/core/pod/storage/eviction.go`. */
function isRefused(budgets: readonly PodBudget[]): boolean {
  return budgets.length > 1 || budgets.some(({ isSpent }) => isSpent);
}

function namesOf(budgets: readonly PodBudget[]): readonly string[] {
  return budgets.slice(0, MOST_BUDGETS).map(({ name }) => name);
}

function ending(pod: SnapshotPod): Blocker {
  const { finalizers } = pod;
  const about = { kind: 'termination', pod: nameOf(pod), budgets: [] } as const;
  if (finalizers.length === 0) return { ...about, reason: 'is ending' };
  return { ...about, reason: `is ending, held by ${finalizers.join(', ')}`, finalizers };
}

/** The blockers in one line. */
export function blockersText(blockers: readonly Blocker[], total: number): string {
  const named = blockers.slice(0, 3).map(({ pod, budgets, reason }) => {
    const by = budgets.length === 0 ? '' : ` (PodDisruptionBudget ${budgets.join(', ')})`;
    return `pod ${pod} ${reason}${by}`;
  });
  return named.join('; ') + (total > named.length ? `; and ${total - named.length} more` : '');
}
