import { byReason } from '../view/successor.js';
import { currentDriverPod, oldDriverPods, unlistedWait } from '../view/driver-pod.js';
import { IN_PROGRESS } from '../../model/node-states.js';
import { cordonOwner } from './cordon.js';
import type { Guard, NodePlan } from './node-plan.js';
import type { WaitReason } from '../../model/types.js';

/** Why any DaemonSet of the driver is not ready. Which DaemonSet covers a node is not known until it is applied. */
export function anyMissingDaemonSet({ context: { driver } }: NodePlan): WaitReason | undefined {
  for (const message of driver.notApplied.values()) return { kind: 'daemon-set', message };
  return undefined;
}

/** An operator restarts the driver, and may be gone together with its DaemonSet. */
function isOfOperatorWithoutDaemonSet(plan: NodePlan): boolean {
  return plan.view.operatorState !== undefined && anyMissingDaemonSet(plan) !== undefined;
}

/** Why a DaemonSet that this node depends on is not ready. */
export function missingDaemonSet({ view, context: { driver } }: NodePlan): WaitReason | undefined {
  if (driver.notApplied.size === 0) return undefined;
  const owners = view.driverPods.map(({ pod }) => pod.controller?.name ?? '');
  const name = [view.covering?.name ?? '', ...owners].find((one) => driver.notApplied.has(one));
  const message = name === undefined ? undefined : driver.notApplied.get(name);
  return message === undefined ? undefined : { kind: 'daemon-set', message };
}

/** The DaemonSet of its driver is applied and listed, and no retired DaemonSet owns its driver pod. */
export function daemonSetsReady(plan: NodePlan): true | WaitReason {
  const { covering, driverPods } = plan.view;
  const missing = covering === undefined ? anyMissingDaemonSet(plan) : missingDaemonSet(plan);
  const wait = missing ?? unlistedWait(plan.view) ?? keptDaemonSet(plan);
  if (wait !== undefined) return wait;
  const retired = driverPods.find(({ pod, status }) => status === 'retired' && pod.controller !== undefined);
  const name = retired?.pod.controller?.name;
  return name === undefined || { kind: 'daemon-set', message: `the retired DaemonSet ${name} is still there` };
}

/**
 * Why the driver of a node must not be taken: no DaemonSet would put another one there, and none is to be uninstalled. Undefined also
 * for a node whose only driver pod is in sync: its upgrade deletes none. A pod that is for another architecture is no driver.
 */
export function missingSuccessor(plan: NodePlan): WaitReason | undefined {
  const { view, state } = plan;
  if (view.noDriver === undefined || isOfOperatorWithoutDaemonSet(plan)) return undefined;
  const { message, kind } = view.noDriver;
  const isInSync = currentDriverPod(view) !== undefined && oldDriverPods(view).length === 0;
  if (isInSync && kind !== 'architecture') return undefined;
  const isLeft = view.driverPods.length > 0;
  if (IN_PROGRESS.has(state)) {
    const what = isLeft ? 'its driver is not restarted' : 'it gets no driver';
    return { kind: 'successor', message: `${what} while ${message}` };
  }
  return { kind: 'no-successor', message: `${isLeft ? 'it keeps its driver' : 'it gets no driver'}: ${message}` };
}

/** Why the retired DaemonSet of a driver pod of the node is kept; undefined if it is not. */
export function keptDaemonSet({ view, context: { driver } }: NodePlan): WaitReason | undefined {
  for (const { pod } of view.driverPods) {
    const holders = driver.keptDaemonSets.get(pod.controller?.uid ?? '');
    if (holders === undefined) continue;
    const own = holders.find(({ name }) => name === view.node.name);
    if (own !== undefined) return { kind: 'no-successor', message: `it keeps its driver: ${own.reason.message}` };
    const message = `DaemonSet ${pod.controller?.name ?? ''} is retired, but kept for ${byReason(holders)}`;
    return { kind: 'held', message };
  }
  return undefined;
}

/** No driver pod is on the node, no DaemonSet covers it, and an uninstall asked for that. */
function uninstalled(plan: NodePlan): boolean | WaitReason {
  if (plan.view.isDriven) return false;
  return anyMissingDaemonSet(plan) ?? missingSuccessor(plan) ?? true;
}

/**
 * No driver pod is on the node, and no DaemonSet covers it. A node with a cordon of the flow may have lost its driver to that flow, and
 * its labels or taints may change back, so it counts only if the driver was uninstalled.
 */
function driverless(plan: NodePlan): boolean | WaitReason {
  const answer = uninstalled(plan);
  if (answer === false || answer === true) return answer;
  // Without its driver pod, an operator has nothing to restart on the node.
  if (answer.kind === 'daemon-set' && plan.view.operatorState === undefined) return answer;
  const owner = cordonOwner(plan);
  return owner === 'companion' || owner === 'operator' ? answer : true;
}

export const SUCCESSOR_GUARDS = {
  /** The wait for an operator that restarts the driver says which DaemonSet is missing, too, and ends after a time. */
  uninstalled: (plan) => (isOfOperatorWithoutDaemonSet(plan) ? false : uninstalled(plan)),
  driverless,
  /** A listed DaemonSet puts a driver on the node as it is, or an uninstall asks for none. */
  driverComes: (plan) =>
    plan.view.covering !== undefined || (anyMissingDaemonSet(plan) ?? missingSuccessor(plan) ?? true),
  /** The opposite, for rows that keep a node as it is. */
  noDriverComes: (plan) => anyMissingDaemonSet(plan) === undefined && missingSuccessor(plan) !== undefined,
} satisfies Record<string, Guard>;
