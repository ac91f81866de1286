import { selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { drainViewOf, type DrainView } from '../drain/drain-view.js';
import type { DrainOptions } from '../drain/filters.js';
import { resourceUser } from '../drain/pods-to-move.js';
import type { SnapshotPod } from '../../model/types.js';
import { ownPods } from '../view/driver-pod.js';
import { timeIn } from './clock.js';
import type { NodePlan } from './node-plan.js';

/** The states in which pods are evicted: first those that use the driver's resources, then the others. */
export type EvictingState = 'pod-deletion-required' | 'drain-required';

/** The state of the plan; for all other states the drain. */
export function evictingState({ state }: NodePlan): EvictingState {
  return state === 'pod-deletion-required' ? state : 'drain-required';
}

/** The pods of the node as its drain, or the deletion of resource pods, sees them; computed once per plan. */
export function drainView(plan: NodePlan, state = evictingState(plan)): DrainView {
  const { view, context } = plan;
  const { maintenances } = context;
  const pods = maintenances === undefined ? view.pods : view.pods.filter((pod) => !maintenances.isOperatorPod(pod));
  return (plan.drains[state] ??= drainViewOf(pods, drainOptions(plan, state)));
}

/** Why pods of the node must not be evicted, by the first part of its drain that is on. */
export function refusalsOf(plan: NodePlan): readonly string[] {
  const { resourcePrefixes, drain } = plan.policy;
  if (resourcePrefixes.length > 0) return drainView(plan, 'pod-deletion-required').refusals;
  return drain.enable ? drainView(plan, 'drain-required').refusals : [];
}

function drainOptions(plan: NodePlan, state: EvictingState): DrainOptions {
  const { context, policy, view } = plan;
  const ours = ownPods(view);
  const common = {
    skipLabels: context.driver.skipLabels,
    isOurs: (pod: SnapshotPod) => ours.includes(pod) || context.driver.isDriverPod(pod),
    unreachable: view.node.ready === 'Unknown',
    daemonSet: context.daemonSet,
    nowMs: context.nowMs,
    startMs: timeIn(plan, state).sinceMs,
  };
  const { force, deleteEmptyDir } = state === 'drain-required' ? policy.drain : policy.podDeletion;
  const options = { ...common, force, deleteEmptyDir };
  if (state === 'drain-required') return { ...options, selector: selectorOf(policy.drain.podSelector) };
  // Pods of DaemonSets count too, because they use the resource like other pods.
  const holdsResource = resourceUser(policy.resourcePrefixes, context.driver);
  return { ...options, selector: [], holdsResource, leavesDaemonSets: view.sriov !== undefined };
}
