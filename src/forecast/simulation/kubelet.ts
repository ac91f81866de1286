import type { ContainerState } from '../../companion/model/types.js';
import { isFinished } from '../../companion/model/pod.js';
import {
  driverKeys,
  OFED_DRIVER_CONTAINER,
  OFED_DRIVER_LABEL,
  OFED_GATE_LABEL,
  OFED_WAIT_CONTAINER,
} from '../../shared/contract/labels.js';
import { patchNode } from './api.js';
import { keyOf, type StoredPod } from './store.js';
import { brokenOn, drawn, GPU_DRIVER_LABEL, type SimulatedCluster } from './simulated-cluster.js';

const CRASH_EVERY_MS = 15_000;
/** Finalizers that their controllers remove: the Job controller counts a pod first. Nobody may remove others. */
const REMOVED_FINALIZERS = ['batch.kubernetes.io/job-tracking', 'example.com/slow'];
/** From the last status of a deleted pod until it is removed. */
const REMOVED_AFTER_MS = 100;

/** All kubelets. A kubelet syncs the pods that changed, or whose node changed, and those of which a step is due. */
export function startKubelets(cluster: SimulatedCluster): void {
  const { store, events } = cluster;
  const changed = new Set<string>();
  /** When pods are synced next although nothing changes. */
  const steps = new Map<string, number>();
  let isDue = false;
  const sync = (): void => {
    isDue = false;
    const keys = [...changed];
    changed.clear();
    for (const key of keys) {
      const atMs = syncOnce(cluster, key);
      if (atMs !== undefined) syncAt(key, atMs);
    }
  };
  const syncAt = (key: string, atMs: number): void => {
    if (steps.get(key) === atMs) return;
    steps.set(key, atMs);
    events.at(atMs, () => {
      steps.delete(key);
      changed.add(key);
      if (!isDue) sync();
    });
  };
  const add = (key: string): void => {
    changed.add(key);
    if (isDue) return;
    isDue = true;
    events.after(SYNC_MS, sync);
  };
  // Only the look after a change is simulated: a pod may wait for months.
  const look = (pods: Iterable<StoredPod>): void => {
    if (cluster.lookedMs.size === 0) return;
    for (const pod of pods) {
      const lookedMs = cluster.lookedMs.get(pod.uid);
      if (lookedMs === undefined) continue;
      const nextMs = nextLookMs(lookedMs, events.now());
      cluster.lookedMs.delete(pod.uid);
      cluster.retryMs.set(pod.uid, nextMs);
      syncAt(keyOf(pod), nextMs);
    }
  };
  store.pods.listen((key, before, after) => {
    if (after !== undefined && after.nodeName !== '') add(key);
    if (after === undefined && before !== undefined) cluster.lookedMs.delete(before.uid);
    if (after?.ready === true && OFED_DRIVER_LABEL in after.labels) look(store.podsOn(after.nodeName));
  });
  store.nodes.listen((name, before, after) => {
    look(store.podsOn(name));
    if (before !== undefined && after !== undefined && before.ready === after.ready) return;
    for (const pod of store.podsOn(name)) add(keyOf(pod));
  });
  store.daemonSets.listen(() => look(store.pods.values()));
  for (const [key, { nodeName }] of store.pods.entries()) if (nodeName !== '') add(key);
}

const SYNC_MS = 50;
/** How often an init container looks for what it waits for. */
const LOOK_MS = 1000;

function nextLookMs(lookedMs: number, now: number): number {
  return lookedMs + LOOK_MS * Math.max(1, Math.ceil((now - lookedMs) / LOOK_MS));
}

