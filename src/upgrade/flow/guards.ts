import { matchesSelector, selectorOf } from '../../kubernetes/selection/label-selector.js';
import { blockersText } from '../drain/blockers.js';
import { nameOf } from '../drain/filters.js';
import { currentDriverPod, driverFailure, driverPodWait, oldDriverPods, unlistedWait } from '../view/driver-pod.js';
import { cordonsLifted, hasCordonMark, isCordonReplaced, isMarkStale, MOST_CORDONS_LIFTED } from './cordon.js';
import { BEGIN_GUARDS } from './begin-guards.js';
import { isOfOtherDriver } from './records.js';
import { anyMissingDaemonSet, keptDaemonSet, SUCCESSOR_GUARDS } from './successor-guards.js';
import { validationLack, validationOf } from './validation.js';
import { drainView, resourcePodsView } from '../drain/drain-view.js';
import {
  annotation,
  driverTimeoutSeconds,
  isOver,
  isUnschedulable,
  podsOf,
  cordonObserved,
  startMs,
  until,
  type DrainView,
  type Guard,
  type WaitReason,
  type NodePlan,
} from './node-plan.js';
import { otherDriver } from '../view/driver-view.js';
import { NEEDS_CORDON } from '../model/node-states.js';
import type { SnapshotPod } from '../model/types.js';

/** Why a DaemonSet that this node depends on is not ready. */
function missingDaemonSet({ view, context: { driver } }: NodePlan): WaitReason | undefined {
  if (driver.notApplied.size === 0) return undefined;
  const owners = view.driverPods.map(({ pod }) => pod.controller?.name ?? '');
  const name = [view.covering?.name ?? '', ...owners].find((one) => driver.notApplied.has(one));
  const message = name === undefined ? undefined : driver.notApplied.get(name);
  return message === undefined ? undefined : { kind: 'daemon-set', message };
}

const DRIVER_POD_GUARDS = {
  driverPodOutdated: (plan) => {
    const missing = missingDaemonSet(plan);
    if (missing !== undefined) return missing;
    return plan.view.driverPods.some(({ pod, status }) => status === 'outdated' && pod.deletionMs === undefined);
  },
  driverPodRetired: (plan) =>
    plan.view.driverPods.some(({ status }) => status === 'retired') && (anyMissingDaemonSet(plan) ?? true),
  driverPodInSync: (plan) => currentDriverPod(plan.view) !== undefined && missingDaemonSet(plan) === undefined,
  driverPodReady: (plan) => currentDriverPod(plan.view)?.ready === true || driverPodWait(plan),
  driverPodFailing: (plan) => driverFailure(plan) !== undefined,
  oldDriverPod: (plan) => oldDriverPods(plan.view).length > 0,
  driverPodExists: (plan) => plan.view.driverPods.length > 0,
  waitsForSafeLoad: (plan) => (annotation(plan, plan.context.driver.keys.safeLoad) ?? '') !== '',
  requested: (plan) => annotation(plan, plan.context.driver.keys.requested) === 'true',
  becameOutdated: (plan) => annotation(plan, plan.context.driver.keys.outdated) === 'true',
  /** The DaemonSet of its driver is applied and listed, and no retired DaemonSet owns its driver pod. */
  daemonSetsReady: (plan) => {
    const missing = plan.view.covering === undefined ? anyMissingDaemonSet(plan) : missingDaemonSet(plan);
    if (missing !== undefined) return missing;
    const unlisted = unlistedWait(plan.view);
    if (unlisted !== undefined) return unlisted;
    const kept = keptDaemonSet(plan);
    if (kept !== undefined) return kept;
    const retired = plan.view.driverPods.find(
      ({ pod, status }) => status === 'retired' && pod.controller !== undefined,
    );
    const name = retired?.pod.controller?.name;
    return name === undefined || { kind: 'daemon-set', message: `the retired DaemonSet ${name} is still there` };
  },
} satisfies Record<string, Guard>;

const STATE_GUARDS = {
  ...SUCCESSOR_GUARDS,
  upToDate: (plan) => DRIVER_POD_GUARDS.driverPodInSync(plan) || SUCCESSOR_GUARDS.driverless(plan),
} satisfies Record<string, Guard>;

