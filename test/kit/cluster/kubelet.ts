import type { ContainerState } from '../../../src/upgrade/model/types.js';
import { driverKeys } from '../../../src/contract/labels.js';
import { patchNode } from './api.js';
import { keyOf, type StoredPod } from './store.js';
import { brokenOn, type SimulatedCluster } from './simulated-cluster.js';

const CRASH_EVERY_MS = 15_000;

/** All kubelets. A kubelet syncs after a change of its pods, and when a step of a pod is due. */
export function startKubelets(cluster: SimulatedCluster): void {
  let dueMs = Infinity;
  const wake = (atMs: number): void => {
    if (atMs >= dueMs || atMs === Infinity) return;
    dueMs = atMs;
    cluster.events.at(atMs, () => {
      if (dueMs !== atMs) return;
      dueMs = Infinity;
      wake(syncPods(cluster));
    });
  };
  cluster.store.pods.listen((_key, _before, after) => {
    if (after !== undefined && after.nodeName !== '') wake(cluster.events.now() + 50);
  });
  // An allowed safe load, a node that reports again and a ready driver change nodes or pods.
  cluster.store.nodes.listen(() => wake(cluster.events.now() + 50));
}

/** Syncs the pods that are due, and returns when the next one is. */
function syncPods(cluster: SimulatedCluster): number {
  const now = cluster.events.now();
  let nextMs = Infinity;
  for (const pod of [...cluster.store.pods.values()]) {
    if (pod.nodeName === '') continue;
    const node = cluster.store.nodes.get(pod.nodeName);
    if (node === undefined) {
      // The pod garbage collector of the controller manager deletes pods of deleted nodes.
      cluster.store.pods.remove(keyOf(pod), 'controller');
      continue;
    }
    if (cluster.unreachableNodes.has(pod.nodeName)) continue;
    const again = cluster.retryMs.get(pod.uid);
    if (again !== undefined && again > now && pod.deletionMs === undefined) {
      nextMs = Math.min(nextMs, again);
      continue;
    }
    const after = syncPod(cluster, pod, now);
    if (after === undefined) cluster.store.pods.remove(keyOf(pod), 'kubelet');
    else if (after !== pod) cluster.store.pods.put(keyOf(pod), after, 'kubelet');
    if (after === undefined) {
      cluster.retryMs.delete(pod.uid);
      continue;
    }
    const { startMs, readyMs, finishMs, goneMs } = after.lifecycle;
    for (const atMs of [startMs, readyMs, finishMs, goneMs, cluster.retryMs.get(pod.uid) ?? Infinity])
      if (atMs > now) nextMs = Math.min(nextMs, atMs);
  }
  return nextMs;
}

/** The pod's next state; undefined if it is deleted, the same object if nothing changes. */
function syncPod(cluster: SimulatedCluster, pod: StoredPod, now: number): StoredPod | undefined {
  const { lifecycle } = pod;
  if (lifecycle.goneMs <= now) {
    if (pod.finalizers.length === 0) return undefined;
    // The controller that set the finalizer removes it after a while, if ever.
    const isEndless = pod.finalizers.includes('example.com/endless');
    cluster.events.after(isEndless ? Infinity : 20_000, () => dropFinalizers(cluster, keyOf(pod), pod.uid));
    return { ...pod, ready: false, lifecycle: { ...lifecycle, goneMs: Infinity } };
  }
  if (pod.deletionMs !== undefined || pod.phase === 'Succeeded' || pod.phase === 'Failed') return pod;
  if (pod.phase === 'Pending') return lifecycle.startMs <= now ? start(cluster, pod, now) : pod;
  if (lifecycle.finishMs <= now) return finish(cluster, pod);
  if (pod.lifecycle.kind === 'driver' && lifecycle.readyMs <= now && !pod.ready) return loadDriver(cluster, pod, now);
  if (!pod.ready && lifecycle.readyMs <= now) return becomeReady(pod, now);
  return pod;
}

