import { driverKeys } from '../../contract/labels.js';
import { NEEDS_CORDON } from '../model/node-states.js';
import { asksForDrain, type SriovNodeState } from '../model/sriov.js';
import type { NodePlan } from './node-plan.js';

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
export function isConfigured({ view: { node }, context: { sriovDriver, driver, snapshot } }: NodePlan): boolean {
  if (sriovDriver === undefined || sriovDriver === driver.policy.labelPrefix) return false;
  const nodeState = snapshot.sriovNodeStates?.get(node.name);
  const isInFlow = NEEDS_CORDON.has(node.labels[driverKeys(sriovDriver).state] ?? '');
  return isInFlow && nodeState?.current === 'DrainComplete' && asksForDrain(nodeState);
}
