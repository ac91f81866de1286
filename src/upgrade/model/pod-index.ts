import { matchesSelector, selectorOf, type Selector } from '../../kubernetes/label-selector.js';
import { isPlain } from '../drain/filters.js';
import type { SnapshotPod } from './types.js';

/** The pods that are bound to one node, shared by all snapshots between two changes there. */
export interface NodePods {
  /** `plain`, then `special`. */
  readonly all: readonly SnapshotPod[];
  /** Those that a drain of everything evicts, whatever cluster, policy and time: see `isPlain`. */
  readonly plain: readonly SnapshotPod[];
  readonly special: readonly SnapshotPod[];
  /** What the finders of this index and of those made from it found here, by their numbers; filled as they are asked. */
  readonly found: (readonly SnapshotPod[] | undefined)[];
}

/** Those pods of a node that match, in the order of `all`. */
export type PodFinder = (here: NodePods) => readonly SnapshotPod[];

/** What became of one pod: `before` alone is gone, `after` alone is new. */
interface PodChange {
  readonly before: SnapshotPod | undefined;
  readonly after: SnapshotPod | undefined;
}

/**
 * All pods of a snapshot by their nodes, like an indexer of a client-go cache: a decision reads a few of the pods, and a cluster
 * may have a hundred thousand. An index never changes; an index that is made from it shares what did not change.
 */
export interface PodIndex extends Iterable<SnapshotPod> {
  readonly size: number;
  /** By node, the empty name for pods that are bound to none; nodes without pods are left out. */
  readonly byNode: ReadonlyMap<string, NodePods>;
  /** Empty for a node without pods. */
  readonly onNode: (name: string) => NodePods;
  /**
   * Finds pods that match any of these label selectors, in one namespace or in all. What it found on a node is kept until
   * a pod of the node changes.
   */
  readonly finder: (selectors: readonly string[], namespace?: string) => PodFinder;
  /** The index after these changes; costs what changed, and a copy of `byNode`. */
  readonly after: (changes: Iterable<PodChange>) => PodIndex;
}

const NO_PODS: readonly SnapshotPod[] = [];
const NO_NODE_PODS: NodePods = { all: NO_PODS, plain: NO_PODS, special: NO_PODS, found: [] };

/** An index of these pods. Each must be there once. */
export function podIndexOf(pods: Iterable<SnapshotPod>): PodIndex {
  const added = function* (): Iterable<PodChange> {
    for (const after of pods) yield { before: undefined, after };
  };
  return indexOf(new Map(), 0, createQueries()).after(added());
}

function indexOf(byNode: ReadonlyMap<string, NodePods>, size: number, queries: Queries): PodIndex {
  return {
    size,
    byNode,
    onNode: (name) => byNode.get(name) ?? NO_NODE_PODS,
    finder: (selectors, namespace) => finderOf(queries, selectors, namespace),
    after: (changes) => indexAfter(byNode, size, queries, changes),
    *[Symbol.iterator]() {
      for (const { all } of byNode.values()) yield* all;
    },
  };
}

// --- Finding ----------------------------------------------------------------------------------------------------------

interface Query {
  readonly selectors: readonly Selector[];
  readonly namespace: string | undefined;
}

/** Every question that was asked of an index or of one that it comes from, by its words. */
interface Queries {
  readonly numbers: Map<string, number>;
  readonly list: Query[];
}

function createQueries(): Queries {
  return { numbers: new Map(), list: [] };
}

function finderOf({ numbers, list }: Queries, texts: readonly string[], namespace: string | undefined): PodFinder {
  const words = JSON.stringify([namespace ?? null, ...texts]);
  const number = numbers.get(words) ?? list.length;
  if (number === list.length) {
    numbers.set(words, number);
    list.push({ selectors: texts.map(selectorOf), namespace });
  }
  return (here) => here.found[number] ?? findHere(here, list, number);
}

/** Answers all questions at once while the pods of the node are at hand, and gives one of the answers. */
function findHere(here: NodePods, queries: readonly Query[], number: number): readonly SnapshotPod[] {
  if (here.all.length === 0) return NO_PODS;
  const { all, found } = here;
  const first = found.length;
  for (let each = first; each < queries.length; each += 1) found[each] = NO_PODS;
  for (const pod of all) {
    for (let each = first; each < queries.length; each += 1) {
      if (!answers(queries[each] as Query, pod)) continue;
      const others = found[each] as SnapshotPod[];
      if (others.length === 0) found[each] = [pod];
      else others.push(pod);
    }
  }
  return found[number] ?? NO_PODS;
}

function answers({ selectors, namespace }: Query, pod: SnapshotPod): boolean {
  if (namespace !== undefined && pod.namespace !== namespace) return false;
  for (const selector of selectors) if (matchesSelector(selector, pod.labels)) return true;
  return false;
}

// --- Changing ---------------------------------------------------------------------------------------------------------

/** What happened on one node. */
interface Touched {
  /** What is there instead of a pod; undefined: nothing. */
  readonly instead: Map<SnapshotPod, SnapshotPod | undefined>;
  readonly added: SnapshotPod[];
}

function indexAfter(
  before: ReadonlyMap<string, NodePods>,
  sizeBefore: number,
  queries: Queries,
  changes: Iterable<PodChange>,
): PodIndex {
  let size = sizeBefore;
  const touched = new Map<string, Touched>();
  const touch = (nodeName: string): Touched => {
    const known = touched.get(nodeName);
    if (known !== undefined) return known;
    const fresh = { instead: new Map(), added: [] };
    touched.set(nodeName, fresh);
    return fresh;
  };
  for (const { before: old, after } of changes) {
    if (old === undefined && after === undefined) continue;
    if (old === undefined) size += 1;
    if (after === undefined) size -= 1;
    const stays = old?.nodeName === after?.nodeName;
    if (old !== undefined) touch(old.nodeName).instead.set(old, stays ? after : undefined);
    if (after !== undefined && !(stays && old !== undefined)) touch(after.nodeName).added.push(after);
  }
  const byNode = new Map(before);
  for (const [nodeName, change] of touched) {
    const pods = podsAfter(byNode.get(nodeName) ?? NO_NODE_PODS, change);
    if (pods.length === 0) byNode.delete(nodeName);
    else byNode.set(nodeName, sorted(pods));
  }
  return indexOf(byNode, size, queries);
}

function podsAfter({ all }: NodePods, { instead, added }: Touched): readonly SnapshotPod[] {
  if (all.length === 0) return added;
  const pods: SnapshotPod[] = [];
  for (const pod of all) {
    const next = instead.has(pod) ? instead.get(pod) : pod;
    if (next !== undefined) pods.push(next);
  }
  return pods.concat(added);
}

function sorted(pods: readonly SnapshotPod[]): NodePods {
  const plain: SnapshotPod[] = [];
  const special: SnapshotPod[] = [];
  for (const pod of pods) (isPlain(pod) ? plain : special).push(pod);
  return { all: [...plain, ...special], plain, special, found: [] };
}
