import { phaseOf, type MaintenancePhase, type NodeState } from '../../../shared/contract/node-states.js';
import { doneText } from '../../../shared/contract/done-record.js';
import { omit } from '../../../shared/lib/omit.js';
import { memoized } from '../../../shared/lib/memo.js';
import type { WaitReason } from '../../model/types.js';
import { hasPodsToMove } from './pods-to-move.js';
import { takeSlot } from './begin.js';
import { isDue, takePart } from './take-part.js';
import { interrupted, isLeftOut } from './conditions.js';
import { recordWants, startTime, stopTime } from './clock.js';
import { cordon, cordonOwner, hasOwnCordon, liftCordon, recordInitialCordon } from './cordon.js';
import { FAILURE_CHARACTERS, failedRestart, failureOf, type Failure } from './failures.js';
import { waitsForJobs } from './jobs.js';
import { evictingState, isToDrain } from './node-drain.js';
import { foreignFlow, isAtRestOrDue, isInMaintenance, isRetried, withKubelet } from './node-facts.js';
import { isUnschedulable, membersOf, remember, removeAnnotations, type NodePlan, type PlannedPart } from './plan.js';
import { protect } from './protection.js';
import { trimRecord } from './record.js';
import type { Row } from './table.js';
import { progressOf, runRestartTimes } from './turns.js';
import { nodeBefore, runValidationTime } from './validation.js';
import { act } from './act.js';
import { dueElsewhere } from './settle.js';

/** Rows by the phase that they start from, in their order. */
const rowsByPhase = memoized((table: readonly Row[]): ReadonlyMap<MaintenancePhase, readonly Row[]> => {
  const rows = new Map<MaintenancePhase, Row[]>();
  for (const row of table) for (const phase of row.from) rows.set(phase, [...(rows.get(phase) ?? []), row]);
  return rows;
});

const NO_ROWS: readonly Row[] = [];
/** Limits the steps of one decision, in case the table has a cycle. Longer than any path through the table. */
const MOST_STEPS = 30;

/**
 * Takes rows as long as one holds, then acts in the phase that the node has reached.
 *
 * @param mayBegin the turn of the node to begin has come
 */
export function advance(plan: NodePlan, table: readonly Row[], mayBegin: boolean): void {
  const rows = rowsByPhase(table);
  for (let taken = 0; taken < MOST_STEPS; taken += 1) {
    plan.wait = undefined;
    settleParts(plan);
    restoreLabels(plan);
    if (isInMaintenance(plan.phase)) admit(plan);
    prepare(plan);
    const row = plan.phase === 'due' && !mayBegin ? undefined : firstRow(plan, rows.get(plan.phase) ?? NO_ROWS);
    if (row === undefined) break;
    enter(plan, row);
    // A plan ends there. Rows from them are tried after the state was written.
    if (row.to === 'failed' || row.to === 'rest') break;
  }
  act(plan);
}

function firstRow(plan: NodePlan, rows: readonly Row[]): Row | undefined {
  for (const row of rows) {
    const answer: boolean | WaitReason = row.when(plan);
    if (answer === true) return row;
    if (answer !== false) plan.wait ??= answer;
  }
  return undefined;
}

/** The labels of participants that take no part in a maintenance: whether one is due for them. */
function settleParts(plan: NodePlan): void {
  // Its interrupted maintenance goes on, for what became due meanwhile, too.
  if (isLeftOut(plan)) return;
  for (const one of plan.parts)
    if (!one.isMember && one.part.isManaged && one.part.suspended === undefined) settlePart(plan, one);
  if (!isAtRestOrDue(plan.phase)) return;
  plan.phase = plan.parts.some(({ state }) => state === 'upgrade-required') ? 'due' : 'rest';
}