function dropFinalizers(cluster: SimulatedCluster, key: string, uid: string): void {
  const pod = cluster.store.pods.get(key);
  if (pod?.uid === uid) cluster.store.pods.remove(key, 'kubelet');
}

function finish(cluster: SimulatedCluster, pod: StoredPod): StoredPod {
  const workload = cluster.workloads.find(({ name }) => name === pod.lifecycle.owner);
  if (workload !== undefined) workload.replicas = Math.max(0, workload.replicas - 1);
  return { ...pod, phase: 'Succeeded', ready: false, lifecycle: { ...pod.lifecycle, finishMs: Infinity } };
}

function start(cluster: SimulatedCluster, pod: StoredPod, now: number): StoredPod {
  if (pod.lifecycle.kind === 'driver') return startDriver(cluster, pod, now);
  if (pod.lifecycle.kind === 'gated' && !driverIsLoaded(cluster, pod.nodeName)) return waitForMount(cluster, pod, now);
  const readyMs = now + cluster.chance.kubelet.int(100, 5000);
  return { ...running(pod, now), lifecycle: { ...pod.lifecycle, readyMs } };
}

function running(pod: StoredPod, now: number): StoredPod {
  return { ...pod, phase: 'Running', readyChangedMs: now, containers: [containerOf(pod, { startedMs: now })] };
}

function containerOf(pod: StoredPod, state: Partial<ContainerState>): ContainerState {
  const name = pod.lifecycle.kind === 'driver' ? driverContainer(pod) : 'main';
  return { name, ready: false, restarts: 0, ...state };
}

const driverContainer = (pod: StoredPod): string =>
  'nvidia.com/gpu-driver' in pod.labels ? 'nvidia-driver-ctr' : 'mofed-container';

/** The kubelet retries a missing hostPath with a growing delay, up to two minutes. */
function waitForMount(cluster: SimulatedCluster, pod: StoredPod, now: number): StoredPod {
  const waited = now - pod.createdMs;
  cluster.retryMs.set(pod.uid, now + Math.min(120_000, Math.max(1000, waited)));
  return waitingFor(pod, 'ContainerCreating');
}

/** The same object if the pod already waits for this, so that it is not written. */
function waitingFor(pod: StoredPod, waitingReason: string): StoredPod {
  if (pod.containers[0]?.waitingReason === waitingReason) return pod;
  return { ...pod, containers: [containerOf(pod, { waitingReason })] };
}

function driverIsLoaded(cluster: SimulatedCluster, nodeName: string): boolean {
  for (const pod of cluster.store.pods.values()) {
    if (pod.nodeName === nodeName && 'nvidia.com/ofed-driver' in pod.labels && pod.ready) return true;
  }
  return false;
}

const prefixOf = (pod: StoredPod): string => ('nvidia.com/gpu-driver' in pod.labels ? 'gpu' : 'ofed');

/** The init container requests a safe load and waits until the annotation is removed; then the driver container starts. */
function startDriver(cluster: SimulatedCluster, pod: StoredPod, now: number): StoredPod {
  if (brokenOn(cluster, pod.lifecycle.digest ?? '', pod.nodeName) === 'image') {
    cluster.retryMs.set(pod.uid, now + 20_000);
    return waitingFor(pod, 'ImagePullBackOff');
  }
  const init = pod.initContainers[0];
  const key = driverKeys(prefixOf(pod)).safeLoad;
  const node = cluster.store.nodes.get(pod.nodeName);
  if (cluster.safeLoad && init === undefined && prefixOf(pod) === 'ofed') {
    patchNode(cluster, pod.nodeName, { annotations: { [key]: 'true' } }, 'kubelet');
    const waiting = { name: 'mofed-init', ready: false, restarts: 0, startedMs: now };
    return { ...pod, initContainers: [waiting], readyChangedMs: now };
  }
  if (init !== undefined && node?.annotations[key] !== undefined) {
    cluster.retryMs.set(pod.uid, now + 1000);
    return pod;
  }
  const readyMs =
    now + Math.min(loadMsOf(cluster, pod) ?? cluster.chance.kubelet.int(2000, 20_000), startupMsOf(cluster, pod));
  const initContainers = init === undefined ? [] : [{ name: init.name, ready: true, restarts: 0 }];
  return { ...running(pod, now), initContainers, lifecycle: { ...pod.lifecycle, readyMs } };
}

