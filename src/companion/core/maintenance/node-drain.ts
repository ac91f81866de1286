import type { EvictingState, NodeDrain } from './plan.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import type { ForeignDaemonSet, SnapshotPod, WaitReason } from '../../model/types.js';
import { budgetsOver } from '../drain/budgets.js';
import { drainViewOf, type DrainRefusal, type DrainView } from '../drain/drain-view.js';
import type { DrainOptions } from '../drain/filters.js';
import { resourceUser } from './pods-to-move.js';
import { isOver, sinceMs, timeIn, type Span } from './clock.js';
import { membersOf, type NodePlan, type PlannedPart } from './plan.js';

/** The state in which a member evicts pods; undefined: its policy evicts none. */
export function evictingState({ part, state, answers }: PlannedPart): EvictingState | undefined {
  const { policy } = part;
  if (policy === undefined || answers.leavesPods) return undefined;
  const isDrained = policy.drain.enable ? 'drain-required' : undefined;
  if (policy.resourcePrefixes.length === 0) return isDrained;
  return state === 'drain-required' ? isDrained : 'pod-deletion-required';
}

/** The pods have to leave the node before the restart of a member, which has not begun. */
function isBefore(plan: NodePlan, { name, answers }: PlannedPart): boolean {
  return plan.record.restarts?.[name] === undefined || answers.isPending(plan);
}

/** The members that pods have to leave for. */
export function drainingMembers(plan: NodePlan): readonly PlannedPart[] {
  return membersOf(plan).filter((member) => evictingState(member) !== undefined && isBefore(plan, member));
}

/** What the pods of the node do for its members; computed again only if these or their states have changed. */
export function nodeDrain(plan: NodePlan): NodeDrain {
  const members = drainingMembers(plan);
  const of = members.map((member) => `${member.name}=${evictingState(member) ?? ''}`).join(' ');
  if (plan.drain?.of !== of) plan.drain = { of, drain: drainOf(plan, members) };
  return plan.drain.drain;
}

function drainOf(plan: NodePlan, members: readonly PlannedPart[]): NodeDrain {
  const leaving = new Map<SnapshotPod, PlannedPart>();
  const warningOf = new Map<string, string>();
  const refusals = new Map<string, DrainRefusal>();
  const warnings = new Set<string>();
  const lookups = new Map<string, ForeignDaemonSet>();
  for (const member of members) {
    const state = evictingState(member);
    if (state === undefined) continue;
    const view = memberDrain(plan, member, state);
    for (const pod of view.leaving) if (!leaving.has(pod)) leaving.set(pod, member);
    for (const [uid, warning] of view.warningOf) warningOf.set(uid, warning);
    for (const refusal of view.refusals) refusals.set(refusal.message, refusal);
    for (const warning of view.warnings) warnings.add(warning);
    for (const one of view.daemonSetLookups) lookups.set(`${one.namespace}/${one.name}`, one);
  }
  return {
    leaving,
    warningOf,
    refusals: [...refusals.values()],
    warnings: [...warnings],
    daemonSetLookups: [...lookups.values()],
  };
}

/** The pods of the node as the drain for one member, or the deletion of pods that use its resources, sees them. */
export function memberDrain(plan: NodePlan, member: PlannedPart, state: EvictingState): DrainView {
  const mode = plan.shared.modeOf(plan);
  const pods = plan.pods.filter((pod) => !mode.keepsPod(pod));
  return drainViewOf(pods, drainOptions(plan, member, state));
}

function drainOptions(plan: NodePlan, { part }: PlannedPart, state: EvictingState): DrainOptions {
  const { shared, node } = plan;
  const { policy, participant } = part;
  if (policy === undefined) throw new Error('a member of a maintenance has a policy');
  const { force, deleteEmptyDir } = state === 'drain-required' ? policy.drain : policy.podDeletion;
  const options = {
    force,
    deleteEmptyDir,
    skipLabels: shared.skipLabels,
    isOurs: shared.isOwnPod,
    unreachable: node.ready === 'Unknown',
    daemonSet: shared.daemonSet,
    nowMs: shared.nowMs,
    startMs: sinceMs(plan, state),
  };
  if (state === 'drain-required') return { ...options, selector: selectorOf(policy.drain.podSelector) };
  // Pods of DaemonSets count too, because they use the resource like other pods.
  const holdsResource = resourceUser(policy, participant);
  return {
    ...options,
    selector: [],
    holdsResource,
    useText: participant.useText,
    leavesDaemonSets: participant.leavesDaemonSets,
  };
}

/** How long the pods may take to leave by eviction; 0: no limit. */
function evictionSeconds({ part: { policy } }: PlannedPart, state: EvictingState): number {
  return (state === 'drain-required' ? policy?.drain.timeoutSeconds : policy?.podDeletion.timeoutSeconds) ?? 0;
}

/** The time in which the pods have to leave for a member. Pods that are deleted when the time of their eviction is over have the same time again. */
export function evictionTime(plan: NodePlan, member: PlannedPart, state: EvictingState): Span {
  const times = afterTimeout(plan, member, state) === 'fail' ? 1 : 2;
  return timeIn(plan, state, times * evictionSeconds(member, state));
}

