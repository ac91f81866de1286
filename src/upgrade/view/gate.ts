import type { Action, DeletePod, SnapshotPod } from '../model/types.js';
import { oldDriverPods } from './driver-pod.js';
import type { DriverView, NodeView } from './driver-view.js';

/** The time for the kubelet to find the ready file by itself. It retries a mount after up to two minutes. */
const STUCK_MS = 15_000;

/** The value that the gate label of a node should have; undefined if the companion does not set it. */
export function gateValue(driver: DriverView, view: NodeView, state: string): 'true' | 'false' | undefined {
  if (driver.policy.gate?.kind !== 'label') return undefined;
  const label = view.node.labels[driver.policy.gate.label];
  if (view.driverPods.length === 0 && view.covering === undefined) {
    // The driver was uninstalled, so pods no longer wait for it; the operator does the same without an OFED section. Any other node
    // may get a driver again, when its labels or taints change back.
    return label === 'true' && view.isUninstalled && driver.notApplied.size === 0 ? 'false' : undefined;
  }
  // Pods that use the driver are removed before it is unloaded.
  if (state === 'pod-restart-required' && oldDriverPods(view).length > 0) return 'true';
  return loadedDriver(driver, view) === undefined ? 'true' : 'false';
}

interface Loaded {
  readonly startedMs: number;
  readonly readyMs: number;
}

/** When the driver container of a node started and its pod became ready; undefined while none is ready. */
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

/** Why the gated pods of a node do not pass: as many as before must be Ready, and none older than the driver. */
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
  return length < before ? `${length} pods wait for the driver, and ${before} did before its upgrade` : undefined;
}

interface GatedPods {
  readonly actions: readonly Action[];
  readonly wakeMs?: number;
}

const NO_GATED_PODS: GatedPods = { actions: [] };

/**
 * Deletes gated pods that must be replaced. `wakeMs` is the time of the next decision for pods that may have to be replaced
 * later.
 */
export function gatedPodActions(driver: DriverView, view: NodeView, nowMs: number): GatedPods {
  if (view.gatedPods.length === 0) return NO_GATED_PODS;
  const loaded = loadedDriver(driver, view);
  // Pods cannot terminate on a node whose kubelet does not report. A pod that no DaemonSet replaces is kept.
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

/** No container has run yet: the kubelet mounts its volumes, or pulls its images, which a new pod does not have to pull again. */
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
