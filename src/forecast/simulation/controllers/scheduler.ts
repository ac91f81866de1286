import { OFED_DRIVER_LABEL } from '../../../shared/contract/labels.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { once } from '../../../shared/lib/memo.js';
import { isFinished } from '../../../companion/model/pod.js';
import type { SnapshotPod } from '../../../companion/model/types.js';
import { GPU_DRIVER_LABEL, type SimulatedCluster } from '../simulated-cluster.js';
import { keyOf, type StoredNode, type StoredPod } from '../store.js';
import { createFit, needsEveryNode, type Fit } from './fit.js';
import { followWaitingPods, type PodKind, type WaitingPods } from './waiting-pods.js';
import { workQueue } from './work-queue.js';

interface Scheduler {
  readonly cluster: SimulatedCluster;
  readonly fit: Fit;
  readonly waiting: WaitingPods;
}

/**
 * The scheduler: it binds pods to nodes that they fit. Of pods that ask for the same it tries one, and a kind that no node took again only on nodes
 * that changed so that they may take it: Kubernetes' scheduler has hints for that, and a tenant may have 20,000 pods that fit nowhere.
 */
export function startScheduler(cluster: SimulatedCluster): void {
  const { nodes, pods } = cluster.store;
  const scheduler: Scheduler = {
    cluster,
    fit: createFit(cluster, (namespace) => cluster.untriedNamespaces.add(namespace)),
    waiting: followWaitingPods(cluster.store),
  };
  const add = workQueue(cluster, (changed) => bindPods(scheduler, changed));
  nodes.listen((name, before, after) => {
    add(before === undefined || after === undefined || mayFitMore(before, after) ? name : NO_NODE);
  });
  pods.listen((_key, before, after) => {
    add(before !== undefined && (after === undefined || mayLeaveRoom(before, after)) ? before.nodeName : NO_NODE);
  });
  for (const { name } of nodes.values()) add(name);
}

const NO_NODE = '';

function mayFitMore(before: StoredNode, after: StoredNode): boolean {
  return (
    before.unschedulable !== after.unschedulable ||
    before.ready !== after.ready ||
    before.labels !== after.labels ||
    before.taints !== after.taints ||
    before.allocatable !== after.allocatable
  );
}

function mayLeaveRoom(before: StoredPod, after: StoredPod): boolean {
  return isFinished(before) !== isFinished(after) || before.deletionMs !== after.deletionMs;
}

/** What is the same for all pods that are tried at one moment. */
interface Attempt {
  readonly nodes: () => readonly StoredNode[];
  readonly changedNodes: () => readonly StoredNode[];
  /** Kinds that no node takes now. */
  readonly refused: Set<PodKind>;
}

function bindPods(scheduler: Scheduler, changed: ReadonlySet<string>): void {
  const { cluster, waiting, fit } = scheduler;
  const attempt: Attempt = {
    nodes: once(() => [...cluster.store.nodes.values()]),
    changedNodes: once(() => [...changed].flatMap((name) => cluster.store.nodes.get(name) ?? [])),
    refused: new Set(),
  };
  for (const pod of [...waiting.ofNodes()]) bindToOwnNode(cluster, pod);
  const added = waiting.takeNew();
  for (const pod of added) bindOne(scheduler, attempt, pod);
  // Those that were tried before come last: they would fail again.
  for (const kind of waiting.kinds((namespace) => fit.isTried(namespace))) {
    if (attempt.changedNodes().length === 0 && kind.emptyNodes !== undefined && !isForEveryNode(kind)) continue;
    for (const pod of kind.pods.values()) if (!bindOne(scheduler, attempt, pod)) break;
  }
  for (const pod of added) noteRefusal(cluster, pod, waiting.kindOf(pod));
  for (const [, kinds] of groupBy([...attempt.refused], ({ namespace }) => namespace)) noteRefusals(cluster, kinds);
}

function isForEveryNode({ pods }: PodKind): boolean {
  const [first] = pods.values();
  return first !== undefined && needsEveryNode(first);
}

/** Of a namespace, so many pods say how many nodes would take them if they had no pods; others say what was so when they came. */
const NOTED_MAX = 100;

