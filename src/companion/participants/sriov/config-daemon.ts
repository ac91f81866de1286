import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { Snapshot } from '../../model/snapshot.js';
import { asksForDrain, type SriovNodeState } from '../../model/sriov.js';
import type { SnapshotNode, WaitReason } from '../../model/types.js';

/** Where nothing says what the config daemons ask for: the operator's definitions are gone, or the API server has just started. */
export const NODE_STATES_UNREAD = 'the cluster does not serve sriovnetworknodestates.sriovnetwork.openshift.io';

/** What the config daemon of a node asks for, and how far it is. */
export function configDaemonText({ desired = 'Idle', syncStatus, lastSyncError }: SriovNodeState): string {
  const asked = desired === 'Idle' ? '' : ` and asks for ${desired}`;
  const error = lastSyncError === '' ? '' : `: ${lastSyncError}`;
  return `its SR-IOV config daemon is ${syncStatus === '' ? 'without a status' : syncStatus}${asked}${error}`;
}

/** Nodes that are drained for their config daemons by others: the policy does not have these drains, or not any more. */
export function keptByConfigDaemon(
  { drivers }: Pick<UpgradePolicy, 'drivers'>,
  { sriovNodeStates }: Snapshot,
): (node: SnapshotNode) => WaitReason | undefined {
  if (drivers.some(({ kind }) => kind === 'sriov')) return () => undefined;
  return ({ name }) => {
    const nodeState = sriovNodeStates?.get(name);
    if (nodeState?.current !== 'DrainComplete' || !asksForDrain(nodeState)) return undefined;
    return { kind: 'foreign-driver', message: `${configDaemonText(nodeState)}, and works on it` };
  };
}
