import type { NodePlan } from '../../core/maintenance/plan.js';
import { isInMaintenance } from '../../core/maintenance/node-facts.js';
import type { WaitReason } from '../../model/types.js';
import { currentDriverPod, oldDriverPods, unlistedWait } from './driver-pod.js';
import type { DriverNode } from './driver-node.js';
import type { DriverFacts } from './driver-view.js';
import { byReason } from './kept.js';

/** Why any DaemonSet of the driver is not ready. Which DaemonSet covers a node is not known until it is applied. */
export function anyMissingDaemonSet(driver: DriverFacts): WaitReason | undefined {
  for (const message of driver.notApplied.values()) return { kind: 'daemon-set', message };
  return undefined;
}

/** Why a DaemonSet that this node depends on is not ready. */
export function missingDaemonSet(driver: DriverFacts, view: DriverNode): WaitReason | undefined {
  if (driver.notApplied.size === 0) return undefined;
  const owners = view.driverPods.map(({ pod }) => pod.controller?.name ?? '');
  const name = [view.daemonSet?.name ?? '', ...owners].find((one) => driver.notApplied.has(one));
  const message = name === undefined ? undefined : driver.notApplied.get(name);
  return message === undefined ? undefined : { kind: 'daemon-set', message };
}

/** Why the DaemonSet of the driver is not applied and listed, or a retired one owns the driver pod. */
export function daemonSetWait(driver: DriverFacts, view: DriverNode): WaitReason | undefined {
  const { daemonSet, driverPods } = view;
  const missing = daemonSet === undefined ? anyMissingDaemonSet(driver) : missingDaemonSet(driver, view);
  const wait = missing ?? unlistedWait(view) ?? keptDaemonSet(driver, view);
  if (wait !== undefined) return wait;
  const retired = driverPods.find(({ pod, status }) => status === 'retired' && pod.controller !== undefined);
  const name = retired?.pod.controller?.name;
  return name === undefined
    ? undefined
    : { kind: 'daemon-set', message: `the retired DaemonSet ${name} is still there` };
}

/**
 * Why the driver of a node must not be taken: no DaemonSet would put another one there, and none is to be uninstalled. Undefined also
 * for a node whose only driver pod is in sync: its maintenance deletes none. A pod that is for another architecture is no driver.
 */
function missingSuccessor(driver: DriverFacts, view: DriverNode, plan: NodePlan): WaitReason | undefined {
  if (view.noDriver === undefined || (view.operatorState !== undefined && anyMissingDaemonSet(driver) !== undefined))
    return undefined;
  const { message, kind } = view.noDriver;
  const isInSync = currentDriverPod(view) !== undefined && oldDriverPods(view).length === 0;
  if (isInSync && kind !== 'architecture') return undefined;
  const isLeft = view.driverPods.length > 0;
  if (isInMaintenance(plan.phase)) {
    const what = isLeft ? 'its driver is not restarted' : 'it gets no driver';
    return { kind: 'successor', message: `${what} while ${message}` };
  }
  return { kind: 'no-successor', message: `${isLeft ? 'it keeps its driver' : 'it gets no driver'}: ${message}` };
}

/** Why the old driver pods of a node stay, and its maintenance does not begin: no DaemonSet would put another driver there. */
export function successorWait(driver: DriverFacts, view: DriverNode, plan: NodePlan): WaitReason | undefined {
  return (
    daemonSetWait(driver, view) ??
    (view.daemonSet === undefined ? (anyMissingDaemonSet(driver) ?? missingSuccessor(driver, view, plan)) : undefined)
  );
}

/** Why its pods stay: nothing would put another driver on the node, as far as all DaemonSets are applied. */
export function podsKept(driver: DriverFacts, view: DriverNode, plan: NodePlan): WaitReason | undefined {
  return anyMissingDaemonSet(driver) === undefined ? missingSuccessor(driver, view, plan) : undefined;
}

/** Why the retired DaemonSet of a driver pod of the node is kept; undefined if it is not. */
export function keptDaemonSet(driver: DriverFacts, view: DriverNode): WaitReason | undefined {
  for (const { pod } of view.driverPods) {
    const holders = driver.keptDaemonSets.get(pod.controller?.uid ?? '');
    if (holders === undefined) continue;
    const own = holders.find(({ name }) => name === view.node.name);
    if (own !== undefined) return { kind: 'no-successor', message: `it keeps its driver: ${own.reason.message}` };
    const message = `DaemonSet ${pod.controller?.name ?? ''} is retired, but kept for ${byReason(holders)}`;
    return { kind: 'daemon-set-kept', message };
  }
  return undefined;
}

/** Whether no driver pod is on the node, no DaemonSet covers it, and an uninstall asked for that; or why that is not known. */
export function uninstalled(driver: DriverFacts, view: DriverNode, plan: NodePlan): boolean | WaitReason {
  if (view.isDriven) return false;
  return anyMissingDaemonSet(driver) ?? missingSuccessor(driver, view, plan) ?? true;
}
