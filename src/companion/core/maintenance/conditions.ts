import type { MaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import type { SnapshotNode, WaitReason } from '../../model/types.js';
import { blockersText } from '../drain/blockers.js';
import { hasPodsToMove } from './pods-to-move.js';
import { nameOf } from '../../model/pod.js';
import { isOtherDesired } from './clock.js';
import { hasOwnCordon } from './cordon.js';
import { jobsWait } from './jobs.js';
import { failedElsewhere, foreignFlow } from './node-facts.js';
import {
  cordonUnobserved,
  drainingMembers,
  evictingState,
  evictionTime,
  hasLatePods,
  isToDrain,
  nodeDrain,
} from './node-drain.js';
import {
  annotation,
  firstReason,
  isSkipped,
  isUnschedulable,
  membersOf,
  type NodePlan,
  type PlannedPart,
  type Condition,
  type Part,
} from './plan.js';
import { wouldTakePart } from './take-part.js';
import { failureOf, isLiftedInRestart, isLostOften, isRestartBegun } from './failures.js';
import { holderOf, progressOf, restartWait, turnWait } from './turns.js';
import { validationWait } from './validation.js';

/** The node is at rest by its labels, and its maintenance has not ended. */
export const isLeft: Condition = (plan) =>
  isLeftOut(plan) &&
  (firstReason(interrupted(plan), ({ part }) => part.suspended) ??
    foreignFlow(plan) ??
    failedElsewhere(plan) ??
    (hasOwnCordon(plan) ? undefined : firstReason(plan.parts, unknownWait)) ??
    true);

/** It may turn out that it is due again. */
function unknownWait({ state, answers }: PlannedPart): WaitReason | undefined {
  const due = state === '' ? answers.due() : undefined;
  return due?.kind === 'unknown'
    ? (due.wait ?? { kind: 'cache-sync', message: 'its driver pod is not known yet' })
    : undefined;
}

/** The participants of an interrupted maintenance: those of its record and what is due since, or all that the node has. */
export function interrupted(plan: NodePlan): readonly PlannedPart[] {
  const { wants } = plan.record;
  return plan.parts.filter(({ name, part, answers }) => {
    if (!part.isManaged || isLeftDue(plan.record, plan.node, part)) return false;
    return wants === undefined || name in wants || (part.suspended === undefined && answers.due().kind === 'due');
  });
}

/** The companion found it due while the node was out for others, and it is skipped. */
export function isLeftDue({ due, cordon }: MaintenanceRecord, node: SnapshotNode, part: Part): boolean {
  if (part.state !== 'upgrade-required' || !node.unschedulable || cordon === undefined) return false;
  return due?.includes(part.participant.name) === true && isSkipped({ node }, part);
}

/** The maintenance of a node has not ended, and its labels say that it is at rest. */
export function isLeftOut(plan: NodePlan): boolean {
  const { parts, phase } = plan;
  if (phase !== 'rest') return false;
  if (hasOwnCordon(plan)) return true;
  if (parts.some((one) => hasLostLabel(plan, one))) return true;
  return parts.some(
    ({ part }) =>
      part.suspended === undefined &&
      plan.shared.newMode.stateOf('cordon') !== undefined &&
      annotation(plan, part.participant.keys.requestorMode) !== undefined,
  );
}

/**
 * The label of a participant of the record is gone from a node that is still out, and its driver is not due again: it may be broken, or not validated.
 * Who also uncordons the node takes it back.
 */
function hasLostLabel({ record, node }: NodePlan, { name, part, answers }: PlannedPart): boolean {
  if (!node.unschedulable || record.wants?.[name] === undefined || part.state !== '' || !part.isManaged) return false;
  const { kind } = answers.due();
  return kind === 'in-sync' || kind === 'unknown';
}

/** It has its places in all limits although it has lost its state labels. */
export function isOutAtRest(plan: NodePlan): boolean {
  return plan.seen === 'rest' && isLeftOut(plan);
}

export const isOut: Condition = (plan) => plan.shared.modeOf(plan).outWait(plan) ?? true;

/** What restarts its members was done before the node was drained, or does not ask for it any more. */
export const isNothingLeftToDo: Condition = (plan) => {
  const members = membersOf(plan);
  return members.length > 0 && members.every(({ answers }) => answers.isOver);
};

export const isLost: Condition = (plan) =>
  !isRestartBegun(plan) && !isLostOften(plan) && plan.shared.modeOf(plan).isLost(plan);

export const isLifted: Condition = (plan) => isLiftedInRestart(plan) && !isLostOften(plan);

export const areJobsOver: Condition = (plan) => holdWait(plan) ?? jobsWait(plan) ?? placementWait(plan) ?? true;

/** Nothing would restart a member, so the node keeps its pods and its cordon. */
function holdWait(plan: NodePlan): WaitReason | undefined {
  return firstReason(membersOf(plan), ({ answers }) => answers.hold(plan));
}

/** Other nodes take the pods that its drain evicts. */
export function placementWait(plan: NodePlan): WaitReason | undefined {
  return hasPodsToMove(plan) ? plan.shared.placement.wait(plan) : undefined;
}

export const havePodsLeft: Condition = (plan) => {
  const members = drainingMembers(plan);
  const unobserved = firstReason(members, (member) =>
    cordonUnobserved(plan, evictingState(member) ?? 'drain-required'),
  );
  if (unobserved !== undefined) return unobserved;
  const { leaving, refusals, daemonSetLookups } = nodeDrain(plan);
  if (refusals.length > 0) return false;
  const [first] = [...leaving.values(), ...members];
  const state = first && evictingState(first);
  const time = first && state ? evictionTime(plan, first, state) : {};
  if (leaving.size > 0) {
    const hold = holdWait(plan);
    if (hold !== undefined) return { ...hold, ...time };
    const pods = [...leaving.keys()];
    const blockers = plan.shared.blockersOf(pods);
    const kind = pods.every((pod) => pod.deletionMs !== undefined) ? 'termination' : 'evictions';
    return { kind, message: blockersText(blockers, pods.length), ...time, blockers };
  }
  const [lookup] = daemonSetLookups;
  if (lookup === undefined) return true;
  return { kind: 'evictions', message: `DaemonSet ${nameOf(lookup)} is being looked up`, ...time };
};

export const isSomeToDrain: Condition = (plan) => membersOf(plan).some((member) => isToDrain(plan, member));

export const haveLatePods: Condition = (plan) => membersOf(plan).some((member) => hasLatePods(plan, member));

export const areRestarted: Condition = (plan) => restartWait(plan) ?? true;

export const isSomeUndone: Condition = (plan) =>
  membersOf(plan).some(
    (member) => progressOf(plan, member).kind !== 'done' || (plan.phase === 'uncordon' && isOtherDesired(plan, member)),
  );

export const areValidated: Condition = (plan) => validationWait(plan) ?? true;

export const hasFailed: Condition = (plan) => failureOf(plan) !== undefined;

/** Upstream does not look for other flows: their drain of the node may depend on this cordon. */
export const isBack: Condition = (plan) => {
  const holder = holderOf(plan);
  const needed = holder === undefined ? foreignFlow(plan) : turnWait(holder);
  return (isUnschedulable(plan) ? needed : undefined) ?? plan.shared.modeOf(plan).returnWait(plan) ?? true;
};

/** Upstream checks neither other flows nor the validation. What that lacks may be the work of a participant that takes part now. */
export const isRepaired: Condition = (plan) => {
  const members = membersOf(plan);
  if (!members.every((member) => progressOf(plan, member).kind === 'done')) return false;
  const lack = wouldTakePart(plan) ? undefined : validationWait(plan);
  return lack ?? foreignFlow(plan) ?? failedElsewhere(plan) ?? true;
};

/** Something else is desired than what failed, and can begin. */
export const isTriedAgain: Condition = (plan) => {
  const changed = membersOf(plan).filter((member) => isOtherDesired(plan, member));
  return changed.some(({ answers }) => answers.due().kind === 'due');
};
