import { driverKeys } from '../../../shared/contract/labels.js';
import { NEEDS_CORDON } from '../../model/node-states.js';
import { asksForDrain, type SriovNodeState } from '../../model/sriov.js';
import type { NodePlan } from './node-plan.js';

/** Where nothing says what the config daemons ask for: the operator's definitions are gone, or the API server has just started. */
export const NODE_STATES_UNREAD = 'the cluster does not serve sriovnetworknodestates.sriovnetwork.openshift.io';

/** What the config daemon of a node asks for, and how far it is. */
export function configDaemonText({ desired = 'Idle', syncStatus, lastSyncError }: SriovNodeState): string {
  const asked = desired === 'Idle' ? '' : ` and asks for ${desired}`;
  const error = lastSyncError === '' ? '' : `: ${lastSyncError}`;
  return `its SR-IOV config daemon is ${syncStatus === '' ? 'without a status' : syncStatus}${asked}${error}`;
}

/**
 * The config daemon of the SR-IOV operator works on the node, which was drained for it. It may boot the node, so that the time of the validation
 * of another driver begins when it is done.
 */
export function isConfigured(plan: NodePlan): boolean {
  return workingOn(plan, (state) => NEEDS_CORDON.has(state)) !== undefined;
}

/**
 * The state of a config daemon that still works on the node although its time is over, or that is to be tried again: it may boot the node, which
 * therefore stays cordoned.
 */
export function configuredAfterFailure(plan: NodePlan): SriovNodeState | undefined {
  return workingOn(plan, (state) => !NEEDS_CORDON.has(state));
}

/** The config daemon, if it was told that the node is drained, and still asks for that. */
function workingOn(plan: NodePlan, isIn: (state: string) => boolean): SriovNodeState | undefined {
  const asking = askingDaemon(plan);
  if (asking?.nodeState.current !== 'DrainComplete') return undefined;
  return isIn(asking.state) ? asking.nodeState : undefined;
}

/** The config daemon asks for a drain that waits for the end of a pause or of jobs: it makes no virtual functions before. */
export function asksInVain(plan: NodePlan): boolean {
  const { state } = askingDaemon(plan) ?? {};
  return state === 'wait-for-jobs-required' || (plan.context.isPaused && state === 'upgrade-required');
}

/** A config daemon that asks for a drain, seen from another driver, and the state of the flow for SR-IOV; undefined if none asks. */
function askingDaemon({
  view: { node },
  context: { sriovDriver, driver, snapshot },
}: NodePlan): { readonly nodeState: SriovNodeState; readonly state: string } | undefined {
  if (sriovDriver === undefined || sriovDriver === driver.policy.labelPrefix) return undefined;
  const nodeState = snapshot.sriovNodeStates?.get(node.name);
  if (nodeState === undefined || !asksForDrain(nodeState)) return undefined;
  return { nodeState, state: node.labels[driverKeys(sriovDriver).state] ?? '' };
}
