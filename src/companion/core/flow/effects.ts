import { doneText } from '../../../shared/contract/done-record.js';
import {
  cordonOwner,
  cordonsLifted,
  isCordonOfOtherDriver,
  isReturnable,
  isTouched,
  operatorsTold,
  operatorsWaiting,
} from './cordon.js';
import { nameOf } from '../../model/pod.js';
import { currentDriverPod, oldDriverPods, restartsOf } from '../view/driver-pod.js';
import { driverFailure, driverPodWait } from './driver-pod-wait.js';
import { evictionsDue } from '../drain/evictions.js';
import { beforeUpgrade, validationLack } from './validation.js';
import { stopClocks, timeIn } from './clock.js';
import { isInRequestorMode } from './requestor-mode.js';
import { drainView, evictingState } from './drain-views.js';
import type { DrainView } from '../drain/drain-view.js';
import { missingSuccessor } from './successor-guards.js';
import {
  annotation,
  domainOf,
  hasPodsToMove,
  isPrePulled,
  isUnavailable,
  isUnschedulable,
  joins,
  removeAnnotations,
  type NodePlan,
} from './node-plan.js';
import type { EvictPod } from '../../model/types.js';
import { blockersText } from '../drain/blockers.js';

type Effect = (plan: NodePlan) => void;

/** Maximum length of the annotation `failure`. */
const FAILURE_CHARACTERS = 500;

function fail(plan: NodePlan, reason: string): void {
  const { cordoned } = plan.context.driver.keys;
  // The companion takes over the operator's cordon. Without the annotation the cordon would count as set after the failure.
  if (cordonOwner(plan) === 'operator') plan.annotations[cordoned] = 'true';
  plan.annotations[plan.context.driver.keys.failure] = reason.slice(0, FAILURE_CHARACTERS);
}

/**
 * Fails a node whose driver was restarted: it stays cordoned until its driver is repaired, also where another driver of the companion cordoned it, which
 * would lift that cordon.
 */
function failRestarted(plan: NodePlan, reason: string): void {
  const { cordoned, initialState } = plan.context.driver.keys;
  fail(plan, reason);
  if (isInRequestorMode(plan) || !isCordonOfOtherDriver(plan) || annotation(plan, initialState) === undefined) return;
  plan.annotations[cordoned] = 'true';
  removeAnnotations(plan, initialState);
}

