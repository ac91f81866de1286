import type { ContainerState } from '../../../src/upgrade/model/types.js';
import { driverKeys } from '../../../src/contract/labels.js';
import { patchNode } from './api.js';
import { keyOf, type FakePod } from './store.js';
import { brokenOn, type World } from './world.js';

const CRASH_EVERY_MS = 15_000;

/** All kubelets: they look when a pod of theirs changed and when something falls due. */
export function startKubelets(world: World): void {
  let dueMs = Infinity;
  const wake = (atMs: number): void => {
    if (atMs >= dueMs || atMs === Infinity) return;
    dueMs = atMs;
    world.events.at(atMs, () => {
      if (dueMs !== atMs) return;
      dueMs = Infinity;
      wake(lookAtPods(world));
    });
  };
  world.store.pods.listen((_key, _before, after) => {
    if (after !== undefined && after.nodeName !== '') wake(world.events.now() + 50);
  });
  // A safe load that is allowed, a node that came back, a driver that is ready: all show on nodes or pods.
  world.store.nodes.listen(() => wake(world.events.now() + 50));
}

/** Does what is due, and says when it must look again. */
function lookAtPods(world: World): number {
  const now = world.events.now();
  let nextMs = Infinity;
  for (const pod of [...world.store.pods.values()]) {
    if (pod.nodeName === '') continue;
    const node = world.store.nodes.get(pod.nodeName);
    if (node === undefined) {
      // The pod garbage collector of the controller manager ends pods of nodes that are gone.
      world.store.pods.remove(keyOf(pod), 'controller');
      continue;
    }
    if (world.silentNodes.has(pod.nodeName)) continue;
    const again = world.retryMs.get(pod.uid);
    if (again !== undefined && again > now && pod.deletionMs === undefined) {
      nextMs = Math.min(nextMs, again);
      continue;
    }
    const after = live(world, pod, now);
    if (after === undefined) world.store.pods.remove(keyOf(pod), 'kubelet');
    else if (after !== pod) world.store.pods.put(keyOf(pod), after, 'kubelet');
    if (after === undefined) {
      world.retryMs.delete(pod.uid);
      continue;
    }
    const { startMs, readyMs, finishMs, goneMs } = after.fate;
    for (const atMs of [startMs, readyMs, finishMs, goneMs, world.retryMs.get(pod.uid) ?? Infinity])
      if (atMs > now) nextMs = Math.min(nextMs, atMs);
  }
  return nextMs;
}

/** The pod a moment later; undefined when it is gone, the same object when nothing happens. */
function live(world: World, pod: FakePod, now: number): FakePod | undefined {
  const { fate } = pod;
  if (fate.goneMs <= now) {
    if (pod.finalizers.length === 0) return undefined;
    // The controller that set the finalizer removes it after a while.
    world.events.after(20_000, () => dropFinalizers(world, keyOf(pod), pod.uid));
    return { ...pod, ready: false, fate: { ...fate, goneMs: Infinity } };
  }
  if (pod.deletionMs !== undefined || pod.phase === 'Succeeded' || pod.phase === 'Failed') return pod;
  if (pod.phase === 'Pending') return fate.startMs <= now ? start(world, pod, now) : pod;
  if (fate.finishMs <= now) return finish(world, pod);
  if (pod.fate.kind === 'driver' && fate.readyMs <= now && !pod.ready) return loadDriver(world, pod, now);
  if (!pod.ready && fate.readyMs <= now) return becomeReady(pod, now);
  return pod;
}

function dropFinalizers(world: World, key: string, uid: string): void {
  const pod = world.store.pods.get(key);
  if (pod?.uid === uid) world.store.pods.remove(key, 'kubelet');
}

function finish(world: World, pod: FakePod): FakePod {
  const workload = world.workloads.find(({ name }) => name === pod.fate.owner);
  if (workload !== undefined) workload.replicas = Math.max(0, workload.replicas - 1);
  return { ...pod, phase: 'Succeeded', ready: false, fate: { ...pod.fate, finishMs: Infinity } };
}

function start(world: World, pod: FakePod, now: number): FakePod {
  if (pod.fate.kind === 'driver') return startDriver(world, pod, now);
  if (pod.fate.kind === 'gated' && !driverIsLoaded(world, pod.nodeName)) return waitForMount(world, pod, now);
  const readyMs = now + world.chance.kubelet.int(100, 5000);
  return { ...running(pod, now), fate: { ...pod.fate, readyMs } };
}

function running(pod: FakePod, now: number): FakePod {
  return { ...pod, phase: 'Running', readyChangedMs: now, containers: [containerOf(pod, { startedMs: now })] };
}

function containerOf(pod: FakePod, state: Partial<ContainerState>): ContainerState {
  const name = pod.fate.kind === 'driver' ? driverContainer(pod) : 'main';
  return { name, ready: false, restarts: 0, ...state };
}

const driverContainer = (pod: FakePod): string =>
  'nvidia.com/gpu-driver' in pod.labels ? 'nvidia-driver-ctr' : 'mofed-container';

