import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { nameOf } from '../../model/pod.js';
import type { SnapshotPod, WaitReason } from '../../model/types.js';
import { blockersText } from '../drain/blockers.js';
import type { DrainView } from '../drain/drain-view.js';
import { foreignFlow } from './node-facts.js';
import { evictingState, ignoresBudgets, memberDrain, MOST_REFUSALS, namedRefusals } from './node-drain.js';
import { firstReason, membersOf, type Condition, type NodePlan, type PlannedPart } from './plan.js';

/** Why pods of the node could not leave it now for these participants. Jobs that are waited for do not count. */
export function obstacleWait(plan: NodePlan, parts: readonly PlannedPart[]): WaitReason | undefined {
  const selectors = parts.flatMap(({ part: { policy } }) => {
    const selector = policy?.waitForCompletion.podSelector ?? '';
    return selector === '' ? [] : [selectorOf(selector)];
  });
  const isJob = ({ labels }: SnapshotPod): boolean => selectors.some((one) => matchesSelector(one, labels));
  const others: NodePlan = { ...plan, pods: plan.pods.filter((pod) => !isJob(pod)) };
  return firstReason(parts, (one) => partObstacle(others, one)) ?? lookupWait(plan, others, parts);
}

/** Whether the DaemonSets of its pods exist: a pod whose DaemonSet is gone must not be evicted, as one without a controller. */
function lookupWait(plan: NodePlan, others: NodePlan, parts: readonly PlannedPart[]): WaitReason | undefined {
  const lookups = parts.flatMap((one) => viewOf(others, one)?.daemonSetLookups ?? []);
  const [first] = lookups;
  if (first === undefined) return undefined;
  plan.daemonSetLookups = lookups;
  return { kind: 'cache-sync', message: `DaemonSet ${nameOf(first)} is being looked up` };
}

function partObstacle(plan: NodePlan, one: PlannedPart): WaitReason | undefined {
  const { leaving, refusals } = viewOf(plan, one) ?? NOTHING_LEAVES;
  if (refusals.length > 0) {
    const few = refusals.slice(0, MOST_REFUSALS);
    const message = few.map((refusal) => refusal.message).join('; ');
    return { kind: 'pods', message, refusals: namedRefusals(few) };
  }
  const asked = ignoresBudgets(plan, one) ? [] : leaving.filter(isAsked);
  const { blockers, isForGood } = plan.shared.budgetBlockersOf(asked);
  if (blockers.length === 0) return undefined;
  return { kind: isForGood ? 'pods' : 'budget', message: blockersText(blockers, blockers.length), blockers };
}

/**
 * Whether its budget is sure to be asked: it is not for a pod that is Pending or ending, nor always for one that is not Ready. KubeVirt's webhook answers
 * the eviction of a virtual machine, and moves it.
 */
function isAsked({ ready, deletionMs, controller }: SnapshotPod): boolean {
  return ready && deletionMs === undefined && controller?.kind !== 'VirtualMachineInstance';
}

/** What its drain would see; undefined: no pod leaves for it. Pods that cannot be deleted alone are drained, where its policy has a drain. */
function viewOf(plan: NodePlan, one: PlannedPart): DrainView | undefined {
  const state = evictingState(one);
  if (state === undefined) return undefined;
  const view = memberDrain(plan, one, state);
  const isToDrain = view.refusals.length > 0 && one.part.policy?.drain.enable === true;
  return isToDrain ? memberDrain(plan, one, 'drain-required') : view;
}

/** So often a node is begun again, without a request, whose drain was blocked. */
const MOST_RETRIES = 3;

/**
 * What blocked the drain of the node is gone: its pods may be evicted, their budgets allow it, and those that stayed for another reason have left. The node
 * was given back, unless a driver of it was touched or another program needs its cordon.
 */
export const isUnblocked: Condition = (plan) => {
  const { blocked } = plan.record;
  if (plan.shared.snapshot.areBudgetsMissing === true) return false;
  if (blocked === undefined || blocked.retries >= MOST_RETRIES || foreignFlow(plan) !== undefined) return false;
  const members = membersOf(plan);
  if (!members.some(({ answers }) => answers.due().kind === 'due')) return false;
  if (members.some(({ answers }) => answers.hold(plan) !== undefined)) return false;
  if (plan.pods.some(({ uid }) => blocked.pods.includes(uid))) return false;
  return members.every((member) => {
    const { leaving, refusals } = viewOf(plan, member) ?? NOTHING_LEAVES;
    return refusals.length === 0 && !leaving.some(plan.shared.isKeptByBudget);
  });
};

const NOTHING_LEAVES: Pick<DrainView, 'leaving' | 'refusals'> = { leaving: [], refusals: [] };
