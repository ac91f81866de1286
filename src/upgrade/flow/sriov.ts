import { SRIOV_DRAIN_KEYS } from '../../contract/labels.js';
import { DRAINING, IN_PROGRESS, NEEDS_CORDON } from '../model/node-states.js';
import { asksForDrain, type SriovAnswer, type SriovNodeState } from '../model/sriov.js';
import type { PatchSriovNodeState, WaitReason } from '../model/types.js';
import type { NodeView } from '../view/node-view.js';
import type { NodePlan } from './node-plan.js';

/** What the config daemon of a node asks for, and how far it is. */
export function configDaemonText({ desired = 'Idle', syncStatus, lastSyncError }: SriovNodeState): string {
  const asked = desired === 'Idle' ? '' : ` and asks for ${desired}`;
  const error = lastSyncError === '' ? '' : `: ${lastSyncError}`;
  return `its SR-IOV config daemon is ${syncStatus === '' ? 'without a status' : syncStatus}${asked}${error}`;
}

/** How long the SR-IOV operator may take to write new policies into the SriovNetworkNodeStates; it takes seconds. */
const POLICY_SETTLES_MS = 120_000;

/** What a node at rest waits for, so that a run ends when all virtual functions are as the policies want them. */
export function syncWait({ view, context: { nowMs, snapshot } }: NodePlan): WaitReason | undefined {
  const { sriov, node } = view;
  if (sriov === undefined) return undefined;
  const message = configDaemonText(sriov);
  if (sriov.syncStatus === 'Failed') return { kind: 'config-failed', message };
  if (sriov.syncStatus !== 'Succeeded')
    return { kind: node.ready === 'Unknown' ? 'unreachable' : 'config-daemon', message };
  const untilMs = (snapshot.policyWrittenMs ?? -Infinity) + POLICY_SETTLES_MS;
  if (nowMs >= untilMs) return undefined;
  return { kind: 'config-daemon', message: 'the SR-IOV operator may not have seen the new policies yet', untilMs };
}

/**
 * The answer of the drainer to the config daemon of a node, from the state of the flow that the snapshot has: a companion that was killed
 * gives it again. An answer that the daemon works with is not taken back.
 */
export function sriovAnswer({ view, context }: NodePlan): PatchSriovNodeState | undefined {
  const { sriov, node } = view;
  if (sriov === undefined) return undefined;
  const annotations = answerTo(sriov, view);
  if (Object.keys(annotations).length === 0) return undefined;
  const { namespace, name, uid, resourceVersion } = sriov;
  const driver = context.driver.policy.labelPrefix;
  return { kind: 'patchSriovNodeState', driver, node: node.name, namespace, name, uid, resourceVersion, annotations };
}

function answerTo(sriov: SriovNodeState, { state, node: { unschedulable } }: NodeView): SriovAnswer {
  const { desired, current } = sriov;
  if (desired === undefined || current === undefined) {
    return {
      ...(desired === undefined && { [SRIOV_DRAIN_KEYS.desired]: 'Idle' as const }),
      ...(current === undefined && { [SRIOV_DRAIN_KEYS.current]: 'Idle' as const }),
    };
  }
  const answer = (text: 'Idle' | 'Draining' | 'DrainComplete'): SriovAnswer =>
    current === text ? {} : { [SRIOV_DRAIN_KEYS.current]: text };
  if (!asksForDrain(sriov)) return IN_PROGRESS.has(state) || state === 'upgrade-failed' ? {} : answer('Idle');
  if (current === 'DrainComplete') return {};
  if (DRAINING.has(state)) return answer('Draining');
  if (NEEDS_CORDON.has(state)) return unschedulable ? answer('DrainComplete') : {};
  return IN_PROGRESS.has(state) ? {} : answer('Idle');
}
