import { OFED_WAIT_CONTAINER } from '../../../shared/contract/labels.js';
import type { DeletePod, SnapshotPod } from '../../model/types.js';
import { oldDriverPods } from './driver-pod.js';
import type { DriverFacts } from './driver-view.js';
import type { DriverNode } from './driver-node.js';

const NO_LABELS: Readonly<Record<string, string>> = {};

/**
 * The gate label that a node should have; empty if the companion does not set it.
 *
 * @param isUnloaded its old driver pods are deleted next
 */
export function gateLabels(
  driver: DriverFacts,
  view: DriverNode,
  isUnloaded: boolean,
): Readonly<Record<string, string>> {
  const { gate } = driver.policy;
  const value = gate?.kind === 'label' ? gateValue(driver, view, isUnloaded, view.node.labels[gate.label]) : undefined;
  return gate === undefined || value === undefined ? NO_LABELS : { [gate.label]: value };
}

function gateValue(
  driver: DriverFacts,
  view: DriverNode,
  isUnloaded: boolean,
  label: string | undefined,
): 'true' | 'false' | undefined {
  if (view.driverPods.length === 0 && view.daemonSet === undefined) {
    // The driver was uninstalled, so pods no longer wait for it; the operator does the same without an OFED section. Any other node
    // may get a driver again, when its labels or taints change back.
    return label === 'true' && view.isUninstalled && driver.notApplied.size === 0 ? 'false' : undefined;
  }
  // Pods that use the driver are removed before it is unloaded.
  if (isUnloaded && oldDriverPods(view).length > 0) return 'true';
  return loadedDriver(driver, view) === undefined ? 'true' : 'false';
}

interface Loaded {
  readonly startedMs: number;
  readonly readyMs: number;
}

/** When the driver container of a node started, and its pod became ready; undefined while no driver is loaded. */
function loadedDriver(driver: DriverFacts, view: DriverNode): Loaded | undefined {
  for (const { pod } of view.driverPods) {
    if (pod.deletionMs !== undefined) continue;
    const container = pod.containers.find(({ name }) => name === driver.policy.containerName);
    if (container?.ready !== true) continue;
    const startedMs = container.startedMs ?? pod.createdMs;
    return { startedMs, readyMs: (pod.ready ? pod.readyChangedMs : undefined) ?? startedMs };
  }
  return undefined;
}

/**
 * Whether a pod has not waited for the driver that is loaded now. The end of its init container counts, where it has one that waits: its
 * other containers may have started again while the driver was loading. So do those of a pod that the label brought to its node, when the
 * node boots.
 */
function isOlder({ initContainers, containers }: SnapshotPod, { startedMs, readyMs }: Loaded): boolean {
  const waitedMs = initContainers.find(({ name }) => name === OFED_WAIT_CONTAINER)?.finishedMs;
  if (waitedMs !== undefined) return waitedMs < startedMs;
  return containers.some(
    (one) => one.startedMs !== undefined && one.startedMs < (one.restarts > 0 ? readyMs : startedMs),
  );
}

/** Why the gated pods of a node do not pass: as many as before must be Ready, and none older than the driver. */
export function gatedPodLack(driver: DriverFacts, view: DriverNode, before: number): string | undefined {
  const loaded = loadedDriver(driver, view);
  if (loaded === undefined) return 'the driver is not loaded';
  const stale = view.gatedPods.find((pod) => !pod.ready || pod.deletionMs !== undefined || isOlder(pod, loaded));
  if (stale !== undefined) return `pod ${stale.namespace}/${stale.name}, which waits for the driver, is not ready`;
  const { length } = view.gatedPods;
  return length < before ? `${length} pods wait for the driver, and ${before} did before its upgrade` : undefined;
}

/** Deletes gated pods that are older than the driver. */
export function gatedPodDeletions(driver: DriverFacts, view: DriverNode): readonly DeletePod[] {
  if (view.gatedPods.length === 0) return [];
  const loaded = loadedDriver(driver, view);
  // Pods cannot terminate on a node whose kubelet does not report. A pod that no DaemonSet replaces is kept.
  if (loaded === undefined || view.node.ready === 'Unknown') return [];
  return view.gatedPods
    .filter((pod) => pod.deletionMs === undefined && pod.controller?.kind === 'DaemonSet' && isOlder(pod, loaded))
    .map(({ namespace, name, uid, nodeName: node }) => ({
      kind: 'deletePod',
      driver: driver.policy.labelPrefix,
      node,
      namespace,
      name,
      uid,
      reason: 'gated-pod-stale',
    }));
}
