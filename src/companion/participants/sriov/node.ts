import { isAtRest } from '../../model/node-states.js';
import { rebootPolicy, type NodeUpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import type { Snapshot } from '../../model/snapshot.js';
import { asksForDrain, type SriovNodeState } from '../../model/sriov.js';
import type { SnapshotNode } from '../../model/types.js';

/** What a node is for SR-IOV: what asks for it, and its pool. */
export interface SriovNode {
  readonly nodeState: SriovNodeState;
  readonly policy: NodeUpgradePolicy | undefined;
  /** Why it may not begin: it is in two pools. */
  readonly conflict: string | undefined;
  /** All pods would have nowhere to go: the only node of the cluster is rebooted without a drain, as the operator does. */
  readonly isDrainless: boolean;
}

/** The nodes whose drains the SR-IOV operator leaves to the companion. */
export function sriovNodes(
  policies: readonly NodeUpgradePolicy[],
  { sriovNodeStates, nodes }: Snapshot,
): (node: SnapshotNode) => SriovNode | undefined {
  const pools = policies.flatMap((policy) => {
    const { nodeSelector } = policy;
    const selector = nodeSelector === undefined ? undefined : selectorOf(nodeSelector);
    return { policy, reboot: rebootPolicy(policy), selector };
  });
  const others = pools.find(({ selector }) => selector === undefined);
  return ({ name, labels }) => {
    const nodeState = sriovNodeStates?.get(name);
    if (nodeState?.isExternal !== true) return undefined;
    const selecting = pools.filter(({ selector }) => selector !== undefined && matchesSelector(selector, labels));
    const pool = selecting[0] ?? others;
    const isReboot = nodeState.desired === 'Reboot_Required';
    return {
      nodeState,
      policy: isReboot ? pool?.reboot : pool?.policy,
      conflict: selecting.length < 2 ? undefined : selecting.map(({ policy }) => policy.name).join(' and '),
      isDrainless: isReboot && nodes.length === 1,
    };
  };
}

/** What the config daemon of a node does. `asks`: for a drain. `works`: on the node that was drained for it. */
export type DaemonState = 'asks' | 'works' | 'failed' | 'done';

/**
 * What the config daemon says of its node. A node that the companion did not drain, or whose state label is gone, is due again as long as the daemon
 * asks. A daemon that is idle again is done when it has read that, too: as long as `current-state` is `DrainComplete`, it takes the next change in hand
 * without asking (`handleDrain` in `pkg/daemon/daemon.go` of sriov-network-operator 249e20012). While its `syncStatus` is not `Succeeded`, it may have
 * begun so.
 *
 * @param state the state label of the node
 */
export function daemonState(nodeState: SriovNodeState, state: string): DaemonState {
  const { current, syncStatus } = nodeState;
  const hasBegun = !isAtRest(state) && state !== 'upgrade-required';
  if (asksForDrain(nodeState)) return current === 'DrainComplete' && hasBegun ? 'works' : 'asks';
  // A failed node that is tried again for another participant: the daemon may have tried again, too.
  if (!hasBegun) return state === 'upgrade-required' && current === 'DrainComplete' ? 'works' : 'done';
  if (syncStatus === 'Failed') return 'failed';
  const isUnsettled = current === 'Idle' && !BEFORE_RESTART.has(state) && syncStatus !== 'Succeeded';
  return current === 'DrainComplete' || isUnsettled ? 'works' : 'done';
}

/** States of a node that is being taken out. */
const BEFORE_RESTART: ReadonlySet<string> = new Set([
  'cordon-required',
  'wait-for-jobs-required',
  'pod-deletion-required',
  'drain-required',
]);