function settlePart(plan: NodePlan, one: PlannedPart): void {
  const { participant } = one.part;
  const { requested, initialState } = participant.keys;
  const due = one.answers.due();
  const known = plan.record.due ?? [];
  const clear = (): void => {
    const left = known.filter((name) => name !== one.name);
    remember(plan, { due: left });
    // Without a record a cordon of somebody else would be taken for that of an operator, which labelled the others.
    if (left.length === 0 && cordonOwner(plan) === 'other')
      for (const other of plan.parts)
        if (other !== one && isDue(other)) plan.annotations[other.part.participant.keys.initialState] = 'true';
    removeAnnotations(plan, requested);
    if (isAtRestOrDue(plan.phase)) removeAnnotations(plan, initialState);
  };
  if (one.state === 'upgrade-required') {
    const isReverted = due.kind === 'in-sync' && known.includes(one.name);
    if (isRetried(plan, one) || (due.kind !== 'never' && !isReverted)) return;
    clear();
    if (due.kind === 'never') step(plan, one, 'not-due', '', due.message);
    else {
      // With a cordon of the companion a node in no maintenance is not done: it goes on by the row `left`.
      const isLeft = plan.record.cordon !== undefined && isAtRestOrDue(plan.phase);
      const to = isLeft ? '' : 'upgrade-done';
      step(plan, one, 'not-due', to, 'its driver is up to date again before its maintenance began');
    }
    return;
  }
  if (one.state !== '' && one.state !== 'upgrade-done') return;
  if (due.kind === 'due') {
    remember(plan, { due: [...new Set([...known, one.name])] });
    const isPrePulled = plan.shared.rollout.prePull && participant.isPrePulled;
    if (due.isOutdated && isPrePulled && !isInMaintenance(plan.phase))
      remember(plan, { prePull: plan.record.prePull ?? Math.floor(plan.shared.nowMs / 1000) });
    if (!isInMaintenance(plan.phase) && cordonOwner(plan) === 'other') plan.annotations[initialState] = 'true';
    step(plan, one, 'due', 'upgrade-required', due.message);
  } else if (due.kind === 'in-sync') {
    if (one.state !== '' || (plan.record.cordon !== undefined && !isInMaintenance(plan.phase))) return;
    clear();
    step(plan, one, 'not-due', 'upgrade-done', 'its driver is up to date');
  } else if (due.kind === 'unknown') plan.wait ??= due.wait;
}

function step(plan: NodePlan, one: PlannedPart, row: string, to: NodeState, message: string): void {
  plan.steps.push({ driver: one.name, ...policyName(one), row, from: one.state, to, message });
  one.state = to;
}

function policyName({ part: { policy } }: PlannedPart): { readonly pool?: string } {
  return policy === undefined ? {} : { pool: policy.name };
}

/**
 * A member that has lost its label gets that of the others, and so does one that another program had while these were moved. One that needs all pods
 * gone meanwhile gets that of a drain.
 */
function restoreLabels(plan: NodePlan): void {
  for (const one of membersOf(plan)) {
    if (one.state === '') step(plan, one, 'left', stateIn(plan, one), 'its state label was lost');
    else if (isInMaintenance(plan.phase) && phaseOf(one.state) !== plan.phase)
      step(plan, one, 'left', stateIn(plan, one), 'it goes on with the others of its node');
    if (one.state === 'pod-deletion-required' && evictingState(one) === 'drain-required')
      step(plan, one, 'pods-kept', 'drain-required', 'all pods that a drain evicts have to leave it now');
  }
}

/** Participants that became due meanwhile take part in the maintenance, and get its label. None does in one that fails: they are due until it was repaired. */
function admit(plan: NodePlan): void {
  if (plan.phase === 'restart' && failedRestart(plan) !== undefined) return;
  const added = takePart(plan);
  for (const one of added) step(plan, one, 'begin', stateIn(plan, one), 'it takes part in the maintenance of the node');
  if (added.length === 0) return;
  stopTime(plan, 'validation-required');
  remember(plan, { before: nodeBefore(plan) });
  forgetDue(plan);
}

