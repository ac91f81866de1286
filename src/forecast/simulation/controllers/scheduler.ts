import { OFED_DRIVER_LABEL } from '../../../shared/contract/labels.js';
import { once } from '../../../shared/lib/memo.js';
import type { SnapshotPod } from '../../../companion/model/types.js';
import { GPU_DRIVER_LABEL, type SimulatedCluster } from '../simulated-cluster.js';
import { keyOf, type StoredNode, type StoredPod } from '../store.js';
import { misfitOf, needsEveryNode } from './fit.js';
import { createNodeUsage, type NodeUsage } from './node-usage.js';
import { workQueue } from './work-queue.js';

interface Scheduler {
  readonly cluster: SimulatedCluster;
  readonly usage: NodeUsage;
  /** Nodes that would take a pod if they had no others, by the UIDs of pods that no node took: these are tried again where something changed. */
  readonly refused: Map<string, Set<string>>;
}

/** The scheduler: it binds pods to nodes that they fit. */
export function startScheduler(cluster: SimulatedCluster): void {
  const { nodes, pods } = cluster.store;
  const scheduler: Scheduler = { cluster, usage: createNodeUsage(cluster.store), refused: new Map() };
  const add = workQueue(cluster, (changed) => bindPods(scheduler, changed));
  nodes.listen(add);
  pods.listen((_key, before, after) => {
    if (before !== undefined) add(before.nodeName);
    if (after !== undefined) add(after.nodeName);
    if (before !== undefined && after === undefined) scheduler.refused.delete(before.uid);
  });
  for (const { name } of nodes.values()) add(name);
}

function bindPods(scheduler: Scheduler, changed: ReadonlySet<string>): void {
  const { cluster, refused } = scheduler;
  const { podsOn } = cluster.store;
  // Those that were tried before come last: they would fail again.
  const waiting = [...podsOn('')];
  const nodes = once(() => [...cluster.store.nodes.values()]);
  const changedNodes = once(() => [...changed].flatMap((name) => cluster.store.nodes.get(name) ?? []));
  for (const pod of [
    ...waiting.filter(({ uid }) => !refused.has(uid)),
    ...waiting.filter(({ uid }) => refused.has(uid)),
  ]) {
    const known = needsEveryNode(pod) ? undefined : refused.get(pod.uid);
    const emptyNodes = known ?? new Set<string>();
    const nodeName =
      pod.lifecycle.targetNode === undefined
        ? placeFor(scheduler, pod, known === undefined ? nodes() : changedNodes(), emptyNodes)
        : ownNode(cluster, pod);
    if (nodeName === undefined) {
      refused.set(pod.uid, emptyNodes);
      const fitsEmptyNodes = pod.lifecycle.targetNode === undefined ? emptyNodes.size : undefined;
      if (!pod.unschedulable || pod.fitsEmptyNodes !== fitsEmptyNodes)
        cluster.store.pods.put(keyOf(pod), { ...pod, unschedulable: true, fitsEmptyNodes }, 'controller');
      continue;
    }
    refused.delete(pod.uid);
    bind(cluster, pod, nodeName);
  }
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
  { cluster, usage }: Scheduler,
  pod: StoredPod,
  nodes: readonly StoredNode[],
  emptyNodes: Set<string>,
): string | undefined {
  const { store, conditions, chance } = cluster;
  if (nodes.length === 0) return undefined;
  const misfit = misfitOf(store, usage, pod, conditions.podCapacity);
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