/** The kubelet tries a missing hostPath again ever later, up to two minutes. */
function waitForMount(world: World, pod: FakePod, now: number): FakePod {
  const waited = now - pod.createdMs;
  world.retryMs.set(pod.uid, now + Math.min(120_000, Math.max(1000, waited)));
  return waitingFor(pod, 'ContainerCreating');
}

/** The pod as it is when it already waits for this, so that nothing is written. */
function waitingFor(pod: FakePod, waitingReason: string): FakePod {
  if (pod.containers[0]?.waitingReason === waitingReason) return pod;
  return { ...pod, containers: [containerOf(pod, { waitingReason })] };
}

function driverIsLoaded(world: World, nodeName: string): boolean {
  for (const pod of world.store.pods.values()) {
    if (pod.nodeName === nodeName && 'nvidia.com/ofed-driver' in pod.labels && pod.ready) return true;
  }
  return false;
}

const prefixOf = (pod: FakePod): string => ('nvidia.com/gpu-driver' in pod.labels ? 'gpu' : 'ofed');

/** The init container asks for a safe load and waits until the annotation is gone; then the driver container starts. */
function startDriver(world: World, pod: FakePod, now: number): FakePod {
  if (brokenOn(world, pod.fate.digest ?? '', pod.nodeName) === 'image') {
    world.retryMs.set(pod.uid, now + 20_000);
    return waitingFor(pod, 'ImagePullBackOff');
  }
  const init = pod.initContainers[0];
  const key = driverKeys(prefixOf(pod)).safeLoad;
  const node = world.store.nodes.get(pod.nodeName);
  if (world.safeLoad && init === undefined && prefixOf(pod) === 'ofed') {
    patchNode(world, pod.nodeName, { annotations: { [key]: 'true' } }, 'kubelet');
    const waiting = { name: 'mofed-init', ready: false, restarts: 0, startedMs: now };
    return { ...pod, initContainers: [waiting], readyChangedMs: now };
  }
  if (init !== undefined && node?.annotations[key] !== undefined) {
    world.retryMs.set(pod.uid, now + 1000);
    return pod;
  }
  const readyMs = now + world.chance.kubelet.int(2000, 20_000);
  const initContainers = init === undefined ? [] : [{ name: init.name, ready: true, restarts: 0 }];
  return { ...running(pod, now), initContainers, fate: { ...pod.fate, readyMs } };
}

function loadDriver(world: World, pod: FakePod, now: number): FakePod {
  if (brokenOn(world, pod.fate.digest ?? '', pod.nodeName) !== 'crash') return becomeReady(pod, now);
  world.retryMs.set(pod.uid, now + CRASH_EVERY_MS);
  const restarts = (pod.containers[0]?.restarts ?? 0) + 1;
  const containers = [containerOf(pod, { restarts, waitingReason: 'CrashLoopBackOff' })];
  // A pod that crashed often enough for every observer to see it does so without more updates.
  return restarts > 15 ? pod : { ...pod, containers, fate: { ...pod.fate, readyMs: now + CRASH_EVERY_MS } };
}

function becomeReady(pod: FakePod, now: number): FakePod {
  const before = pod.containers[0];
  const startedMs = before?.startedMs ?? now;
  const containers = [containerOf(pod, { ready: true, startedMs, restarts: before?.restarts ?? 0 })];
  return { ...pod, ready: true, readyChangedMs: now, containers };
}

/** The node boots: every pod that stays on it starts again, from the init containers on. */
export function reboot(world: World, nodeName: string): void {
  const now = world.events.now();
  const node = world.store.nodes.get(nodeName);
  if (node === undefined) return;
  world.store.nodes.put(nodeName, { ...node, boots: node.boots + 1 }, 'kubelet');
  for (const [key, pod] of [...world.store.pods.entries()]) {
    if (pod.nodeName !== nodeName || pod.phase !== 'Running' || pod.deletionMs !== undefined) continue;
    const restarts = (pod.containers[0]?.restarts ?? 0) + 1;
    const fate = { ...pod.fate, startMs: now + world.chance.kubelet.int(500, 5000), readyMs: Infinity };
    const containers = [containerOf(pod, { restarts })];
    const down: FakePod = {
      ...pod,
      phase: 'Pending',
      ready: false,
      readyChangedMs: now,
      containers,
      initContainers: [],
    };
    world.store.pods.put(key, { ...down, fate }, 'kubelet');
  }
}

/** The kubelet stops reporting, or reports again. */
export function setSilent(world: World, nodeName: string, silent: boolean): void {
  const node = world.store.nodes.get(nodeName);
  if (node === undefined || world.silentNodes.has(nodeName) === silent) return;
  if (silent) world.silentNodes.add(nodeName);
  else world.silentNodes.delete(nodeName);
  world.store.nodes.put(nodeName, { ...node, ready: silent ? 'Unknown' : 'True' }, 'kubelet');
}
