import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { blockersText } from '../drain/blockers.js';
import { nameOf } from '../../model/pod.js';
import { currentDriverPod, oldDriverPods } from '../view/driver-pod.js';
import { configDaemonText, configuredAfterFailure } from './config-daemon.js';
import { asksToDrainMore } from './sriov.js';
import { driverFailure, driverPodWait } from './driver-pod-wait.js';
import {
  cordonOwner,
  cordonsLifted,
  hasCordonMark,
  isCordonOfFailed,
  isCordonOfOtherDriver,
  isCordonReplaced,
  isMarkStale,
  MOST_CORDONS_LIFTED,
} from './cordon.js';
import { BEGIN_GUARDS } from './begin-guards.js';
import { MAINTENANCE_GUARDS } from './node-maintenance.js';
import { isOfOtherDriver } from './records.js';
import {
  anyMissingDaemonSet,
  daemonSetsReady,
  keptDaemonSet,
  missingDaemonSet,
  SUCCESSOR_GUARDS,
} from './successor-guards.js';
import { validationLack, validationOf } from './validation.js';
import { drainView, evictingState, refusalsOf, type EvictingState } from './drain-views.js';
import { isTimedOut, timeIn } from './clock.js';
import { annotation, isUnschedulable, type Guard, type NodePlan } from './node-plan.js';
import { otherDriverHere, waitForDriver } from './other-driver.js';
import { DRAINING, IN_PROGRESS, NEEDS_CORDON } from '../../model/node-states.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { SnapshotPod, WaitReason } from '../../model/types.js';

const DRIVER_POD_GUARDS = {
  driverPodOutdated: (plan) => {
    // The operator leaves its label on a node that has lost the driver.
    if (plan.view.operatorState !== undefined)
      return plan.view.operatorState === 'upgrade-required' && plan.view.isDriven;
    const missing = missingDaemonSet(plan);
    if (missing !== undefined) return missing;
    const { driverPods } = plan.view;
    if (driverPods.some(({ pod, status }) => status === 'outdated' && pod.deletionMs === undefined)) return true;
    const isRetired = driverPods.some(({ status }) => status === 'retired');
    return isRetired && (anyMissingDaemonSet(plan) ?? keptDaemonSet(plan) ?? true);
  },
  driverPodInSync: (plan) => isInSync(plan) && missingDaemonSet(plan) === undefined,
  driverPodReady: (plan) => isDriverReady(plan) || driverPodWait(plan),
  driverPodFailing: (plan) => driverFailure(plan) !== undefined,
  oldDriverPod: (plan) => oldDriverPods(plan.view).length > 0,
  driverPodExists: ({ view }) => (view.operatorState ?? (view.driverPods.length > 0 ? 'pod' : '')) !== '',
  /** The operator that restarts the driver was faster than the drain. */
  operatorDone: isOperatorDone,
  /** What restarts its driver does not have the node any more: no label of the operator, no SriovNetworkNodeState. */
  operatorLeft: ({ view }) => view.operatorState === '',
  /** The operator is in the middle of its flow. */
  operatorWorks: ({ view }) => view.sriov === undefined && IN_PROGRESS.has(view.operatorState ?? ''),
  restartOnly: ({ view }) => view.isRestartOnly,
  operatorNotDue: ({ view: { operatorState } }) => operatorState !== undefined && operatorState !== 'upgrade-required',
  waitsForSafeLoad: (plan) => (annotation(plan, plan.context.driver.keys.safeLoad) ?? '') !== '',
  requested: (plan) =>
    plan.view.operatorState === undefined && annotation(plan, plan.context.driver.keys.requested) === 'true',
  becameOutdated: (plan) => annotation(plan, plan.context.driver.keys.outdated) === 'true',
  daemonSetsReady,
} satisfies Record<string, Guard>;

function isOperatorDone({ view }: NodePlan): boolean {
  return view.operatorState === 'upgrade-done';
}

function isInSync(plan: NodePlan): boolean {
  return isOperatorDone(plan) || currentDriverPod(plan.view) !== undefined;
}

function isDriverReady(plan: NodePlan): boolean {
  return isOperatorDone(plan) || currentDriverPod(plan.view)?.ready === true;
}

