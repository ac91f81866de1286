import { omit } from '../../../shared/lib/omit.js';
import type { WaitReason } from '../../model/types.js';
import { isOver, restartTime, runningRestarts } from './clock.js';
import { type Progress, membersOf, remember, type NodePlan, type PlannedPart } from './plan.js';

export function progressOf(plan: NodePlan, { answers }: PlannedPart): Progress {
  return answers.progress(plan);
}

/** The members whose restart may go on, and the others that do not, each with the participant that it waits for. */
function turnsOf(plan: NodePlan): {
  readonly going: readonly (readonly [PlannedPart, Progress])[];
  readonly waiting: readonly (readonly [PlannedPart, PlannedPart])[];
} {
  const going: (readonly [PlannedPart, Progress])[] = [];
  const waiting: (readonly [PlannedPart, PlannedPart])[] = [];
  const undone = membersOf(plan).map((member) => [member, progressOf(plan, member)] as const);
  const working = undone.flatMap(([member, { kind }]) => (kind === 'done' ? [] : [member]));
  const loading = plan.parts.filter(({ isMember, answers }) => !isMember && answers.isLoading(plan));
  for (const [member, progress] of undone) {
    if (progress.kind === 'done') {
      // A node that was booted loads again what is before it.
      const before = loading.find(({ part }) => part.participant.order < member.part.participant.order);
      if (before !== undefined) waiting.push([member, before]);
      continue;
    }
    const other = comesBefore(member, [...working, ...loading], holderOf(plan));
    if (other === undefined) going.push([member, progress]);
    else waiting.push([member, other]);
  }
  return { going, waiting };
}

/**
 * The participant that a member waits for: one before it in the order; for a member that takes something away one that was told that the node is its
 * own, and the other way round. Loading a driver waits for neither: that one may need it.
 */
function comesBefore(
  member: PlannedPart,
  working: readonly PlannedPart[],
  holder: PlannedPart | undefined,
): PlannedPart | undefined {
  if (holder === member) return undefined;
  const { answers, part } = member;
  if (holder !== undefined && answers.isUnloaded) return holder;
  return working.find(
    (one) =>
      one.part.participant.order < part.participant.order ||
      (answers.takesNode && one !== member && one.answers.isUnloaded),
  );
}

/** The participant that was told that the node is its own. */
export function holderOf({ parts }: NodePlan): PlannedPart | undefined {
  return parts.find(({ answers }) => answers.holdsNode);
}

/** What a participant waits for that another one keeps from going on. */
export function turnWait({ name, isMember, wait, part }: PlannedPart): WaitReason {
  const message = `waits until ${name} is done on the node`;
  const reason = isMember ? undefined : (wait ?? part.suspended);
  return reason === undefined
    ? { kind: 'other-driver', message }
    : { ...reason, message: `${message}: ${reason.message}` };
}

/** Runs the times of the members that are restarted, and stops those of the others. */
export function runRestartTimes(plan: NodePlan): void {
  const { going, waiting } = turnsOf(plan);
  // The time of the other one runs, if that takes part. Otherwise nothing would end the wait.
  const isTimed = (other: PlannedPart): boolean => other.isMember || other.answers.holdsNode;
  const stopped = new Set(waiting.flatMap(([{ name }, other]) => (isTimed(other) ? name : [])));
  // The node is booted for the one that has it.
  const isBooted = holderOf(plan) !== undefined && plan.node.ready !== 'True';
  const started: Record<string, number> = {};
  for (const [{ name, part }, progress] of going) {
    // What has the node for itself may wait for one before it in the order.
    const isBefore = going.some(([one]) => one.part.participant.order < part.participant.order);
    const isTimeStopped = isBefore || isBooted || (progress.kind === 'at-work' && progress.isTimeStopped === true);
    if (isTimeStopped) stopped.add(name);
    else started[name] = plan.shared.nowMs / 1000;
  }
  for (const [{ name }] of waiting) if (!stopped.has(name)) started[name] = plan.shared.nowMs / 1000;
  const running = omit(runningRestarts(plan), (name) => stopped.has(name));
  remember(plan, { restarts: { ...started, ...running } });
}

/** The members that are restarted now. */
export function goingOn(plan: NodePlan): readonly PlannedPart[] {
  return turnsOf(plan).going.map(([member]) => member);
}

/** Why a member must not take away what it has on the node, also in its turn: another program has the node for itself. */
export function keptByOthersWait({ shared, node }: NodePlan, { answers }: PlannedPart): WaitReason | undefined {
  return answers.isUnloaded ? shared.keptByOthers(node) : undefined;
}

/** Whether a member may go on: it is in its turn, and nothing holds it. */
export function isInTurn(plan: NodePlan, member: PlannedPart): boolean {
  return keptByOthersWait(plan, member) === undefined && goingOn(plan).includes(member);
}

/** What the node waits for until all of its members are done. Each member gets its own reason. */
export function restartWait(plan: NodePlan): WaitReason | undefined {
  const { going, waiting } = turnsOf(plan);
  for (const [member, other] of waiting) member.wait = { ...restartTime(plan, member), ...turnWait(other) };
  let first: WaitReason | undefined;
  for (const [member, progress] of going) {
    if (progress.kind !== 'at-work') continue;
    member.wait = { ...restartTime(plan, member), ...progress.wait };
    first ??= member.wait;
  }
  first ??= waiting[0]?.[0].wait;
  if (first !== undefined) return first;
  // A failed one is no reason to wait.
  return going.length === 0 ? undefined : { kind: 'cache-sync', message: 'its patch is sent first' };
}

/** The member that says that it failed. */
export function failedMember(plan: NodePlan): readonly [PlannedPart, string] | undefined {
  for (const member of membersOf(plan)) {
    const progress = progressOf(plan, member);
    if (progress.kind === 'failed') return [member, progress.reason];
  }
  return undefined;
}

/** The member whose restart took longer than it may. */
export function timedOutMember(plan: NodePlan): PlannedPart | undefined {
  const { going, waiting } = turnsOf(plan);
  const undone = [...going, ...waiting].map(([member]) => member);
  return undone.find((member) => isOver(restartTime(plan, member), plan.shared.nowMs));
}
