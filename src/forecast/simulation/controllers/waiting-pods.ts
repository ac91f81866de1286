import { sha256 } from '../../../shared/lib/hash.js';
import type { LabelSelector } from '../../../shared/kubernetes/selection/label-selector.js';
import type { PodScheduling } from '../rules/scheduling.js';
import { keyOf, type Store, type StoredPod } from '../store.js';

/** Waiting pods that a node takes or refuses alike: where one of them fits nowhere, neither does another. */
export interface PodKind {
  readonly namespace: string;
  readonly key: string;
  /** By their keys, in the order in which they came. */
  readonly pods: Map<string, StoredPod>;
  /** Nodes that would take one if they had no other pods; undefined: none was tried yet. */
  emptyNodes: Set<string> | undefined;
}

/** The pods that no node has yet. */
export interface WaitingPods {
  /** @param isTried tells which namespaces are looked at */
  kinds(isTried?: (namespace: string) => boolean): Iterable<PodKind>;
  /** Undefined: the pod has a node, or one that is its own. */
  kindOf(pod: StoredPod): PodKind | undefined;
  /** Those that came since the last call, in their order. */
  takeNew(): readonly StoredPod[];
  /** Those of DaemonSets, each of which has a node of its own. */
  ofNodes(): Iterable<StoredPod>;
}

export function followWaitingPods({ pods }: Store): WaitingPods {
  const selected = new Set<string>();
  const namespaces = new Map<string, Map<string, PodKind>>();
  /** The kinds of pods, by their keys. */
  const kindOf = new Map<string, PodKind>();
  const ofNodes = new Map<string, StoredPod>();
  let added = new Map<string, StoredPod>();
  const join = (key: string, pod: StoredPod): void => {
    const { namespace } = pod;
    const kinds = namespaces.get(namespace) ?? new Map<string, PodKind>();
    const at = kindKey(pod, selected);
    const kind = kinds.get(at) ?? { namespace, key: at, pods: new Map<string, StoredPod>(), emptyNodes: undefined };
    namespaces.set(namespace, kinds);
    kinds.set(at, kind);
    kindOf.set(key, kind);
    kind.pods.set(key, pod);
  };
  const enter = (key: string, pod: StoredPod): void => {
    if (pod.lifecycle.targetNode !== undefined) {
      ofNodes.set(key, pod);
      return;
    }
    const kind = kindOf.get(key);
    if (kind === undefined || added.has(key)) added.set(key, pod);
    if (kind === undefined) join(key, pod);
    else kind.pods.set(key, pod);
  };
  const leave = (key: string): void => {
    const kind = kindOf.get(key);
    kind?.pods.delete(key);
    if (kind?.pods.size === 0) namespaces.get(kind.namespace)?.delete(kind.key);
    for (const table of [kindOf, ofNodes, added]) table.delete(key);
  };
  // Where other labels decide, pods that were alike may differ.
  const regroup = (): void => {
    const all = [...namespaces.values()].flatMap((kinds) => [...kinds.values()]).flatMap(({ pods: own }) => [...own]);
    namespaces.clear();
    for (const [key, pod] of all) join(key, pod);
  };
  for (const pod of pods.values()) addSelectedKeys(selected, pod);
  for (const [key, pod] of pods.entries()) if (pod.nodeName === '') enter(key, pod);
  pods.listen((key, before, after) => {
    if (before?.nodeName === '' && after?.nodeName !== '') leave(key);
    if (after === undefined) return;
    if (addSelectedKeys(selected, after)) regroup();
    if (after.nodeName === '') enter(key, after);
  });
  return {
    *kinds(isTried = () => true) {
      for (const [namespace, kinds] of namespaces) if (isTried(namespace)) yield* kinds.values();
    },
    kindOf: (pod) => kindOf.get(keyOf(pod)),
    takeNew: () => {
      const all = [...added.values()];
      added = new Map();
      return all;
    },
    ofNodes: () => ofNodes.values(),
  };
}

/** @param selected the keys of labels by which pods repel or count others: no other label matters to the scheduler */
function kindKey(pod: StoredPod, selected: ReadonlySet<string>): string {
  const { labels, scheduling, toleratesUnschedulable } = pod;
  const counted = Object.entries(labels).filter(([key]) => selected.has(key));
  const sorted = counted.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted, scheduling === undefined ? toleratesUnschedulable : digestOf(scheduling)]);
}

const digests = new WeakMap<PodScheduling, string>();

function digestOf(scheduling: PodScheduling): string {
  const known = digests.get(scheduling);
  if (known !== undefined) return known;
  const asData = (_key: string, value: unknown): unknown =>
    value instanceof Set ? [...(value as Set<string>)] : value;
  const digest = sha256(JSON.stringify(scheduling, asData));
  digests.set(scheduling, digest);
  return digest;
}

/** Adds the keys of the labels by which a pod's terms and constraints select pods; returns whether one is new. */
function addSelectedKeys(selected: Set<string>, { scheduling }: StoredPod): boolean {
  if (scheduling === undefined) return false;
  const before = selected.size;
  for (const { labelSelector } of [...scheduling.antiAffinity, ...scheduling.spread])
    for (const key of keysOf(labelSelector)) selected.add(key);
  return selected.size > before;
}

function keysOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): readonly string[] {
  return [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
}
