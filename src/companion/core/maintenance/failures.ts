import type { MaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import { blockersText } from '../drain/blockers.js';
import { isOver, validationTime } from './clock.js';
import {
  drainingMembers,
  evictingState,
  isToDrain,
  memberDrain,
  MOST_REFUSALS,
  namedRefusals,
  nodeDrain,
  podsStay,
} from './node-drain.js';
import { isUnschedulable, membersOf, type NodePlan, type PlannedPart } from './plan.js';
import { failedMember, progressOf, timedOutMember } from './turns.js';
import { validationWait } from './validation.js';

/** Maximum length of the reason in the record. */
export const FAILURE_CHARACTERS = 500;

/** A cordon that is lifted more often is not set again: another program uncordons the node. */
const MOST_CORDONS_LIFTED = 3;

/** What the record says of a failure. */
export interface Failure {
  readonly failure: string;
  readonly refusals?: MaintenanceRecord['refusals'];
  /** Pods blocked its drain: the UIDs of those that stay for another reason than a PodDisruptionBudget. */
  readonly stuckPods?: readonly string[];
}

/** Why the node fails in its phase; undefined: it does not. */
export function failureOf(plan: NodePlan): Failure | undefined {
  switch (plan.phase) {
    case 'jobs':
      return lostFailure(plan);
    case 'drain':
      return lostFailure(plan) ?? evictionFailure(plan);
    case 'restart':
      return lostFailure(plan) ?? restartFailure(plan);
    case 'validate':
      return validationFailure(plan);
    case 'rest':
    case 'due':
    case 'cordon':
    case 'uncordon':
    case 'failed':
      return undefined;
  }
}

export function isLostOften({ record }: NodePlan): boolean {
  return (record.lifted ?? 0) >= MOST_CORDONS_LIFTED;
}

/** Nothing is left to be taken away from pods: the restarts of all members have begun. */
export function isRestartBegun(plan: NodePlan): boolean {
  return plan.phase === 'restart' && !membersOf(plan).some(({ answers }) => answers.isPending(plan));
}

/** Pods may be bound to the node, below which its driver is loaded. A cordon that another program was asked for is that program's. */
export function isLiftedInRestart(plan: NodePlan): boolean {
  if (plan.shared.modeOf(plan) !== plan.shared.inPlace) return false;
  const isUndone = (): boolean => membersOf(plan).some((member) => progressOf(plan, member).kind !== 'done');
  return isRestartBegun(plan) && !isUnschedulable(plan) && isUndone();
}

function lostFailure(plan: NodePlan): Failure | undefined {
  const isLost = isRestartBegun(plan) ? isLiftedInRestart(plan) : plan.shared.modeOf(plan).isLost(plan);
  if (!isLost || !isLostOften(plan)) return undefined;
  return { failure: `its cordon was lifted ${(plan.record.lifted ?? 0) + 1} times before its driver was ready` };
}

/** Pods that must leave for a member may not be evicted, or did not leave in time. */
function evictionFailure(plan: NodePlan): Failure | undefined {
  const member = drainingMembers(plan).find((one) => {
    const state = evictingState(one);
    return state !== undefined && !isToDrain(plan, one) && podsStay(plan, one, state);
  });
  const state = member && evictingState(member);
  if (member === undefined || state === undefined) return undefined;
  const isDrain = state === 'drain-required';
  const { refusals } = memberDrain(plan, member, state);
  if (refusals.length > 0) {
    const failure = `${refusals.map(({ message }) => message).join('; ')}${isDrain ? '' : '; drain is off'}`;
    return { failure, refusals: namedRefusals(refusals), stuckPods: [] };
  }
  const pods = [...nodeDrain(plan).leaving.keys()];
  const [hold] = membersOf(plan).flatMap(({ answers }) => answers.hold(plan) ?? []);
  const why = hold?.message ?? blockersText(plan.shared.blockersOf(pods), pods.length);
  const stuckPods = pods.filter((pod) => pod.deletionMs !== undefined || !plan.shared.isKeptByBudget(pod));
  return {
    failure: `${isDrain ? 'draining' : 'deleting pods'} took too long: ${why}`,
    stuckPods: stuckPods.slice(0, MOST_REFUSALS).map(({ uid }) => uid),
  };
}

function restartFailure(plan: NodePlan): Failure | undefined {
  const failed = failedRestart(plan);
  return failed && { failure: failed[1] };
}

/** The member whose restart failed or took too long, and why. */
export function failedRestart(plan: NodePlan): readonly [PlannedPart, string] | undefined {
  const failed = failedMember(plan);
  if (failed !== undefined) return failed;
  const member = timedOutMember(plan);
  if (member === undefined) return undefined;
  return [member, `its driver took too long: ${member.answers.hold(plan)?.message ?? member.wait?.message ?? ''}`];
}

function validationFailure(plan: NodePlan): Failure | undefined {
  if (!isOver(validationTime(plan), plan.shared.nowMs)) return undefined;
  return { failure: `validation took too long: ${validationWait(plan)?.message ?? 'the driver pod is not ready'}` };
}