/** How long a slow driver takes; undefined for others. */
function loadMsOf({ loadMs }: SimulatedCluster, { nodeName, lifecycle: { digest = '' } }: StoredPod) {
  return loadMs.get(`${digest}/${nodeName}`) ?? loadMs.get(digest);
}

/** When the kubelet restarts a driver that is not ready yet. */
function startupMsOf({ store }: SimulatedCluster, { controller }: StoredPod): number {
  const set = [...store.daemonSets.values()].find(({ uid }) => uid === controller?.uid);
  return (set?.startupSeconds ?? Infinity) * 1000;
}

function loadDriver(cluster: SimulatedCluster, pod: StoredPod, now: number): StoredPod {
  const startupMs = startupMsOf(cluster, pod);
  if ((loadMsOf(cluster, pod) ?? 0) > startupMs) {
    const containers = [containerOf(pod, { restarts: (pod.containers[0]?.restarts ?? 0) + 1, startedMs: now })];
    return { ...pod, containers, lifecycle: { ...pod.lifecycle, readyMs: now + startupMs } };
  }
  if (brokenOn(cluster, pod.lifecycle.digest ?? '', pod.nodeName) !== 'crash') return becomeReady(pod, now);
  cluster.retryMs.set(pod.uid, now + CRASH_EVERY_MS);
  const restarts = (pod.containers[0]?.restarts ?? 0) + 1;
  const containers = [containerOf(pod, { restarts, waitingReason: 'CrashLoopBackOff' })];
  // After enough crashes for every observer the pod gets no more updates.
  return restarts > 15 ? pod : { ...pod, containers, lifecycle: { ...pod.lifecycle, readyMs: now + CRASH_EVERY_MS } };
}

function becomeReady(pod: StoredPod, now: number): StoredPod {
  const before = pod.containers[0];
  const startedMs = before?.startedMs ?? now;
  const containers = [containerOf(pod, { ready: true, startedMs, restarts: before?.restarts ?? 0 })];
  return { ...pod, ready: true, readyChangedMs: now, containers };
}

/** The node boots: all its pods start again, with their init containers. */
export function reboot(cluster: SimulatedCluster, nodeName: string): void {
  const now = cluster.events.now();
  const node = cluster.store.nodes.get(nodeName);
  if (node === undefined) return;
  cluster.store.nodes.put(nodeName, { ...node, boots: node.boots + 1 }, 'kubelet');
  for (const [key, pod] of [...cluster.store.pods.entries()]) {
    if (pod.nodeName !== nodeName || pod.phase !== 'Running' || pod.deletionMs !== undefined) continue;
    const restarts = (pod.containers[0]?.restarts ?? 0) + 1;
    const lifecycle = { ...pod.lifecycle, startMs: now + cluster.chance.kubelet.int(500, 5000), readyMs: Infinity };
    const containers = [containerOf(pod, { restarts })];
    const down: StoredPod = {
      ...pod,
      phase: 'Pending',
      ready: false,
      readyChangedMs: now,
      containers,
      initContainers: [],
    };
    cluster.store.pods.put(key, { ...down, lifecycle }, 'kubelet');
  }
}

/** The kubelet stops reporting, or reports again. */
export function setUnreachable(cluster: SimulatedCluster, nodeName: string, unreachable: boolean): void {
  const node = cluster.store.nodes.get(nodeName);
  if (node === undefined || cluster.unreachableNodes.has(nodeName) === unreachable) return;
  if (unreachable) cluster.unreachableNodes.add(nodeName);
  else cluster.unreachableNodes.delete(nodeName);
  cluster.store.nodes.put(nodeName, { ...node, ready: unreachable ? 'Unknown' : 'True' }, 'kubelet');
}