const CORDON_EFFECTS = {
  recordInitialCordon: (plan) => {
    const { initialState } = plan.context.driver.keys;
    // It was recorded before the Maintenance Operator cordoned the node.
    if (isInRequestorMode(plan)) return;
    if (cordonOwner(plan) === 'other') plan.annotations[initialState] = 'true';
    else removeAnnotations(plan, initialState);
  },
  recordOutdated: (plan) => {
    const { keys } = plan.context.driver;
    plan.annotations[keys.outdated] = 'true';
    if (isPrePulled(plan)) plan.annotations[keys.prePullStart] = String(Math.floor(plan.context.nowMs / 1000));
  },
  clearCordonMark: (plan) => removeAnnotations(plan, plan.context.driver.keys.cordoned),
  renewRecords: (plan) => {
    stopClocks(plan);
    if (plan.view.wanted !== undefined) plan.annotations[plan.context.driver.keys.wanted] = plan.view.wanted;
  },
  /** The cordon is not the companion's, so it stays after the upgrade. */
  recordForeignCordon: (plan) => {
    removeAnnotations(plan, plan.context.driver.keys.cordoned);
    plan.annotations[plan.context.driver.keys.initialState] = 'true';
  },
  clearRequest: (plan) => {
    const { initialState, requested } = plan.context.driver.keys;
    removeAnnotations(plan, initialState, requested);
  },
  takeSlot: (plan) => {
    const { cordoned, requested } = plan.context.driver.keys;
    takeSlot(plan);
    CORDON_EFFECTS.recordInitialCordon(plan);
    recordBefore(plan);
    recordRestarts(plan);
    if (cordonOwner(plan) === 'operator') plan.annotations[cordoned] = 'true';
    removeAnnotations(plan, requested);
  },
  cordon: (plan) => {
    const { cordoned, initialState } = plan.context.driver.keys;
    if (isUnschedulable(plan)) return;
    plan.unschedulable = true;
    plan.annotations[cordoned] = 'true';
    // The administrator's earlier cordon was lifted, so this one is the companion's.
    removeAnnotations(plan, initialState);
    // An operator lifts any cordon when its flow is done, except one that its annotation says it found.
    for (const operator of operatorsWaiting(plan)) plan.annotations[operator.initialState] = 'true';
  },
  askOperator: (plan) => {
    plan.annotations[plan.context.driver.keys.requestorMode] = 'true';
  },
  leaveOperator: (plan) => removeAnnotations(plan, plan.context.driver.keys.requestorMode),
  countLiftedCordon: (plan) => {
    plan.annotations[plan.context.driver.keys.cordonLifted] = String(cordonsLifted(plan) + 1);
  },
  keepCordon: (plan) => {
    plan.cordonKept = isUnschedulable(plan);
  },
  uncordon,
  /** Uncordons a node whose driver still runs, unless the cordon is not the companion's or another driver needs it. */
  returnToService: (plan) => {
    if (plan.context.rollout.onDrainFailure === 'keep') return;
    // Without the annotation the node is given back to the Maintenance Operator.
    if (isInRequestorMode(plan) && !isTouched(plan)) CORDON_EFFECTS.leaveOperator(plan);
    if (!isReturnable(plan)) return;
    uncordon(plan);
    removeAnnotations(plan, plan.context.driver.keys.cordoned);
  },
  takeRoom: (plan) => {
    if (hasPodsToMove(plan)) plan.context.room.take(plan.view, plan.context.driver);
  },
  finish: (plan) => {
    const { initialState, cordoned, done } = plan.context.driver.keys;
    removeAnnotations(plan, initialState, cordoned);
    // Nothing was upgraded where the operator has left the node.
    if (plan.view.operatorState !== '')
      plan.annotations[done] = doneText(plan.context.driver.rollout, plan.context.nowMs);
  },
} satisfies Record<string, Effect>;

/** An operator that begins with the node from now on finds no cordon, and has to lift its own. */
function uncordon(plan: NodePlan): void {
  plan.unschedulable = false;
  for (const { initialState } of operatorsTold(plan)) removeAnnotations(plan, initialState);
}

function recordBefore(plan: NodePlan): void {
  const { before } = plan.context.driver.keys;
  const record = beforeUpgrade(plan);
  if (record !== undefined) plan.annotations[before] = record;
}

function recordRestarts(plan: NodePlan): void {
  const pod = currentDriverPod(plan.view);
  const restarts = pod === undefined ? 0 : restartsOf(pod);
  if (pod !== undefined && restarts > 0)
    plan.annotations[plan.context.driver.keys.restartsBefore] = `${pod.uid} ${restarts}`;
}

function takeSlot(plan: NodePlan): void {
  const { node } = plan.view;
  const { fleet, begun, driver } = plan.context;
  if (fleet === undefined) return;
  begun.set(node.name, driver.policy.labelPrefix);
  const isAlready = isUnavailable(plan);
  // A node that is out for another driver is counted already, as a canary too.
  if (!joins(plan)) {
    for (const budget of fleet.budgetsOf(plan)) {
      budget.inProgress += 1;
      if (!isAlready) budget.unavailable += 1;
    }
    for (const canaries of fleet.canariesFor(plan)) if (canaries.isCanary(node)) canaries.begun += 1;
  }
  CORDON_EFFECTS.takeRoom(plan);
  fleet.domains.add(domainOf(fleet.rollout, node));
}