const STATE_GUARDS = {
  ...SUCCESSOR_GUARDS,
  upToDate: (plan) => DRIVER_POD_GUARDS.driverPodInSync(plan) || SUCCESSOR_GUARDS.driverless(plan),
} satisfies Record<string, Guard>;

function jobsOf(plan: NodePlan): readonly SnapshotPod[] {
  const { podSelector } = plan.policy.waitForCompletion;
  if (podSelector === '') return [];
  const selector = selectorOf(podSelector);
  return plan.view.pods.filter(
    (pod) => (pod.phase === 'Running' || pod.phase === 'Pending') && matchesSelector(selector, pod.labels),
  );
}

/** The maximum lag of the scheduler and of the pod watch behind a cordon. */
const OBSERVE_DELAY_MS = 1000;

/**
 * Why the snapshot may still miss a pod that was bound before the cordon: it lacks the cordon, or the state began too recently.
 * Undefined when it cannot.
 */
function cordonUnobserved(plan: NodePlan, state = plan.state): WaitReason | undefined {
  const { nowMs } = plan.context;
  const { sinceMs } = timeIn(plan, state);
  const isSeen = plan.view.node.unschedulable && sinceMs !== undefined;
  // Upstream's annotations have whole seconds, so the cordon may be up to a second younger.
  const wakeMs = (isSeen ? sinceMs + (sinceMs % 1000 === 0 ? 1000 : 0) : nowMs) + OBSERVE_DELAY_MS;
  if (wakeMs <= nowMs) return undefined;
  return { kind: 'cache-sync', message: 'its cordon is so recent that the cache may miss pods', wakeMs };
}

/** A driver that is due on a node which has just been drained, and could not join before this decision. */
function driverThatMayJoin({ view: { node, state }, context }: NodePlan): string | undefined {
  if (!DRAINING.has(state)) return undefined;
  return [...context.ownDrivers].find((prefix) => node.labels[driverKeys(prefix).state] === 'upgrade-required');
}

const CORDON_GUARDS = {
  cordonRecorded: hasCordonMark,
  cordonMarkStale: isMarkStale,
  cordonReplaced: isCordonReplaced,
  /** Its upgrade began before this decision, for another driver than the one that is wanted. */
  uninstallTakenBack: (plan) =>
    annotation(plan, plan.context.driver.keys.wanted) === 'none' && (plan.view.wanted ?? 'none') !== 'none',
  forOtherDriver: (plan) => plan.steps.length === 0 && isOfOtherDriver(plan),
  cordoned: isUnschedulable,
  cordonLiftedOften: (plan) => cordonsLifted(plan) >= MOST_CORDONS_LIFTED,
  /** The snapshot has the cordon, and the state and the start times of the plan. Pods are evicted or deleted only then. */
  cordonSeen: ({ view, steps, annotations }) =>
    view.node.unschedulable && steps.length === 0 && Object.keys(annotations).length === 0,
  /** No other driver needs the cordon. */
  cordonUnneeded: (plan) => {
    // Somebody has lifted it. A driver that does not end keeps others from the node.
    if (!isUnschedulable(plan)) return true;
    const other = otherDriverHere(plan, NEEDS_CORDON) ?? driverThatMayJoin(plan);
    if (other !== undefined) return waitForDriver(plan, other, `the ${other} driver needs its cordon`);
    const configured = configuredAfterFailure(plan);
    return configured === undefined || { kind: 'config-failed', message: configDaemonText(configured) };
  },
  cordonOfOtherDriver: isCordonOfOtherDriver,
  cordonOfFailedDriver: isCordonOfFailed,
  cordonOfMaintenance: (plan) => cordonOwner(plan) === 'maintenance',
  /** The operator records the companion's cordon, too, if it goes on with a node whose state was reset. */
  wasUnschedulable: (plan) =>
    annotation(plan, plan.context.driver.keys.initialState) !== undefined && cordonOwner(plan) !== 'companion',
  jobsDone: (plan) => {
    if (plan.policy.waitForCompletion.podSelector === '') return true;
    const jobs = jobsOf(plan);
    if (jobs.length === 0) return cordonUnobserved(plan) ?? true;
    return {
      kind: 'jobs',
      message: `waits for ${jobs.length} pods of jobs: ${jobs.slice(0, 3).map(nameOf).join(', ')}`,
      ...timeIn(plan),
      blockers: jobs.slice(0, 10).map((pod) => ({ pod: nameOf(pod), budgets: [], reason: `is ${pod.phase}` })),
    };
  },
  /** The time of its state is over. */
  timedOut: (plan) => isTimedOut(plan),
} satisfies Record<string, Guard>;