/** The members are not waiting for their maintenance any more. */
function forgetDue(plan: NodePlan): void {
  const members = new Set(membersOf(plan).map(({ name }) => name));
  const due = plan.record.due?.filter((name) => !members.has(name)) ?? [];
  const isNone = due.length === 0;
  remember(plan, { due: isNone ? undefined : due, ...(isNone && { prePull: undefined }) });
}

/** Times that run in the phase, before its rows are tried. */
function prepare(plan: NodePlan): void {
  if (isInMaintenance(plan.phase)) recordWants(plan);
  switch (plan.phase) {
    case 'cordon':
      if (plan.shared.modeOf(plan).stateOf('cordon') !== undefined) startTime(plan, 'node-maintenance-required');
      break;
    case 'jobs':
      if (membersOf(plan).some(waitsForJobs)) startTime(plan, 'wait-for-jobs-required');
      break;
    case 'drain':
      for (const member of membersOf(plan)) {
        const state = evictingState(member);
        if (state !== undefined) startTime(plan, state);
      }
      break;
    case 'restart':
      runRestartTimes(plan);
      break;
    case 'validate':
      runValidationTime(plan);
      break;
    case 'rest':
    case 'due':
    case 'uncordon':
    case 'failed':
      break;
  }
}

/** Takes a row: its effects, and the labels of all members. */
function enter(plan: NodePlan, row: Row): void {
  const from = plan.phase;
  // Its members move one by one.
  if (row.id === 'pods-kept') return moveToDrain(plan, row);
  const failure = row.to === 'failed' ? (failureOf(plan) ?? { failure: row.message }) : undefined;
  if (failure !== undefined) dismiss(plan);
  leave(plan, row);
  plan.phase = row.to;
  for (const one of plan.parts) {
    if (!one.isMember) continue;
    step(plan, one, row.id, stateIn(plan, one), row.message);
  }
  if (failure !== undefined) fail(plan, failure, from);
  if (row.to === 'rest') finish(plan);
  trimRecord(plan);
  if (row.to === 'due') for (const one of plan.parts) one.isMember = false;
}

function moveToDrain(plan: NodePlan, row: Row): void {
  for (const member of membersOf(plan).filter((one) => isToDrain(plan, one)))
    step(plan, member, row.id, 'drain-required', row.message);
}

/** What a row does before the phase changes. */
function leave(plan: NodePlan, row: Row): void {
  switch (row.id) {
    case 'left':
      for (const one of interrupted(plan)) one.isMember = true;
      break;
    case 'begin':
      begin(plan);
      break;
    case 'lost':
      remember(plan, { lifted: (plan.record.lifted ?? 0) + 1 });
      forget(plan, ({ answers }) => answers.isPending(plan));
      plan.shared.modeOf(plan).take(plan);
      break;
    case 'lifted':
      remember(plan, { lifted: (plan.record.lifted ?? 0) + 1 });
      cordon(plan);
      break;
    case 'jobs-over':
      if (hasPodsToMove(plan)) plan.shared.placement.take(plan);
      break;
    case 'late-pods':
      forget(plan, ({ answers }) => answers.isPending(plan));
      break;
    case 'retried':
      remember(plan, { blocked: undefined });
      break;
    case 'unblocked':
      remember(plan, { blocked: { retries: (plan.record.blocked?.retries ?? 0) + 1, pods: [] } });
      break;
    case 'late-jobs':
    case 'not-done':
      // Otherwise it falls over again and again, and its validation has one time.
      if (membersOf(plan).some(({ answers }) => answers.isPending(plan))) stopTime(plan, 'validation-required');
      forget(plan, (member) => progressOf(plan, member).kind !== 'done');
      break;
  }
}

/** The times of these members begin anew. */
function forget(plan: NodePlan, isOne: (member: PlannedPart) => boolean): void {
  const names = membersOf(plan)
    .filter(isOne)
    .map(({ name }) => name);
  remember(plan, { restarts: omit(plan.record.restarts, (name) => names.includes(name)) });
}