function jobsOf(plan: NodePlan): readonly SnapshotPod[] {
  const { podSelector } = plan.policy.waitForCompletion;
  if (podSelector === '') return [];
  const selector = selectorOf(podSelector);
  return podsOf(plan).filter(
    (pod) => (pod.phase === 'Running' || pod.phase === 'Pending') && matchesSelector(selector, pod.labels),
  );
}

/** Why the snapshot may still miss pods of the node; undefined when it cannot. */
function cordonUnobserved(plan: NodePlan, start: number | undefined): WaitReason | undefined {
  const state = cordonObserved(plan, start);
  return state === true
    ? undefined
    : { kind: 'cache-sync', message: 'its cordon is so recent that the cache may miss pods', wakeMs: state };
}

const JOB_GUARDS = {
  cordonRecorded: hasCordonMark,
  cordonMarkStale: isMarkStale,
  cordonReplaced: isCordonReplaced,
  /** Its upgrade began before this decision, for another driver than the one that is wanted. */
  forOtherDriver: (plan) => plan.steps.length === 0 && isOfOtherDriver(plan),
  cordoned: isUnschedulable,
  cordonLiftedOften: (plan) => cordonsLifted(plan) >= MOST_CORDONS_LIFTED,
  /** The snapshot has the cordon and the state that the decision starts from. Pods are evicted or deleted only then. */
  cordonSeen: (plan) => plan.view.node.unschedulable && plan.steps.length === 0,
  jobsDone: (plan) => {
    const { podSelector, timeoutSeconds } = plan.policy.waitForCompletion;
    if (podSelector === '') return true;
    const start = startMs(plan, plan.context.driver.keys.waitStart);
    const jobs = jobsOf(plan);
    if (jobs.length === 0) return cordonUnobserved(plan, start) ?? true;
    return {
      kind: 'jobs',
      message: `waits for ${jobs.length} pods of jobs: ${jobs.slice(0, 3).map(nameOf).join(', ')}`,
      ...(start === undefined ? {} : { sinceMs: start }),
      ...until(start, timeoutSeconds),
      blockers: jobs.slice(0, 10).map((pod) => ({ pod: nameOf(pod), budgets: [], reason: `is ${pod.phase}` })),
    };
  },
  jobsTimedOut: (plan) =>
    plan.view.node.unschedulable &&
    isOver(plan, startMs(plan, plan.context.driver.keys.waitStart), plan.policy.waitForCompletion.timeoutSeconds),
  jobWaitEnabled: (plan) => plan.policy.waitForCompletion.podSelector !== '',
  jobWaitStarted: (plan) => startMs(plan, plan.context.driver.keys.waitStart) !== undefined,
} satisfies Record<string, Guard>;

/** True if all pods that must leave the node have left it, otherwise what the node waits for. */
function podsHaveLeft(
  plan: NodePlan,
  { leaving, daemonSetLookups }: DrainView,
  start: number | undefined,
  timeoutSeconds: number,
): true | WaitReason {
  const about = { ...(start === undefined ? {} : { sinceMs: start }), ...until(start, timeoutSeconds) };
  if (leaving.length > 0) {
    const blockers = plan.context.blockersOf(leaving);
    const kind = leaving.every((pod) => pod.deletionMs !== undefined) ? 'termination' : 'evictions';
    return { kind, message: blockersText(blockers, leaving.length), ...about, blockers };
  }
  const [lookup] = daemonSetLookups;
  if (lookup === undefined) return true;
  return { kind: 'evictions', message: `DaemonSet ${nameOf(lookup)} is being looked up`, ...about };
}

