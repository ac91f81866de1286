import { groupBy } from '../../shared/lib/group-by.js';
import { matchesSelector, selectorOf } from '../../shared/kubernetes/selection/label-selector.js';
import type { SnapshotPod } from './types.js';

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
  readonly byNode: PodsByNode;
  /** Empty for a node without pods. */
  readonly onNode: (name: string) => readonly SnapshotPod[];
  /**
   * The pods of a node of which a function of the pod is true: the same list as long as these pods are the same. The function is asked once for
   * each list of pods, because decisions follow each other, and on most nodes nothing changes between two of them.
   *
   * @param name of the function: one that differs in its answers needs another one
   */
  readonly onNodeThat: (name: string, isOne: (pod: SnapshotPod) => boolean) => (node: string) => readonly SnapshotPod[];
  /** The pods that a controller has made, in no order; an empty UID: those without one. */
  readonly ofController: (uid: string) => readonly SnapshotPod[];
  /** The index after these changes; costs what changed, and a copy of `byNode`, and of an index by controller if one was asked about. */
  readonly after: (changes: Iterable<PodChange>) => PodIndex;
}

type PodsByNode = ReadonlyMap<string, readonly SnapshotPod[]>;
/** What `onNodeThat` found, by the name of the function; indexes that are made from each other share it. */
type Found = Map<string, Map<string, FoundOnNode>>;
interface FoundOnNode {
  readonly pods: readonly SnapshotPod[];
  readonly some: readonly SnapshotPod[];
}

/** The pods of each controller by its UID, once one was asked about; empty before. */
type Controllers = Map<string, readonly SnapshotPod[]>;

const NO_PODS: readonly SnapshotPod[] = [];

/** An index of these pods, which must be distinct. */
export function podIndexOf(pods: Iterable<SnapshotPod>): PodIndex {
  const added = function* (): Iterable<PodChange> {
    for (const after of pods) yield { before: undefined, after };
  };
  return indexOf(new Map(), 0, new Map(), new Map()).after(added());
}

function indexOf(byNode: PodsByNode, size: number, found: Found, controllers: Controllers): PodIndex {
  return {
    size,
    byNode,
    ofController(uid) {
      if (controllers.size === 0)
        for (const [of, pods] of groupBy([...byNode.values()].flat(), controllerOf)) controllers.set(of, pods);
      return controllers.get(uid) ?? NO_PODS;
    },
    onNode: (name) => byNode.get(name) ?? NO_PODS,
    onNodeThat: (name, isOne) => {
      const known = found.get(name) ?? new Map<string, FoundOnNode>();
      found.set(name, known);
      return (node) => {
        const pods = byNode.get(node) ?? NO_PODS;
        const before = known.get(node);
        if (before?.pods === pods) return before.some;
        const those = pods.filter(isOne);
        const last = before?.some ?? NO_PODS;
        const some = isSameList(those, last) ? last : those;
        known.set(node, { pods, some });
        return some;
      };
    },
    after: (changes) => indexAfter({ byNode, size, found, controllers }, changes),
    *[Symbol.iterator]() {
      for (const pods of byNode.values()) yield* pods;
    },
  };
}

function isSameList(one: readonly SnapshotPod[], other: readonly SnapshotPod[]): boolean {
  return one.length === other.length && one.every((pod, at) => pod === other[at]);
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

interface Before {
  readonly byNode: PodsByNode;
  readonly size: number;
  readonly found: Found;
  readonly controllers: Controllers;
}

function indexAfter(before: Before, changes: Iterable<PodChange>): PodIndex {
  let { size } = before;
  const controllers = new Map(before.controllers);
  const isAsked = controllers.size > 0;
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
    if (isAsked && old !== undefined) removeFrom(controllers, old);
    if (isAsked && after !== undefined) addTo(controllers, after);
    if (old === undefined) size += 1;
    if (after === undefined) size -= 1;
    const isSameNode = old?.nodeName === after?.nodeName;
    if (old !== undefined) touch(old.nodeName).replaced.set(old, isSameNode ? after : undefined);
    if (after !== undefined && !(isSameNode && old !== undefined)) touch(after.nodeName).added.push(after);
  }
  const byNode = new Map(before.byNode);
  for (const [nodeName, change] of touched) {
    const pods = podsAfter(byNode.get(nodeName) ?? NO_PODS, change);
    if (pods.length > 0) {
      byNode.set(nodeName, pods);
      continue;
    }
    byNode.delete(nodeName);
    for (const known of before.found.values()) known.delete(nodeName);
  }
  return indexOf(byNode, size, before.found, controllers);
}

function controllerOf({ controller }: SnapshotPod): string {
  return controller?.uid ?? '';
}

function addTo(controllers: Controllers, pod: SnapshotPod): void {
  const uid = controllerOf(pod);
  controllers.set(uid, [...(controllers.get(uid) ?? NO_PODS), pod]);
}

function removeFrom(controllers: Controllers, pod: SnapshotPod): void {
  const uid = controllerOf(pod);
  const left = (controllers.get(uid) ?? NO_PODS).filter((one) => one !== pod);
  if (left.length > 0) controllers.set(uid, left);
  else controllers.delete(uid);
}

function podsAfter(before: readonly SnapshotPod[], { replaced, added }: Touched): readonly SnapshotPod[] {
  if (before.length === 0) return added;
  const pods: SnapshotPod[] = [];
  for (const pod of before) {
    const next = replaced.has(pod) ? replaced.get(pod) : pod;
    if (next !== undefined) pods.push(next);
  }
  return pods.concat(added);
}
