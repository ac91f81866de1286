import { fromStructured, matchesSelector, type Selector } from '../../kubernetes/selection/label-selector.js';
import { nameOf } from './filters.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Blocker, EvictionRecord, SnapshotBudget, SnapshotPod } from '../model/types.js';

/** Maximum number of blockers, because an Event's message has room for few. */
const MOST_BLOCKERS = 4;

/** The pods that a drain still waits for, each with the budgets that allow no eviction. */
export type BlockersOf = (pods: readonly SnapshotPod[]) => readonly Blocker[];

/**
 * Parses the selectors of all budgets once, because drains ask about many pods. Blockers share equal texts and lists to save
 * memory.
 */
export function blockersIn({ budgets, evictions }: Pick<Snapshot, 'budgets' | 'evictions'>): BlockersOf {
  const budgetsOf = budgetsInTheWay(budgets);
  const refusalOf = refusalMessages();
  const blockerOf = (pod: SnapshotPod): Blocker => {
    if (pod.deletionMs !== undefined) return { pod: nameOf(pod), budgets: NO_NAMES, reason: endingMessage(pod) };
    const record = evictions.byNode.get(pod.nodeName)?.get(pod.uid);
    if (record === undefined || record.outcome === 'accepted')
      return { pod: nameOf(pod), budgets: budgetsOf(pod), reason: 'is being evicted' };
    const retryMs = Math.ceil((record.nextAttemptMs + evictions.shiftMs) / 1000) * 1000;
    return { pod: nameOf(pod), budgets: budgetsOf(pod), reason: refusalOf(record), retryMs };
  };
  return (pods) => pods.slice(0, MOST_BLOCKERS).map(blockerOf);
}

const NO_NAMES: readonly string[] = [];

interface ReadBudget {
  readonly selector: Selector;
  /** A list of its name. */
  readonly names: readonly string[];
  readonly isSpent: boolean;
}

/** Names of the PodDisruptionBudgets that allow no eviction of a pod. */
function budgetsInTheWay(budgets: readonly SnapshotBudget[]): (pod: SnapshotPod) => readonly string[] {
  const byNamespace = new Map<string, ReadBudget[]>();
  for (const { namespace, name, selector, disruptionsAllowed } of budgets) {
    if (selector === undefined) continue;
    const one = { selector: fromStructured(selector), names: [name], isSpent: disruptionsAllowed <= 0 };
    const others = byNamespace.get(namespace);
    if (others === undefined) byNamespace.set(namespace, [one]);
    else others.push(one);
  }
  return ({ namespace, labels }) => {
    const there = byNamespace.get(namespace);
    if (there === undefined) return NO_NAMES;
    let first: ReadBudget | undefined;
    let all: readonly string[] = NO_NAMES;
    for (const one of there) {
      if (!matchesSelector(one.selector, labels)) continue;
      first ??= one;
      all = all === NO_NAMES ? one.names : [...all, ...one.names];
    }
    // The eviction API refuses a pod with several budgets outright: Kubernetes' `pkg/registry/core/pod/storage/eviction.go`.
    return all.length > 1 || first?.isSpent === true ? all : NO_NAMES;
  };
}

function endingMessage({ finalizers }: SnapshotPod): string {
  return finalizers.length === 0 ? 'is ending' : `is ending, held by ${finalizers.join(', ')}`;
}

/** Caches the messages, because most refusals have the same message and the same number of attempts. */
function refusalMessages(): (record: EvictionRecord) => string {
  const messages = new Map<string, Map<number, string>>();
  return ({ attempts, message }) => {
    const byAttempts = messages.get(message) ?? new Map<number, string>();
    const known = byAttempts.get(attempts);
    if (known !== undefined) return known;
    const text = `was refused ${attempts} ${attempts === 1 ? 'time' : 'times'}: ${message}`;
    messages.set(message, byAttempts.set(attempts, text));
    return text;
  };
}

/** The blockers in one line. */
export function blockersText(blockers: readonly Blocker[], total: number): string {
  const named = blockers.slice(0, 3).map(({ pod, budgets, reason }) => {
    const by = budgets.length === 0 ? '' : ` (PodDisruptionBudget ${budgets.join(', ')})`;
    return `pod ${pod} ${reason}${by}`;
  });
  return named.join('; ') + (total > named.length ? `; and ${total - named.length} more` : '');
}
