import { matchesSelector, selectorOf } from '../../kubernetes/selection/label-selector.js';
import { isPlain } from '../drain/filters.js';
import type { SnapshotPod } from './types.js';

/** The pods of one node. Snapshots share them until a pod of the node changes. */
export interface NodePods {
  /** `plain`, then `special`. */
  readonly all: readonly SnapshotPod[];
  /** Pods that a drain evicts with any policy and at any time: see `isPlain`. */
  readonly plain: readonly SnapshotPod[];
  readonly special: readonly SnapshotPod[];
}

/** A change of one pod. It was deleted if `after` is undefined, and is new if `before` is undefined. */
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
  /** The index after these changes; costs what changed, and a copy of `byNode`. */
  readonly after: (changes: Iterable<PodChange>) => PodIndex;
}

const NO_PODS: readonly SnapshotPod[] = [];
const NO_NODE_PODS: NodePods = { all: NO_PODS, plain: NO_PODS, special: NO_PODS };

/** An index of these pods, which must be distinct. */
export function podIndexOf(pods: Iterable<SnapshotPod>): PodIndex {
  const added = function* (): Iterable<PodChange> {
    for (const after of pods) yield { before: undefined, after };
  };
  return indexOf(new Map(), 0).after(added());
}

function indexOf(byNode: ReadonlyMap<string, NodePods>, size: number): PodIndex {
  return {
    size,
    byNode,
    onNode: (name) => byNode.get(name) ?? NO_NODE_PODS,
    after: (changes) => indexAfter(byNode, size, changes),
    *[Symbol.iterator]() {
      for (const { all } of byNode.values()) yield* all;
    },
  };
}

/** Whether a pod matches any of these label selectors, in one namespace or in all. */
export function podMatcher(selectors: readonly string[], namespace?: string): (pod: SnapshotPod) => boolean {
  const parsed = selectors.map(selectorOf);
  return (pod) =>
    (namespace === undefined || pod.namespace === namespace) &&
    parsed.some((selector) => matchesSelector(selector, pod.labels));
}

/** The changes of one node. */
interface Touched {
  /** The new form of each changed pod; undefined if it left the node. */
  readonly replaced: Map<SnapshotPod, SnapshotPod | undefined>;
  readonly added: SnapshotPod[];
}

function indexAfter(before: ReadonlyMap<string, NodePods>, sizeBefore: number, changes: Iterable<PodChange>): PodIndex {
  let size = sizeBefore;
  const touched = new Map<string, Touched>();
  const touch = (nodeName: string): Touched => {
    const known = touched.get(nodeName);
    if (known !== undefined) return known;
    const fresh = { replaced: new Map(), added: [] };
    touched.set(nodeName, fresh);
    return fresh;
  };
  for (const { before: old, after } of changes) {
    if (old === undefined && after === undefined) continue;
    if (old === undefined) size += 1;
    if (after === undefined) size -= 1;
    const isSameNode = old?.nodeName === after?.nodeName;
    if (old !== undefined) touch(old.nodeName).replaced.set(old, isSameNode ? after : undefined);
    if (after !== undefined && !(isSameNode && old !== undefined)) touch(after.nodeName).added.push(after);
  }
  const byNode = new Map(before);
  for (const [nodeName, change] of touched) {
    const pods = podsAfter(byNode.get(nodeName) ?? NO_NODE_PODS, change);
    if (pods.length === 0) byNode.delete(nodeName);
    else byNode.set(nodeName, sorted(pods));
  }
  return indexOf(byNode, size);
}

function podsAfter({ all }: NodePods, { replaced, added }: Touched): readonly SnapshotPod[] {
  if (all.length === 0) return added;
  const pods: SnapshotPod[] = [];
  for (const pod of all) {
    const next = replaced.has(pod) ? replaced.get(pod) : pod;
    if (next !== undefined) pods.push(next);
  }
  return pods.concat(added);
}

function sorted(pods: readonly SnapshotPod[]): NodePods {
  const plain: SnapshotPod[] = [];
  const special: SnapshotPod[] = [];
  for (const pod of pods) (isPlain(pod) ? plain : special).push(pod);
  return { all: [...plain, ...special], plain, special };
}
