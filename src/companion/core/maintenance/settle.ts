import { omit } from '../../../shared/lib/omit.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { phaseOf, type MaintenancePhase, type NodeState } from '../../../shared/contract/node-states.js';
import type { SnapshotNode } from '../../model/types.js';
import { isLeftDue, isLeftOut } from './conditions.js';
import { isOtherDesired, recordWants, renewTimes } from './clock.js';
import { hasOwnCordon, isCordonReplaced, wasCordoned } from './cordon.js';
import { isAtRestOrDue, isInMaintenance, stateLabels } from './node-facts.js';
import {
  type NodePart,
  annotation,
  membersOf,
  remember,
  removeAnnotations,
  type NodePlan,
  type PlannedPart,
  type Shared,
} from './plan.js';
import type { MaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import { recordOf, trimRecord } from './record.js';

/** The plan of a node as the snapshot has it: its phase is the earliest of the states of its participants that are in maintenance. */
export function newPlan(shared: Shared, node: SnapshotNode, here: readonly NodePart['part'][]): NodePlan {
  const parts = here.map((part): PlannedPart => {
    const { name } = part.participant;
    return { part, name, answers: part.answers, state: part.state as NodeState, isMember: false, wait: undefined };
  });
  const record = recordOf(node, shared.names, shared.nowMs);
  const seen = seenPhase(parts, record, node);
  for (const one of parts) {
    const phase = phaseOf(one.part.state);
    // One that has lost its label still takes part.
    const isPart =
      phase === 'failed' || (one.part.isManaged && one.state === '' && record.wants?.[one.name] !== undefined);
    one.isMember = seen === 'failed' ? isPart : isInMaintenance(seen) && (isInMaintenance(phase) || isPart);
  }
  return {
    shared,
    node,
    pods: shared.snapshot.pods.onNode(node.name),
    parts,
    seen,
    phase: seen,
    recorded: record,
    record,
    annotations: {},
    labels: {},
    unschedulable: undefined,
    steps: [],
    actions: NOTHING,
    daemonSetLookups: NOTHING,
    warnings: NOTHING,
    isCordonKept: false,
    wait: undefined,
    nextEvictionMs: undefined,
    drain: undefined,
  };
}

const NOTHING: readonly never[] = [];

const ORDER: readonly MaintenancePhase[] = ['cordon', 'jobs', 'drain', 'restart', 'validate', 'uncordon'];

/** A failed node is tried again when a user has moved the label of one that took part. What became due meanwhile waits. */
function seenPhase(parts: readonly PlannedPart[], record: MaintenanceRecord, node: SnapshotNode): MaintenancePhase {
  const phases = new Set(parts.map(({ part }) => phaseOf(part.state)));
  const begun = ORDER.find((phase) => phases.has(phase));
  if (begun !== undefined) return begun;
  const isDue = (one: PlannedPart): boolean => phaseOf(one.part.state) === 'due';
  if (!phases.has('failed'))
    return parts.some((one) => isDue(one) && !isLeftDue(record, node, one.part)) ? 'due' : 'rest';
  const isRetried = parts.some((one) => isDue(one) && record.wants?.[one.name] !== undefined);
  return isRetried ? 'due' : 'failed';
}

/**
 * Brings labels and record together where they do not fit: an operator went on with the node or had begun with it, a user moved or removed a label, or
 * the section of a participant was removed.
 */
export function settle(plan: NodePlan): void {
  clearRemoved(plan);
  adoptCordon(plan);
  if (isInMaintenance(plan.phase)) {
    if (isCordonReplaced(plan) || isOfOthers(plan)) {
      remember(plan, { cordon: undefined });
      for (const { part } of membersOf(plan)) plan.annotations[part.participant.keys.initialState] = 'true';
    }
  } else if (!hasOwnCordon(plan) || isOfOthers(plan)) remember(plan, { cordon: undefined });
  if (isAtRestOrDue(plan.phase) && isOfAnother(plan)) return;
  if (plan.phase === 'rest' && !isLeftOut(plan)) plan.record = {};
  trimRecord(plan);
  if (!isInMaintenance(plan.phase)) return;
  if (membersOf(plan).some((member) => isOtherDesired(plan, member))) renewTimes(plan);
  recordWants(plan);
}

/** Another program has a participant, or wrote its state, for now: the record may be of the state before that. */
function isOfAnother({ shared: { participants, names }, parts }: NodePlan): boolean {
  return participants.length < names.size || parts.some(({ part }) => phaseOf(part.state) === undefined);
}

/**
 * An undated cordon of a node that is done, or beside the record of an earlier cordon: the companion leaves neither, so it is somebody else's. A
 * participant of the record that has lost its label, or its section, is not done.
 */
function isOfOthers(plan: NodePlan): boolean {
  const { parts, record, recorded, shared } = plan;
  const isDone = ({ part }: PlannedPart): boolean => part.state === 'upgrade-done';
  const isOutside = ({ name, part }: PlannedPart): boolean => part.state === '' && record.wants?.[name] === undefined;
  const isRemoved = Object.keys(recorded.wants ?? {}).some((name) => !shared.names.has(name));
  const isAllDone = !isRemoved && parts.some(isDone) && parts.every((one) => isDone(one) || isOutside(one));
  return record.cordon === '' && ((isAllDone && !isOfAnother(plan)) || wasCordoned(plan));
}

/** What the companion said of participants that another program has for now. */
export function dueElsewhere({ record, parts, node, shared }: NodePlan): string[] {
  return (record.due ?? []).filter((name) => {
    const isElsewhere = shared.names.has(name) && !parts.some((one) => one.name === name);
    return isElsewhere && node.labels[driverKeys(name).state] === 'upgrade-required';
  });
}

/** Labels of participants that the policy does not have any more, which the companion wrote. */
function clearRemoved(plan: NodePlan): void {
  for (const [prefix, state] of stateLabels(plan.node)) {
    if (plan.shared.names.has(prefix) || phaseOf(state) === 'rest') continue;
    const isDue = state === 'upgrade-required' && plan.record.due?.includes(prefix) === true;
    if (!isDue && plan.record.wants?.[prefix] === undefined) continue;
    const keys = driverKeys(prefix);
    plan.labels[keys.state] = null;
    // It may be the only one whose annotation says how the node is taken out.
    const isAsked = annotation(plan, keys.requestorMode) !== undefined;
    if (isAsked && plan.shared.newMode !== plan.shared.inPlace) plan.shared.newMode.take(plan);
    removeAnnotations(plan, keys.initialState, keys.requestorMode, keys.requested, keys.done);
    remember(plan, { wants: omit(plan.record.wants, (name) => name === prefix) });
  }
}

/**
 * An operator records the cordon of a node at rest when it begins, and lifts any later one at the end (k8s-operator-libs 11e747a,
 * `pkg/upgrade/common_manager.go`). The companion goes on with its flow, so it takes the cordon over. The same for a node that a user begins by the label.
 */
function adoptCordon(plan: NodePlan): void {
  const { node, record, phase, parts, shared } = plan;
  if (!node.unschedulable || phase === 'rest' || hasOwnCordon(plan) || wasCordoned(plan)) return;
  const isOfRecord = [record.cordon, record.failure, record.wants].some((one) => one !== undefined);
  if ((isOfRecord && !isContinued(plan)) || shared.modeOf(plan).ownsCordon(plan)) return;
  // An older version did not record that it became due for one of these.
  const isAsked = (one: PlannedPart): boolean => {
    const { requested, safeLoad } = one.part.participant.keys;
    return annotation(plan, requested) !== undefined || annotation(plan, safeLoad) !== undefined;
  };
  if (phase === 'due' && (record.due !== undefined || parts.some(isAsked))) return;
  remember(plan, { cordon: '' });
}

/**
 * Another program failed the node, or went on with it: the companion records why it fails a node, and drops that when it begins again. Beside the
 * record of another cordon, that of a node in maintenance may be an administrator's.
 */
function isContinued({ phase, record: { failure, cordon } }: NodePlan): boolean {
  if (phase === 'failed') return failure === undefined;
  return isInMaintenance(phase) && failure !== undefined && cordon === undefined;
}