/** Pods that must leave the node may not be evicted, or did not leave in time. */
function podsStay(plan: NodePlan, state: EvictingState): boolean | WaitReason {
  return isTimedOut(plan, state) || (cordonUnobserved(plan, state) ?? drainView(plan, state).refusals.length > 0);
}

/** Its config daemon asks for a drain, and was not told that the node is drained; or the operator has another driver for it. */
function asksToBegin({ view }: NodePlan): boolean {
  return view.operatorState === 'upgrade-required';
}

function podDeletionEnabled({ policy }: NodePlan): boolean {
  return policy.resourcePrefixes.length > 0;
}

/** The node has pods that the drain or the deletion of resource pods would evict, and its old driver pod still runs. */
function arePodsToMove(plan: NodePlan): boolean {
  if (plan.view.sriov !== undefined) return plan.view.node.unschedulable && asksToDrainMore(plan);
  if (!plan.view.node.unschedulable || oldDriverPods(plan.view).every(({ pod }) => pod.deletionMs !== undefined))
    return false;
  if (podDeletionEnabled(plan)) {
    // Without resource pods the flow does not drain. If their deletion failed, only the drain evicts pods.
    if (drainView(plan, 'pod-deletion-required').leaving.length === 0) return false;
    if (podsStay(plan, 'pod-deletion-required') !== true) return true;
  }
  return plan.policy.drain.enable && drainView(plan, 'drain-required').leaving.length > 0;
}

/** The node has pods that must not be evicted, and its old driver pod still runs. */
function arePodsRefused(plan: NodePlan): boolean {
  return oldDriverPods(plan.view).length > 0 && refusalsOf(plan).length > 0;
}

const DRAIN_GUARDS = {
  podDeletionEnabled,
  drainEnabled: (plan) => plan.policy.drain.enable,
  /** All pods that must leave the node have left it. */
  podsLeft: (plan) => {
    const young = cordonUnobserved(plan);
    if (young !== undefined) return young;
    const { leaving, daemonSetLookups, refusals } = drainView(plan);
    if (refusals.length > 0) return false;
    if (leaving.length > 0) {
      const blockers = plan.context.blockersOf(leaving);
      const kind = leaving.every((pod) => pod.deletionMs !== undefined) ? 'termination' : 'evictions';
      return { kind, message: blockersText(blockers, leaving.length), ...timeIn(plan), blockers };
    }
    const [lookup] = daemonSetLookups;
    if (lookup === undefined) return true;
    return { kind: 'evictions', message: `DaemonSet ${nameOf(lookup)} is being looked up`, ...timeIn(plan) };
  },
  podsStay: (plan) => podsStay(plan, evictingState(plan)),
  podsToMove: arePodsToMove,
  /** Pods or jobs are left that the policy wants gone, although the Maintenance Operator has drained the node. */
  drainIncomplete: (plan) => jobsOf(plan).length > 0 || arePodsToMove(plan) || arePodsRefused(plan),
  /** The node is past the restart of its driver: it has no old driver pod any more, and what restarts its driver has begun. */
  driverRestarted: (plan) =>
    plan.state === 'pod-restart-required' && oldDriverPods(plan.view).length === 0 && !asksToBegin(plan),
  asksAgain: asksToBegin,
  validationEnabled: (plan) => validationOf(plan) !== undefined,
  validated: (plan) => {
    const lack = validationLack(plan);
    return lack === undefined || { kind: 'validation', message: lack, ...timeIn(plan) };
  },
} satisfies Record<string, Guard>;

/** All guards of the transition table. */
export const GUARDS = {
  ...DRIVER_POD_GUARDS,
  ...STATE_GUARDS,
  ...CORDON_GUARDS,
  ...DRAIN_GUARDS,
  ...BEGIN_GUARDS,
  ...MAINTENANCE_GUARDS,
} satisfies Record<string, Guard>;