/** What follows on the time of eviction. On the deletion of resource pods a drain follows, where the policy has one. */
function afterTimeout(
  { shared: { rollout } }: NodePlan,
  member: PlannedPart,
  state: EvictingState,
): NonNullable<Rollout['afterDrainTimeout']> {
  const isLast = state === 'drain-required' || member.part.policy?.drain.enable !== true;
  return (isLast && evictionSeconds(member, state) > 0 ? rollout.afterDrainTimeout : undefined) ?? 'fail';
}

/** The pod, which has to leave for a member, is deleted instead of evicted. */
export function isDeleted(plan: NodePlan, member: PlannedPart, pod: SnapshotPod): boolean {
  const state = evictingState(member);
  const after = state === undefined ? 'fail' : afterTimeout(plan, member, state);
  if (state === undefined || after === 'fail') return false;
  if (!isOver(timeIn(plan, state, evictionSeconds(member, state)), plan.shared.nowMs)) return false;
  if (after === 'deletePodsIgnoringBudgets') return true;
  const { snapshot, podBudgets } = plan.shared;
  return snapshot.areBudgetsMissing !== true && budgetsOver(podBudgets, pod).length === 0;
}

/** The pods of the node leave for a member at last, whatever their PodDisruptionBudgets allow. */
export function ignoresBudgets(plan: NodePlan, member: PlannedPart): boolean {
  const last = member.part.policy?.drain.enable === true ? 'drain-required' : 'pod-deletion-required';
  return afterTimeout(plan, member, last) === 'deletePodsIgnoringBudgets';
}

/** The maximum lag of the scheduler and of the pod watch behind a cordon. */
const OBSERVE_DELAY_MS = 1000;

/**
 * Why the snapshot may still miss a pod that was bound before the cordon: it lacks the cordon, or the state began too recently.
 * Undefined when it cannot.
 */
export function cordonUnobserved(plan: NodePlan, state: NodeState): WaitReason | undefined {
  const { nowMs } = plan.shared;
  const startMs = sinceMs(plan, state);
  const isSeen = plan.node.unschedulable && startMs !== undefined;
  // Upstream's annotations have whole seconds, so the cordon may be up to a second younger.
  const wakeMs = (isSeen ? startMs + (startMs % 1000 === 0 ? 1000 : 0) : nowMs) + OBSERVE_DELAY_MS;
  if (wakeMs <= nowMs) return undefined;
  return { kind: 'cache-sync', message: 'its cordon is so recent that the cache may miss pods', wakeMs };
}

/** Pods that must leave for a member may not be evicted, or did not leave in time. */
export function podsStay(plan: NodePlan, member: PlannedPart, state: EvictingState): boolean {
  if (isOver(evictionTime(plan, member, state), plan.shared.nowMs)) return true;
  return cordonUnobserved(plan, state) === undefined && memberDrain(plan, member, state).refusals.length > 0;
}

/**
 * The pods that use a member's resources cannot be deleted alone, or took longer than they may, and its policy has a drain. Upstream does the same with
 * each node (`pkg/upgrade/pod_manager.go`).
 */
export function isToDrain(plan: NodePlan, member: PlannedPart): boolean {
  const state = evictingState(member);
  if (state !== 'pod-deletion-required' || member.part.policy?.drain.enable !== true) return false;
  if (!drainingMembers(plan).includes(member)) return false;
  if (memberDrain(plan, member, state).leaving.length === 0 && !hasRefusals(plan, member, state)) return false;
  return podsStay(plan, member, state);
}

function hasRefusals(plan: NodePlan, member: PlannedPart, state: EvictingState): boolean {
  return memberDrain(plan, member, state).refusals.length > 0;
}

/** Pods are on the node that have to leave it before the restart of a member, which has not begun. */
export function hasLatePods(plan: NodePlan, member: PlannedPart): boolean {
  const { part, answers } = member;
  if (!plan.node.unschedulable || part.policy === undefined || answers.leavesPods || !answers.isPending(plan))
    return false;
  if (part.policy.resourcePrefixes.length > 0) {
    // Without resource pods the flow does not drain. If their deletion failed, only the drain evicts pods.
    if (memberDrain(plan, member, 'pod-deletion-required').leaving.length === 0) return false;
    if (!podsStay(plan, member, 'pod-deletion-required')) return true;
  }
  return part.policy.drain.enable && memberDrain(plan, member, 'drain-required').leaving.length > 0;
}

/** Pods that a record or a reason names at most: anybody may create thousands in his namespace. */
export const MOST_REFUSALS = 10;

/** The pods that must not be evicted, as a record or a reason has them. */
export function namedRefusals(refusals: readonly DrainRefusal[]): Pick<DrainRefusal, 'kind' | 'pod'>[] {
  return refusals.slice(0, MOST_REFUSALS).map(({ kind, pod }) => ({ kind, pod }));
}

/** Why pods of the node must not be evicted, by the first part of the drain of each member that is on. */
export function refusalsOf(plan: NodePlan): readonly DrainRefusal[] {
  return membersOf(plan).flatMap((member) => {
    const { policy } = member.part;
    if (policy === undefined || member.answers.leavesPods) return [];
    if (policy.resourcePrefixes.length > 0) return memberDrain(plan, member, 'pod-deletion-required').refusals;
    return policy.drain.enable ? memberDrain(plan, member, 'drain-required').refusals : [];
  });
}