const POD_EFFECTS = {
  waitForSuccessor: (plan) => {
    const wait = missingSuccessor(plan);
    plan.waitReason = wait && { ...wait, ...timeIn(plan) };
  },
  evictPods: (plan) => evict(plan, drainView(plan)),
  unblockLoading: (plan) => removeAnnotations(plan, plan.context.driver.keys.safeLoad),
  deleteOldDriverPods: (plan) => {
    const old = oldDriverPods(plan.view).map(({ pod }) => pod);
    plan.actions = old
      .filter(({ deletionMs }) => deletionMs === undefined)
      .map((pod) => ({ kind: 'deletePod', ...target(plan, pod), reason: 'driver-restart' }));
    plan.waitReason = {
      kind: 'termination',
      ...timeIn(plan),
      message: `waits for its old driver pod ${old.map(nameOf).join(', ')} to end`,
    };
  },
} satisfies Record<string, Effect>;

function target(plan: NodePlan, pod: { readonly namespace: string; readonly name: string; readonly uid: string }) {
  const { namespace, name, uid } = pod;
  return { driver: plan.context.driver.policy.labelPrefix, node: plan.view.node.name, namespace, name, uid };
}

/** Evicts the pods that are due; none while a pod of the node must not be evicted or a DaemonSet must be looked up. */
function evict(plan: NodePlan, view: DrainView): void {
  plan.daemonSetLookups = view.daemonSetLookups;
  plan.warnings = [...view.warnings, ...view.warningOf.values()];
  if (view.refusals.length > 0 || view.daemonSetLookups.length > 0) return;
  const driver = plan.context.driver.policy.labelPrefix;
  const node = plan.view.node.name;
  const { byNode, shiftMs } = plan.context.snapshot.evictions;
  const { due, nextMs } = evictionsDue(
    view.leaving,
    byNode.get(node),
    plan.context.nowMs - shiftMs,
    plan.context.evictions.left,
  );
  plan.context.evictions.left -= due.length;
  plan.actions = due.map(({ namespace, name, uid, controller }): EvictPod => {
    const warning = view.warningOf.get(uid);
    // Not a spread: there may be 100,000 evictions, and a spread would allocate each object twice.
    const eviction: EvictPod = { kind: 'evictPod', driver, node, namespace, name, uid, controllerUid: controller?.uid };
    return warning === undefined ? eviction : { ...eviction, warning };
  });
  plan.nextEvictionMs = nextMs;
}

const FAIL_EFFECTS = {
  failCordonLifted: (plan) =>
    fail(plan, `its cordon was lifted ${cordonsLifted(plan) + 1} times before its driver was restarted`),
  failEvictions: (plan) => {
    const isDrain = evictingState(plan) === 'drain-required';
    const { leaving, refusals } = drainView(plan);
    const left = () => blockersText(plan.context.blockersOf(leaving), leaving.length);
    const why = missingSuccessor(plan)?.message ?? left();
    if (refusals.length > 0) fail(plan, `${refusals.join('; ')}${isDrain ? '' : '; drain is off'}`);
    else fail(plan, `${isDrain ? 'draining' : 'deleting pods'} took too long: ${why}`);
  },
  failDriverPod: (plan) => failRestarted(plan, driverFailure(plan) ?? 'its driver pod fails'),
  failDriverTimeout: (plan) =>
    failRestarted(plan, `its driver took too long: ${(missingSuccessor(plan) ?? driverPodWait(plan)).message}`),
  failValidation: (plan) =>
    failRestarted(plan, `validation took too long: ${validationLack(plan) ?? 'the driver pod is not ready'}`),
} satisfies Record<string, Effect>;

/** All effects of the transition table. */
export const EFFECTS = {
  ...CORDON_EFFECTS,
  ...POD_EFFECTS,
  ...FAIL_EFFECTS,
} satisfies Record<string, Effect>;