function noteRefusals(cluster: SimulatedCluster, kinds: readonly PodKind[]): void {
  let count = 0;
  for (const kind of kinds)
    for (const pod of kind.pods.values()) {
      if (count >= NOTED_MAX) return;
      count += 1;
      noteRefusal(cluster, pod, kind);
    }
}

/** Whether a node takes it. */
function bindOne(scheduler: Scheduler, { nodes, changedNodes, refused }: Attempt, pod: StoredPod): boolean {
  const kind = scheduler.waiting.kindOf(pod);
  if (kind === undefined || refused.has(kind) || !scheduler.fit.isTried(pod.namespace)) return false;
  const known = needsEveryNode(pod) ? undefined : kind.emptyNodes;
  const emptyNodes = known ?? new Set<string>();
  const nodeName = placeFor(scheduler, pod, known === undefined ? nodes() : changedNodes(), emptyNodes);
  if (nodeName !== undefined) {
    bind(scheduler.cluster, pod, nodeName);
    return true;
  }
  kind.emptyNodes = emptyNodes;
  refused.add(kind);
  return false;
}

function noteRefusal({ store }: SimulatedCluster, pod: StoredPod, kind: PodKind | undefined): void {
  const current = kind?.pods.get(keyOf(pod));
  const fitsEmptyNodes = kind?.emptyNodes?.size;
  if (current === undefined || (current.unschedulable && current.fitsEmptyNodes === fitsEmptyNodes)) return;
  store.pods.put(keyOf(pod), { ...current, unschedulable: true, fitsEmptyNodes }, 'controller');
}

function bindToOwnNode(cluster: SimulatedCluster, pod: StoredPod): void {
  const nodeName = ownNode(cluster, pod);
  if (nodeName !== undefined) bind(cluster, pod, nodeName);
  else if (!pod.unschedulable) cluster.store.pods.put(keyOf(pod), { ...pod, unschedulable: true }, 'controller');
}

function bind({ store, events, chance, conditions }: SimulatedCluster, pod: StoredPod, nodeName: string): void {
  const now = events.now();
  const startMs = now + (conditions.durations?.kubeletMs ?? chance.kubelet.int(100, 3000));
  const lifecycle = { ...pod.lifecycle, startMs, finishMs: now + pod.lifecycle.finishMs };
  store.pods.put(
    keyOf(pod),
    { ...pod, fitsEmptyNodes: undefined, nodeName, unschedulable: false, lifecycle },
    'controller',
  );
}

/**
 * The first node that takes the pod, from a random one on. Kubernetes' scheduler takes the one with the highest score of those that it
 * looked at, which begin at another node each time.
 *
 * @param emptyNodes gets those of the nodes that would take it if they had no other pods
 */
function placeFor(
  { cluster, fit }: Scheduler,
  pod: StoredPod,
  nodes: readonly StoredNode[],
  emptyNodes: Set<string>,
): string | undefined {
  const { chance } = cluster;
  if (nodes.length === 0) return undefined;
  const misfit = fit.misfitOf(pod);
  const start = chance.controllers.int(0, nodes.length - 1);
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[(start + index) % nodes.length];
    if (node === undefined) continue;
    const found = misfit(node);
    if (found === undefined) return node.name;
    if (found.isOfNode) emptyNodes.delete(node.name);
    else emptyNodes.add(node.name);
  }
  return undefined;
}

/** A driver pod is not bound to a node that has another driver pod: pod anti-affinity. */
function ownNode(cluster: SimulatedCluster, pod: StoredPod): string | undefined {
  const { targetNode } = pod.lifecycle;
  if (targetNode === undefined || cluster.store.nodes.get(targetNode) === undefined) return undefined;
  if (pod.lifecycle.kind !== 'driver') return targetNode;
  const isTaken = [...cluster.store.podsOn(targetNode)].some(
    (other) => other.lifecycle.kind === 'driver' && sameDriver(other, pod),
  );
  return isTaken ? undefined : targetNode;
}

function sameDriver(a: SnapshotPod, b: SnapshotPod): boolean {
  return [OFED_DRIVER_LABEL, GPU_DRIVER_LABEL].some((label) => label in a.labels && label in b.labels);
}