function begin(plan: NodePlan): void {
  // One that is tried again has the record of the cordon from before it was taken out.
  if (!plan.shared.modeOf(plan).isTaken(plan)) recordInitialCordon(plan);
  const before = nodeBefore(plan);
  const restartsBefore: Record<string, string> = {};
  for (const { name, answers, part } of membersOf(plan)) {
    if (answers.restartsBefore !== undefined) restartsBefore[name] = answers.restartsBefore;
    removeAnnotations(plan, part.participant.keys.requested);
  }
  remember(plan, { before, restartsBefore });
  forgetDue(plan);
  protect(plan);
  takeSlot(plan);
  // A node that was taken out in place would keep that cordon.
  const { inPlace, newMode } = plan.shared;
  (hasOwnCordon(plan) ? inPlace : newMode).take(plan);
}

function stateIn(plan: NodePlan, one: PlannedPart): NodeState {
  switch (plan.phase) {
    case 'rest':
      return 'upgrade-done';
    case 'due':
      return 'upgrade-required';
    case 'cordon':
      return plan.shared.modeOf(plan).stateOf('cordon') ?? 'cordon-required';
    case 'jobs':
      return 'wait-for-jobs-required';
    case 'drain':
      return evictingState({ ...one, state: 'wait-for-jobs-required' }) ?? 'drain-required';
    case 'restart':
      return 'pod-restart-required';
    case 'validate':
      return 'validation-required';
    case 'uncordon':
      return plan.shared.modeOf(plan).stateOf('uncordon') ?? 'uncordon-required';
    case 'failed':
      return 'upgrade-failed';
  }
}

/** Members that wait for the restart of another one, which fails, are due again: they begin when the node was repaired. */
function dismiss(plan: NodePlan): void {
  const failed = plan.phase === 'restart' ? failedRestart(plan) : undefined;
  if (failed === undefined) return;
  for (const member of membersOf(plan)) {
    if (member === failed[0] || member.answers.isTouched || !member.answers.isPending(plan)) continue;
    member.isMember = false;
    const wants = Object.entries(plan.record.wants ?? {}).filter(([name]) => name !== member.name);
    remember(plan, { wants: Object.fromEntries(wants), due: [...(plan.record.due ?? []), member.name] });
    step(plan, member, 'due', 'upgrade-required', 'it waits until the node is repaired');
  }
}

/** A node that only could not be emptied is given back, unless the rollout keeps it. */
function fail(plan: NodePlan, { failure, refusals, stuckPods }: Failure, from: MaintenancePhase): void {
  const { retries = 0 } = plan.record.blocked ?? {};
  remember(plan, { failure: withKubelet(plan, failure).slice(0, FAILURE_CHARACTERS), refusals, blocked: undefined });
  if (!isUnschedulable(plan)) remember(plan, { cordon: undefined });
  if (from !== 'drain' || plan.shared.rollout.onDrainFailure === 'keep') return;
  if (stuckPods !== undefined) remember(plan, { blocked: { retries, pods: [...stuckPods] } });
  if (membersOf(plan).some(({ answers }) => answers.isTouched)) return;
  // The drain of another program may depend on the cordon.
  if (foreignFlow(plan) !== undefined) return;
  plan.shared.modeOf(plan).release(plan);
  if (cordonOwner(plan) === 'companion') liftCordon(plan);
}

function finish(plan: NodePlan): void {
  plan.shared.modeOf(plan).giveBack(plan);
  for (const { part, isMember, answers } of plan.parts) {
    if (!isMember || !answers.wasChanged) continue;
    plan.annotations[part.participant.keys.done] = doneText(part.participant.rollout, plan.shared.nowMs);
  }
  liftCordon(plan);
  const isMoreDue = plan.parts.some(({ state }) => state === 'upgrade-required');
  if (isMoreDue) plan.phase = 'due';
  const { due = [], prePull } = plan.record;
  plan.record = isMoreDue ? { due, ...(prePull !== undefined && { prePull }) } : { due: dueElsewhere(plan) };
}
