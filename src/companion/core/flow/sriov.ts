import { durationMs } from '../../../shared/contract/duration.js';
import { SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import { DRAINING, IN_PROGRESS, NEEDS_CORDON } from '../../model/node-states.js';
import { asksForDrain, type SriovAnswer, type SriovNodeState } from '../../model/sriov.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { PatchSriovNodeState, WaitReason } from '../../model/types.js';
import { drainView } from './drain-views.js';
import { configDaemonText } from './config-daemon.js';
import type { NodePlan } from './node-plan.js';

/** How long the SR-IOV operator may take to write new policies into the SriovNetworkNodeStates; it takes seconds. */
const POLICY_SETTLES_MS = 120_000;

/** When the SriovNetworkNodeStates have the policies at the latest. */
export function policiesSettledMs({ policyWrittenMs = -Infinity }: Snapshot): number {
  return policyWrittenMs + POLICY_SETTLES_MS;
}

/** What a node at rest waits for, so that a run ends when all virtual functions are as the policies want them. */
export function syncWait(plan: NodePlan): WaitReason | undefined {
  const { sriov, node } = plan.view;
  if (sriov === undefined) return undefined;
  const message = configDaemonText(sriov);
  if (sriov.syncStatus === 'Succeeded') return policiesWait(plan);
  if (sriov.syncStatus === 'Failed') return policiesWait(plan, `${message}; `) ?? { kind: 'config-failed', message };
  if (node.ready === 'Unknown') return { kind: 'unreachable', message };
  const untilMs = configuredUntilMs(plan.context);
  if (plan.context.nowMs < untilMs) return { kind: 'config-daemon', message, ...(untilMs < Infinity && { untilMs }) };
  const { driverTimeout } = plan.context.rollout;
  return { kind: 'config-failed', message: `${message}, more than ${driverTimeout} after the policy was written` };
}

/** When a config daemon that needs no drain has the policies at the latest: it has the time of a driver. Infinity: no time-out. */
function configuredUntilMs({ snapshot: { policyWrittenMs = Infinity }, rollout }: NodePlan['context']): number {
  const timeoutMs = durationMs(rollout.driverTimeout);
  return timeoutMs === 0 ? Infinity : policyWrittenMs + timeoutMs;
}

/**
 * The wait for new policies, about which the config daemons have not said anything yet; undefined where they may have.
 *
 * @param said what the node waits for besides that
 */
export function policiesWait({ view, context: { nowMs, snapshot } }: NodePlan, said = ''): WaitReason | undefined {
  const untilMs = policiesSettledMs(snapshot);
  if (view.sriov === undefined || nowMs >= untilMs) return undefined;
  return {
    kind: 'config-daemon',
    message: `${said}the SR-IOV operator may not have seen the new policies yet`,
    untilMs,
  };
}

/**
 * The answer of the drainer to the config daemon of a node, from the state of the flow that the snapshot has: a companion that was killed
 * gives it again. An answer that the daemon works with is not taken back.
 */
export function sriovAnswer(plan: NodePlan): PatchSriovNodeState | undefined {
  const { view, context } = plan;
  const { sriov, node } = view;
  if (sriov === undefined) return undefined;
  const annotations = answerTo(sriov, plan);
  if (Object.keys(annotations).length === 0) return undefined;
  const { namespace, name, uid, resourceVersion } = sriov;
  const driver = context.driver.policy.labelPrefix;
  return { kind: 'patchSriovNodeState', driver, node: node.name, namespace, name, uid, resourceVersion, annotations };
}

function answerTo(sriov: SriovNodeState, plan: NodePlan): SriovAnswer {
  const { state } = plan.view;
  const { desired, current } = sriov;
  if (desired === undefined || current === undefined) {
    return {
      ...(desired === undefined && { [SRIOV_DRAIN_KEYS.desired]: 'Idle' as const }),
      ...(current === undefined && { [SRIOV_DRAIN_KEYS.current]: 'Idle' as const }),
    };
  }
  const answer = (text: 'Idle' | 'Draining' | 'DrainComplete'): SriovAnswer =>
    current === text ? {} : { [SRIOV_DRAIN_KEYS.current]: text };
  if (!asksForDrain(sriov)) return isReturned(sriov, plan) ? answer('Idle') : {};
  if (current === 'DrainComplete') return {};
  if (DRAINING.has(state)) return plan.state === 'upgrade-failed' ? {} : answer('Draining');
  if (NEEDS_CORDON.has(state)) return plan.view.node.unschedulable && isDrained(plan) ? answer('DrainComplete') : {};
  return IN_PROGRESS.has(state) ? {} : answer('Idle');
}

/**
 * A config daemon that does not ask is answered by `Idle` before its node is uncordoned: with `DrainComplete` it would go on with the next change
 * of policies. One that failed, and tries again, keeps its drained node.
 */
function isReturned({ current, syncStatus }: SriovNodeState, { view: { state, node } }: NodePlan): boolean {
  if (state === 'upgrade-failed') return syncStatus === 'Succeeded' || !node.unschedulable;
  return !NEEDS_CORDON.has(state) || (current === 'DrainComplete' && syncStatus !== 'Failed');
}

/** No pod is on the node that has to leave it for what the daemon asks now, which may be more than it was drained for. */
function isDrained(plan: NodePlan): boolean {
  const { policy, view } = plan;
  if (view.isRestartOnly) return true;
  const state = policy.resourcePrefixes.length > 0 ? 'pod-deletion-required' : 'drain-required';
  const { leaving, refusals, daemonSetLookups } = drainView(plan, state);
  return leaving.length + refusals.length + daemonSetLookups.length === 0;
}

/** The config daemon asks, and the node has pods that have to leave it. */
export function asksToDrainMore(plan: NodePlan): boolean {
  return plan.view.sriov !== undefined && plan.view.operatorState === 'upgrade-required' && !isDrained(plan);
}
