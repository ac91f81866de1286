import type { WaitReason } from '../../model/types.js';
import type { Canaries } from './limits.js';
import { isSkipped, isUnschedulable, type NodePlan, type PlannedPart } from './plan.js';

/** It waits for a maintenance that the companion may begin. */
export function isDue({ state, part }: PlannedPart): boolean {
  return state === 'upgrade-required' && part.suspended === undefined;
}

/** Why the maintenance may not begin for a participant. */
export function partWait(plan: NodePlan, one: PlannedPart): WaitReason | undefined {
  if (isSkipped(plan, one.part)) return { kind: 'skip', message: `label ${one.part.participant.keys.skip}` };
  if (plan.shared.isPaused) return { kind: 'pause', message: 'the companion is paused' };
  return one.answers.beginWait(plan, one);
}

/** A node with a reserved place waits only for canaries that have begun: otherwise two of them would wait for each other. */
export function waitForCanaries(plan: NodePlan, canaries: Canaries | undefined): WaitReason | undefined {
  if (canaries === undefined) return undefined;
  const { isCanary, finished, begun, reserved, desired, wait } = canaries;
  const taken = reserved.has(plan.node.name) ? begun - reserved.size : begun;
  if (wait === undefined || (isCanary(plan.node) && taken < desired)) return undefined;
  // No canary is in progress, so a user has to act.
  return wait.kind === 'canary' && begun === finished ? { ...wait, kind: 'canary-missing' } : wait;
}

/**
 * Lets the participants take part that became due while the node is in maintenance, so that it is taken out once. They need no slot and no window;
 * what is not harmless waits for its canaries. What is harmless may be what keeps the node out, and its canaries may wait for the place of the node.
 */
export function takePart(plan: NodePlan): readonly PlannedPart[] {
  const added: PlannedPart[] = [];
  for (const [one, wait] of candidates(plan)) {
    one.wait = wait;
    if (wait !== undefined) continue;
    one.isMember = true;
    const canaries = plan.shared.fleet.canariesOf(one.name, plan.node);
    if (canaries?.isCanary(plan.node) === true && !canaries.reserved.delete(plan.node.name)) canaries.begun += 1;
    added.push(one);
  }
  return added;
}

/** Whether a participant would take part in a maintenance that the node goes back to. */
export function wouldTakePart(plan: NodePlan): boolean {
  return candidates(plan).some(([, wait]) => wait === undefined);
}

/** The participants that are due and take no part, and why each cannot. */
function candidates(plan: NodePlan): readonly (readonly [PlannedPart, WaitReason | undefined])[] {
  // A node that is back in service needs a slot.
  const isBack = plan.phase === 'uncordon' || plan.seen === 'failed';
  if (isBack && !isUnschedulable(plan)) return [];
  const due = plan.parts.filter((one) => !one.isMember && isDue(one));
  return due.map((one) => [one, partWait(plan, one) ?? takePartWait(plan, one)]);
}

function takePartWait(plan: NodePlan, one: PlannedPart): WaitReason | undefined {
  if (one.answers.isHarmless(plan)) return undefined;
  const { fleet } = plan.shared;
  return fleet.haltOf(plan.node) ?? waitForCanaries(plan, fleet.canariesOf(one.name, plan.node));
}
