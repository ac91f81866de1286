import type { Action, DeletePod, SnapshotPod } from '../model/types.js';
import { oldDriverPods } from './driver-pod.js';
import type { DriverView, NodeView } from './driver-view.js';

/** The kubelet tries a mount again after up to two minutes; it gets this long to find the ready file by itself. */
const STUCK_MS = 15_000;

/** The value that the gate label of a node should have; undefined where it is not ours to set. */
export function gateValue(driver: DriverView, view: NodeView, state: string): 'true' | 'false' | undefined {
  if (driver.policy.gate?.kind !== 'label') return undefined;
  const label = view.node.labels[driver.policy.gate.label];
  if (view.driverPods.length === 0 && view.covering === undefined) {
    // The driver left, so pods no longer wait for it; the operator does the same without an OFED section. While a listed
    // DaemonSet is not applied, the node may still get a driver.
    return label === 'true' && driver.notApplied.size === 0 ? 'false' : undefined;
  }
  // What uses the driver goes before it is unloaded.
  if (state === 'pod-restart-required' && oldDriverPods(view).length > 0) return 'true';
  return loadedDriver(driver, view) === undefined ? 'true' : 'false';
}

interface Loaded {
  readonly startedMs: number;
  readonly readyMs: number;
}

/** Since when the driver container of a node runs and its pod is ready; undefined while none is ready. */
function loadedDriver(driver: DriverView, view: NodeView): Loaded | undefined {
  for (const { pod } of view.driverPods) {
    if (pod.deletionMs !== undefined) continue;
    const container = pod.containers.find(({ name }) => name === driver.policy.containerName);
    if (container?.ready !== true) continue;
    const startedMs = container.startedMs ?? pod.createdMs;
    return { startedMs, readyMs: pod.readyChangedMs ?? startedMs };
  }
  return undefined;
}

/** What the gated pods of a node lack after its upgrade, in words: as many as before, Ready, and none older than the driver. */
export function gatedPodLack(driver: DriverView, view: NodeView, before: number): string | undefined {
  const loaded = loadedDriver(driver, view);
  if (loaded === undefined) return 'the driver is not loaded';
  const isFresh = ({ ready, deletionMs, containers }: SnapshotPod): boolean =>
    ready &&
    deletionMs === undefined &&
    containers.every(({ startedMs }) => startedMs === undefined || startedMs >= loaded.startedMs);
  const stale = view.gatedPods.find((pod) => !isFresh(pod));
  if (stale !== undefined) return `pod ${stale.namespace}/${stale.name}, which waits for the driver, is not ready`;
  const { length } = view.gatedPods;
  return length < before
    ? `${length} pods that wait for the driver are there, and ${before} were before its upgrade`
    : undefined;
}

interface GatedPods {
  readonly actions: readonly Action[];
  readonly wakeMs?: number;
}

const NO_GATED_PODS: GatedPods = { actions: [] };

/**
 * Deletes gated pods that have to be made again, and says when to decide again about those that may need it soon. Without
 * either, time alone changes nothing.
 */
export function gatedPodActions(driver: DriverView, view: NodeView, nowMs: number): GatedPods {
  if (view.gatedPods.length === 0) return NO_GATED_PODS;
  const loaded = loadedDriver(driver, view);
  // On a node whose kubelet does not report no pod ends. A pod that no DaemonSet makes again stays whatever its age.
  if (loaded === undefined || view.node.ready === 'Unknown') return NO_GATED_PODS;
  const actions: DeletePod[] = [];
  let wakeMs: number | undefined;
  for (const pod of view.gatedPods) {
    if (pod.deletionMs !== undefined || pod.controller?.kind !== 'DaemonSet') continue;
    if (pod.containers.some(({ startedMs }) => startedMs !== undefined && startedMs < loaded.startedMs)) {
      actions.push(deletion(driver, pod, 'gated-pod-stale'));
    } else if (driver.policy.gate?.kind === 'ready-file' && waitsForMount(pod) && pod.createdMs < loaded.readyMs) {
      const stuckMs = loaded.readyMs + STUCK_MS;
      if (nowMs >= stuckMs) actions.push(deletion(driver, pod, 'gated-pod-stuck'));
      else wakeMs = stuckMs;
    }
  }
  return wakeMs === undefined ? { actions } : { actions, wakeMs };
}

/** Nothing in it ever ran: the kubelet is still at its volumes (or at its images, which no pod loses by a new start). */
function waitsForMount(pod: SnapshotPod): boolean {
  return (
    pod.phase === 'Pending' &&
    [...pod.initContainers, ...pod.containers].every(
      ({ startedMs, ready, restarts, waitingReason }) =>
        startedMs === undefined &&
        !ready &&
        restarts === 0 &&
        (waitingReason === undefined || waitingReason === 'ContainerCreating' || waitingReason === 'PodInitializing'),
    )
  );
}

function deletion(driver: DriverView, pod: SnapshotPod, reason: DeletePod['reason']): DeletePod {
  const { namespace, name, uid, nodeName } = pod;
  return { kind: 'deletePod', driver: driver.policy.labelPrefix, node: nodeName, namespace, name, uid, reason };
}
