import { ANY_STATE_LABEL, companionPrefix, driverKeys } from '../../../shared/contract/labels.js';
import { keptBy } from '../../../shared/lib/memo.js';
import { isoSecond } from '../../../shared/lib/time.js';
import { phaseOf, type MaintenancePhase } from '../../../shared/contract/node-states.js';
import type { RefusedPatch, SnapshotNode, WaitReason } from '../../model/types.js';
import { cordonOwner } from './cordon.js';
import { firstReason, isUnschedulable, membersOf, type NodePlan, type PlannedPart } from './plan.js';

/** Phases of a node that was taken out and is not back. */
const IN_MAINTENANCE: ReadonlySet<MaintenancePhase> = new Set([
  'cordon',
  'jobs',
  'drain',
  'restart',
  'validate',
  'uncordon',
]);

export function isInMaintenance(phase: MaintenancePhase | undefined): boolean {
  return phase !== undefined && IN_MAINTENANCE.has(phase);
}

/** No maintenance of the node has begun, or the last one is over; a failed node is neither. */
export function isAtRestOrDue(phase: MaintenancePhase): boolean {
  return phase === 'rest' || phase === 'due';
}

/** Phases in which the node is out of service, or is taken out at any time: by this decision, or by another program that was asked. */
const TAKEN_OUT: ReadonlySet<MaintenancePhase> = new Set(['cordon', 'jobs', 'drain', 'restart']);

/** Cordoned, in the snapshot or by the patch, about to be, or not ready. */
export function isUnavailable(plan: NodePlan): boolean {
  const { node, phase, seen } = plan;
  const isOut = node.unschedulable || isUnschedulable(plan) || node.ready !== 'True';
  return isOut || TAKEN_OUT.has(phase) || TAKEN_OUT.has(seen);
}

/** A text about a node in maintenance that begins with why nothing ends there: its kubelet does not report. */
export function withKubelet({ node: { ready, unreachableSinceMs } }: Pick<NodePlan, 'node'>, text: string): string {
  if (ready !== 'Unknown') return text;
  const since = unreachableSinceMs === undefined ? '' : ` since ${isoSecond(unreachableSinceMs)}`;
  return `its kubelet has not reported${since}; ${text}`;
}

/** Why the companion leaves a node in maintenance, or a failed one, as it is. */
export function suspendedWait(plan: NodePlan): WaitReason | undefined {
  return firstReason(membersOf(plan), ({ part }) => part.suspended);
}

/** After this many refused patches in a row, nobody waits for a node: neither the run, nor the nodes after the canaries. */
const MOST_REFUSALS = 5;

export function refusalOf({ shared, node }: Pick<NodePlan, 'shared' | 'node'>): RefusedPatch | undefined {
  return shared.snapshot.refusedPatches?.get(node.name);
}

/** The API server refuses its patches. One refused patch may be one request too many. */
export function isRefused(plan: Pick<NodePlan, 'shared' | 'node'>): boolean {
  return (refusalOf(plan)?.failures ?? 0) >= MOST_REFUSALS;
}

/** Its next patch is sent later, because the last one was refused. */
export function isBackingOff(plan: Pick<NodePlan, 'shared' | 'node'>): boolean {
  return plan.shared.nowMs < (refusalOf(plan)?.untilMs ?? 0);
}

/** The node is out of service already by the companion or by an operator before it: limits on unavailable nodes do not apply to it. */
export function isOutAlready(plan: NodePlan): boolean {
  const owner = cordonOwner(plan);
  return owner === 'companion' || owner === 'mode';
}

/** The end of the state labels of all drivers; cheaper to test than a pattern. */
const STATE_LABEL_END = driverKeys('').state.replace(/^.*\//, '');

type StateLabels = readonly (readonly [prefix: string, state: string])[];

// A node is the same object until it changes.
const stateLabelsFor = keptBy<StateLabels>();

/** Prefixes of the state labels of a node, each with its value. */
export function stateLabels(node: SnapshotNode): StateLabels {
  return stateLabelsFor(node, [], () => readStateLabels(node));
}

function readStateLabels({ labels }: SnapshotNode): StateLabels {
  const found: (readonly [string, string])[] = [];
  for (const key in labels) {
    if (!key.endsWith(STATE_LABEL_END)) continue;
    const prefix = ANY_STATE_LABEL.exec(key)?.[1];
    if (prefix !== undefined) found.push([prefix, labels[key] ?? '']);
  }
  return found;
}

/**
 * The flow of another program that is in progress on the node: an operator of a driver that the policy does not have, or leaves to it while it
 * runs, or that began by itself. One that asks for nodes where the companion does so, too, does not count: its nodes are given back when no requestor is
 * left.
 */
export function foreignFlow(plan: NodePlan): WaitReason | undefined {
  const { node, parts, shared, record } = plan;
  for (const [prefix, state] of stateLabels(node)) {
    // This decision removes that of a section that was removed.
    if (!isInMaintenance(phaseOf(state)) || plan.labels[driverKeys(prefix).state] === null) continue;
    // Otherwise the companion has it, or began with it before its section was removed.
    if (!isLeftToOperator(plan, prefix) && (shared.names.has(prefix) || record.wants?.[prefix] !== undefined)) continue;
    const followed = companionPrefix(prefix);
    if (parts.some((one) => one.name === followed && (one.isMember || isRetried(plan, one)))) continue;
    const isAsked = node.annotations[driverKeys(prefix).requestorMode] !== undefined;
    if (isAsked && shared.newMode.stateOf('cordon') !== undefined) continue;
    return { kind: 'foreign-driver', message: `the ${prefix} driver is being upgraded there by its operator` };
  }
  return shared.keptByOthers(node);
}

/** Its restart is under way since the maintenance that failed, which is tried again: it takes part in that, whether it asks for it or not. */
export function isRetried({ record: { failure, due = [] } }: NodePlan, { name, state, answers }: PlannedPart): boolean {
  return failure !== undefined && state === 'upgrade-required' && !due.includes(name) && answers.isTouched;
}

/** A driver failed there that is left to its operator now: nothing begins before it is repaired, as where the companion has it. */
export function failedElsewhere(plan: NodePlan): WaitReason | undefined {
  const failed = stateLabels(plan.node).find(
    ([prefix, state]) => phaseOf(state) === 'failed' && isLeftToOperator(plan, prefix),
  );
  return failed && { kind: 'foreign-flow', message: `the ${failed[0]} driver failed there, and its operator runs` };
}

/** The policy has the participant, and its operator runs. */
function isLeftToOperator({ shared: { names, participants } }: NodePlan, prefix: string): boolean {
  return names.has(prefix) && !participants.some(({ name }) => name === prefix);
}