/** Syncs a pod, and returns when its next step is due; undefined: only after a change. */
function syncOnce(cluster: SimulatedCluster, key: string): number | undefined {
  const now = cluster.events.now();
  const pod = cluster.store.pods.get(key);
  if (pod === undefined || pod.nodeName === '') return undefined;
  if (cluster.store.nodes.get(pod.nodeName) === undefined) {
    // The pod garbage collector of the controller manager deletes pods of deleted nodes.
    cluster.store.pods.remove(key, 'controller');
    return undefined;
  }
  if (cluster.unreachableNodes.has(pod.nodeName)) return undefined;
  const again = cluster.retryMs.get(pod.uid);
  if (again !== undefined && again > now && pod.deletionMs === undefined) return again;
  if (cluster.lookedMs.has(pod.uid) && pod.deletionMs === undefined) return undefined;
  const after = syncPod(cluster, pod, now);
  if (after === undefined) {
    cluster.store.pods.remove(key, 'kubelet');
    cluster.retryMs.delete(pod.uid);
    return undefined;
  }
  if (after !== pod) cluster.store.pods.put(key, after, 'kubelet');
  const { startMs, readyMs, finishMs, goneMs } = after.lifecycle;
  const steps = [startMs, readyMs, finishMs, goneMs, cluster.retryMs.get(pod.uid) ?? Infinity];
  const nextMs = Math.min(...steps.filter((atMs) => atMs > now));
  return nextMs === Infinity ? undefined : nextMs;
}

/** The pod's next state; undefined if it is deleted, the same object if nothing changes. */
function syncPod(cluster: SimulatedCluster, pod: StoredPod, now: number): StoredPod | undefined {
  const { lifecycle } = pod;
  if (lifecycle.goneMs <= now) {
    if (!isFinished(pod)) return end(pod, now);
    if (pod.finalizers.length === 0) return undefined;
    // The controller that set the finalizer removes it after a while, if ever.
    const isEndless = pod.finalizers.some((name) => !REMOVED_FINALIZERS.includes(name));
    cluster.events.after(isEndless ? Infinity : 20_000, () => dropFinalizers(cluster, keyOf(pod), pod.uid));
    return { ...pod, lifecycle: { ...lifecycle, goneMs: Infinity } };
  }
  if (pod.deletionMs !== undefined || pod.phase === 'Succeeded' || pod.phase === 'Failed') return pod;
  if (pod.phase === 'Pending') return lifecycle.startMs <= now ? start(cluster, pod, now) : pod;
  if (lifecycle.finishMs <= now) return finish(cluster, pod);
  if (pod.lifecycle.kind === 'driver' && lifecycle.readyMs <= now && !pod.ready) return loadDriver(cluster, pod, now);
  if (!pod.ready && lifecycle.readyMs <= now) return becomeReady(pod, now);
  return pod;
}

/** A kubelet writes that the containers of a deleted pod have ended, and then removes the pod. */
function end(pod: StoredPod, now: number): StoredPod {
  // A driver ends by itself, other programs by SIGTERM.
  const phase = pod.lifecycle.kind === 'driver' ? 'Succeeded' : 'Failed';
  return { ...pod, phase, ready: false, lifecycle: { ...pod.lifecycle, goneMs: now + REMOVED_AFTER_MS } };
}

function dropFinalizers(cluster: SimulatedCluster, key: string, uid: string): void {
  const pod = cluster.store.pods.get(key);
  if (pod?.uid === uid) cluster.store.pods.remove(key, 'kubelet');
}

function finish(cluster: SimulatedCluster, pod: StoredPod): StoredPod {
  const workload = cluster.workloadOf(pod.controller?.uid ?? '');
  if (workload !== undefined) workload.replicas = Math.max(0, workload.replicas - 1);
  return { ...pod, phase: 'Succeeded', ready: false, lifecycle: { ...pod.lifecycle, finishMs: Infinity } };
}

function start(cluster: SimulatedCluster, pod: StoredPod, now: number): StoredPod {
  if (pod.lifecycle.kind === 'driver') return startDriver(cluster, pod, now);
  if (pod.lifecycle.kind === 'gated' && waitsForFile(cluster, pod)) return waitForDriver(cluster, pod, now);
  const readyMs = now + startMsOf(cluster);
  return { ...running(pod, now), lifecycle: { ...pod.lifecycle, readyMs } };
}

/** How long a pod that is no driver takes to be Ready. */
function startMsOf(cluster: SimulatedCluster): number {
  return drawn(cluster, cluster.conditions.durations?.workload, [100, 5000]);
}

