import { isAtRest } from '../model/node-states.js';
import { isCordonMark, marksOtherCordon } from '../view/cordon-mark.js';
import { otherDriver } from '../view/driver-view.js';
import { annotation, type NodePlan } from './node-plan.js';
import { record } from './records.js';

/**
 * Who cordoned a node. `companion`: its mark is there. `operator`: the operator's flow, which the companion continues, so it
 * is lifted at the end as the operator would. `other`: an admin or another program; it is never lifted.
 */
type CordonOwner = 'companion' | 'operator' | 'other';

/** Whose the cordon is that the API server showed; undefined where there is none. */
export function cordonOwner(plan: NodePlan): CordonOwner | undefined {
  if (!plan.view.node.unschedulable) return undefined;
  if (hasCordonMark(plan) && !isMarkStale(plan)) return 'companion';
  return isOfOperator(plan) ? 'operator' : 'other';
}

export function hasCordonMark(plan: NodePlan): boolean {
  return isCordonMark(annotation(plan, plan.context.driver.keys.cordoned));
}

/** The cordon that was marked was lifted, and another one was set before the companion saw that. */
export function isCordonReplaced({ view: { node }, context }: NodePlan): boolean {
  return node.unschedulable && marksOtherCordon(node.annotations[context.driver.keys.cordoned], node.cordonTime);
}

/** Writes into the mark which cordon it was written with, as soon as that cordon has a time. */
export function dateMark(plan: NodePlan): void {
  const { cordonTime } = plan.view.node;
  const { cordoned } = plan.context.driver.keys;
  if (cordonTime === undefined || annotation(plan, cordoned) !== 'true' || plan.unschedulable !== undefined) return;
  record(plan, cordoned, cordonTime);
}

/**
 * A mark counts for the cordon that it was written with. That cordon is over where the node is schedulable, and where its
 * cordon has another time. A mark without the time of its cordon does not count on a node that is done, because the companion
 * takes it away in the patch that finishes a node, so the operator or a person finished this one; nor beside the record of a
 * cordon that was there before an upgrade, which is the operator's, because the companion never leaves both.
 */
export function isMarkStale(plan: NodePlan): boolean {
  if (!hasCordonMark(plan)) return false;
  const { view, context } = plan;
  const { cordoned, initialState } = context.driver.keys;
  const isUndated = annotation(plan, cordoned) === 'true';
  const isOfOthers = view.state === 'upgrade-done' || view.node.annotations[initialState] !== undefined;
  return !view.node.unschedulable || isCordonReplaced(plan) || (isUndated && isOfOthers);
}

/**
 * The operator records a cordon that it finds when a node leaves rest, so it lifts any other one at the end
 * (`pkg/upgrade/common_manager.go`). That holds for nodes that it brought into the flow or failed, and for those that a person
 * tries again by their label: nothing of the companion's is on them.
 */
function isOfOperator(plan: NodePlan): boolean {
  const { view, context } = plan;
  const { initialState, outdated, requested, failure, safeLoad } = context.driver.keys;
  const lacks = (...names: readonly string[]) => names.every((key) => annotation(plan, key) === undefined);
  if (isAtRest(view.state) || !lacks(initialState)) return false;
  return lacks(failure) && (view.state !== 'upgrade-required' || lacks(outdated, requested, safeLoad));
}

/** Nothing of the driver was touched yet, and no other driver needs the cordon: the node can go on as it was. */
export function isReturnable(plan: NodePlan): boolean {
  const { view, context } = plan;
  // A failure marks a cordon that the operator set.
  const wasMarked = isCordonMark(view.node.annotations[context.driver.keys.cordoned]);
  const isTouched = view.driverPods.some(({ pod }) => pod.deletionMs !== undefined);
  const other = otherDriver(context.driver.keys, view.node);
  return wasMarked && !isTouched && other === undefined && cordonOwner(plan) === 'companion';
}