const DRAIN_GUARDS = {
  podDeletionEnabled: (plan) => plan.context.driver.policy.resourcePrefixes.length > 0,
  podDeletionStarted: (plan) => startMs(plan, plan.context.driver.keys.podDeletionStart) !== undefined,
  resourcePodsDeleted: (plan) => {
    const start = startMs(plan, plan.context.driver.keys.podDeletionStart);
    const young = cordonUnobserved(plan, start);
    if (young !== undefined) return young;
    const view = resourcePodsView(plan);
    return view.refusals.length === 0 && podsHaveLeft(plan, view, start, plan.policy.podDeletion.timeoutSeconds);
  },
  podDeletionRefused: (plan) =>
    cordonUnobserved(plan, startMs(plan, plan.context.driver.keys.podDeletionStart)) ??
    resourcePodsView(plan).refusals.length > 0,
  podDeletionTimedOut: (plan) =>
    isOver(plan, startMs(plan, plan.context.driver.keys.podDeletionStart), plan.policy.podDeletion.timeoutSeconds),
  drainEnabled: (plan) => plan.policy.drain.enable,
  drainStarted: (plan) => startMs(plan, plan.context.driver.keys.drainStart) !== undefined,
  drained: (plan) => {
    const start = startMs(plan, plan.context.driver.keys.drainStart);
    return (
      cordonUnobserved(plan, start) ?? podsHaveLeft(plan, drainView(plan), start, plan.policy.drain.timeoutSeconds)
    );
  },
  drainRefused: (plan) =>
    cordonUnobserved(plan, startMs(plan, plan.context.driver.keys.drainStart)) ?? drainView(plan).refusals.length > 0,
  drainTimedOut: (plan) =>
    isOver(plan, startMs(plan, plan.context.driver.keys.drainStart), plan.policy.drain.timeoutSeconds),
} satisfies Record<string, Guard>;

const VALIDATION_GUARDS = {
  validationEnabled: (plan) => validationOf(plan) !== undefined,
  validated: (plan) => {
    const lack = validationLack(plan);
    if (lack === undefined) return true;
    const start = startMs(plan, plan.context.driver.keys.validationStart);
    const since = start === undefined ? {} : { sinceMs: start };
    return { kind: 'validation', message: lack, ...since, ...until(start, validationOf(plan)?.timeoutSeconds ?? 0) };
  },
  validationTimedOut: (plan) =>
    isOver(plan, startMs(plan, plan.context.driver.keys.validationStart), validationOf(plan)?.timeoutSeconds ?? 0),
  validationStarted: (plan) => startMs(plan, plan.context.driver.keys.validationStart) !== undefined,
  /** No other driver needs the cordon. */
  cordonUnneeded: (plan) => {
    const other = otherDriver(plan.context.driver.keys, plan.view.node, NEEDS_CORDON);
    return other === undefined || { kind: 'other-driver', message: `the ${other} driver needs its cordon` };
  },
  wasUnschedulable: (plan) => annotation(plan, plan.context.driver.keys.initialState) !== undefined,
} satisfies Record<string, Guard>;

const RESTART_GUARDS = {
  /** The node has pods that the drain or the deletion of resource pods would evict, and its old driver pod still runs. */
  podsToMove: (plan) => {
    if (!plan.view.node.unschedulable || oldDriverPods(plan.view).every(({ pod }) => pod.deletionMs !== undefined))
      return false;
    if (DRAIN_GUARDS.podDeletionEnabled(plan)) {
      // Without resource pods the flow does not drain. If their deletion failed, only the drain evicts pods.
      if (resourcePodsView(plan).leaving.length === 0) return false;
      if (!DRAIN_GUARDS.podDeletionTimedOut(plan) && DRAIN_GUARDS.podDeletionRefused(plan) !== true) return true;
    }
    return plan.policy.drain.enable && drainView(plan).leaving.length > 0;
  },
  restartStarted: (plan) => startMs(plan, plan.context.driver.keys.restartStart) !== undefined,
  /** The node is past the restart of its driver: it has no old driver pod any more. */
  driverRestarted: (plan) => plan.state === 'pod-restart-required' && oldDriverPods(plan.view).length === 0,
  driverTimedOut: (plan) =>
    isOver(plan, startMs(plan, plan.context.driver.keys.restartStart), driverTimeoutSeconds(plan)),
} satisfies Record<string, Guard>;

/** All guards of the transition table. */
export const GUARDS = {
  ...DRIVER_POD_GUARDS,
  ...STATE_GUARDS,
  ...JOB_GUARDS,
  ...DRAIN_GUARDS,
  ...RESTART_GUARDS,
  ...VALIDATION_GUARDS,
  ...BEGIN_GUARDS,
} satisfies Record<string, Guard>;