function running(pod: StoredPod, now: number): StoredPod {
  return { ...pod, phase: 'Running', readyChangedMs: now, containers: [containerOf(pod, { startedMs: now })] };
}

function containerOf(pod: StoredPod, state: Partial<ContainerState>): ContainerState {
  const name = pod.lifecycle.kind === 'driver' ? driverContainer(pod) : 'main';
  return { name, ready: false, restarts: 0, ...state };
}

const driverContainer = (pod: StoredPod): string =>
  GPU_DRIVER_LABEL in pod.labels ? 'nvidia-driver-ctr' : OFED_DRIVER_CONTAINER;

/** With the gate label the kubelet starts a pod that is on the node, whether or not the driver is loaded. */
function waitsForFile({ store }: SimulatedCluster, { controller }: StoredPod): boolean {
  const set = [...store.daemonSets.values()].find(({ uid }) => uid === controller?.uid);
  return set !== undefined && set.nodeSelector[OFED_GATE_LABEL] === undefined;
}

/** The init container looks for the driver's file every second. Later starts of the main container do not repeat it. */
function waitForDriver(cluster: SimulatedCluster, pod: StoredPod, now: number): StoredPod {
  const wait = { name: OFED_WAIT_CONTAINER, restarts: 0 };
  if (driverIsLoaded(cluster, pod.nodeName)) {
    const readyMs = now + startMsOf(cluster);
    const initContainers = [{ ...wait, ready: true, finishedMs: now }];
    return { ...running(pod, now), initContainers, lifecycle: { ...pod.lifecycle, readyMs } };
  }
  cluster.lookedMs.set(pod.uid, now);
  if (pod.initContainers.length > 0) return pod;
  return { ...waitingFor(pod, 'PodInitializing'), initContainers: [{ ...wait, ready: false, startedMs: now }] };
}

/** Devices go with the old driver: a device plugin may exit while the next one loads, and its container starts again. */
function crashGatedPods(cluster: SimulatedCluster, nodeName: string, now: number): void {
  for (const pod of cluster.store.podsOn(nodeName)) {
    if (pod.lifecycle.kind !== 'gated' || pod.phase !== 'Running') continue;
    if (pod.deletionMs !== undefined || !cluster.chance.kubelet.chance(0.3)) continue;
    const restarts = (pod.containers[0]?.restarts ?? 0) + 1;
    const containers = [containerOf(pod, { ready: true, restarts, startedMs: now })];
    cluster.store.pods.put(keyOf(pod), { ...pod, containers }, 'kubelet');
  }
}

/** The same object if the pod already waits for this, so that it is not written. */
function waitingFor(pod: StoredPod, waitingReason: string): StoredPod {
  if (pod.containers[0]?.waitingReason === waitingReason) return pod;
  return { ...pod, containers: [containerOf(pod, { waitingReason })] };
}

function driverIsLoaded(cluster: SimulatedCluster, nodeName: string): boolean {
  return [...cluster.store.podsOn(nodeName)].some(({ labels, ready }) => OFED_DRIVER_LABEL in labels && ready);
}

const prefixOf = (pod: StoredPod): string => (GPU_DRIVER_LABEL in pod.labels ? 'gpu' : 'ofed');

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
    cluster.lookedMs.set(pod.uid, now);
    return pod;
  }
  const readyMs =
    now +
    Math.min(
      loadMsOf(cluster, pod) ?? drawn(cluster, cluster.conditions.durations?.driver, [2000, 20_000]),
      startupMsOf(cluster, pod),
    );
  const initContainers = init === undefined ? [] : [{ name: init.name, ready: true, restarts: 0, finishedMs: now }];
  if (prefixOf(pod) === 'ofed') cluster.events.after(1000, () => crashGatedPods(cluster, pod.nodeName, now + 1000));
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
  for (const pod of cluster.store.podsOn(nodeName)) {
    if (pod.phase !== 'Running' || pod.deletionMs !== undefined) continue;
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
    cluster.store.pods.put(keyOf(pod), { ...down, lifecycle }, 'kubelet');
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
