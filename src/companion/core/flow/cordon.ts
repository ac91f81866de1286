import { ANY_STATE_LABEL, operatorDriver, driverKeys, type DriverKeys } from '../../../shared/contract/labels.js';
import { IN_PROGRESS, isAtRest } from '../../model/node-states.js';
import { isCordonMark, marksOtherCordon } from '../view/cordon-mark.js';
import { otherDriver } from '../view/node-view.js';
import { isInRequestorMode, maintenanceOf } from './requestor-mode.js';
import { annotation, type NodePlan } from './node-plan.js';
import type { SnapshotNode } from '../../model/types.js';

/**
 * Who cordoned a node. `companion`: the node has its annotation. `operator`: the operator's flow, which the companion continues, so
 * it lifts the cordon at the end as the operator would. `maintenance`: the Maintenance Operator, which lifts it when no requestor needs the node.
 * `other`: an administrator, another program, or the companion for another driver; this driver never lifts the cordon.
 */
type CordonOwner = 'companion' | 'operator' | 'maintenance' | 'other';

/** Who owns the cordon that the snapshot has; undefined if the node is not cordoned. */
export function cordonOwner(plan: NodePlan): CordonOwner | undefined {
  if (!plan.view.node.unschedulable) return undefined;
  if (hasCordonMark(plan) && !isMarkStale(plan)) return 'companion';
  if (isInRequestorMode(plan) || maintenanceOf(plan)?.hasCordon === true) return 'maintenance';
  if (isCordonOfOtherDriver(plan)) return 'other';
  return isOfOperator(plan) ? 'operator' : 'other';
}

/** The companion cordoned the node for another driver, whose flow lifts the cordon. */
export function isCordonOfOtherDriver({ view: { node }, context: { driver, ownDrivers } }: NodePlan): boolean {
  for (const prefix of ownDrivers) if (prefix !== driver.policy.labelPrefix && isMarkedFor(prefix, node)) return true;
  return false;
}

/** The node has the mark of the companion's cordon for a driver. */
function isMarkedFor(prefix: string, { annotations }: SnapshotNode): boolean {
  return isCordonMark(annotations[driverKeys(prefix).cordoned]);
}

export function hasCordonMark(plan: NodePlan): boolean {
  return isCordonMark(annotation(plan, plan.context.driver.keys.cordoned));
}

/** The annotated cordon was lifted, and another one was set before the companion saw that. */
export function isCordonReplaced({ view: { node }, context }: NodePlan): boolean {
  return node.unschedulable && marksOtherCordon(node.annotations[context.driver.keys.cordoned], node.cordonTime);
}

/** Writes the time of the cordon into the companion's annotation, as soon as the cordon has a time. */
export function dateMark(plan: NodePlan): void {
  const { cordonTime } = plan.view.node;
  const { cordoned } = plan.context.driver.keys;
  if (cordonTime === undefined || annotation(plan, cordoned) !== 'true' || plan.unschedulable !== undefined) return;
  plan.annotations[cordoned] = cordonTime;
}

/**
 * The companion's annotation is valid only for the cordon it was written with. It is stale if the node is schedulable, or if its
 * cordon has another time. An annotation without a time is also stale in two cases. On a node that is done: the companion removes the
 * annotation in the patch that finishes a node, so another program or a user finished this one. Beside the annotation of an initial
 * cordon: the companion never leaves both, so the operator wrote that.
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
 * The operator records the cordon of a node at rest when it starts the upgrade, and lifts any later cordon at the end
 * (`pkg/upgrade/common_manager.go`). A node whose upgrade the operator started or failed, or that a user retries by its label, has no
 * annotation of the companion.
 */
function isOfOperator(plan: NodePlan): boolean {
  const { view, context } = plan;
  const { initialState, outdated, requested, failure, safeLoad } = context.driver.keys;
  const lacks = (...names: readonly string[]) => names.every((key) => annotation(plan, key) === undefined);
  if (isAtRest(view.state) || !lacks(initialState)) return false;
  return lacks(failure) && (view.state !== 'upgrade-required' || lacks(outdated, requested, safeLoad));
}

/** A cordon that is lifted more often is not set again: another program uncordons the node. */
export const MOST_CORDONS_LIFTED = 3;

/** How often the cordon of this upgrade was lifted before its driver was restarted. */
export function cordonsLifted(plan: NodePlan): number {
  return Number(annotation(plan, plan.context.driver.keys.cordonLifted) ?? 0) || 0;
}

/** Whether the node can be uncordoned: its driver pods were not deleted, and no other driver needs the cordon. */
export function isReturnable(plan: NodePlan): boolean {
  const { view, context } = plan;
  // A failure annotates a cordon of the operator.
  const wasMarked = isCordonMark(view.node.annotations[context.driver.keys.cordoned]);
  const other = otherDriver(context.driver.keys, view.node);
  // The operator that restarts its driver has begun.
  const isTaken = IN_PROGRESS.has(view.operatorState ?? '');
  return wasMarked && !isTouched(plan) && !isTaken && other === undefined && cordonOwner(plan) === 'companion';
}

/** A driver pod of the node was deleted. */
export function isTouched({ view }: NodePlan): boolean {
  return view.driverPods.some(({ pod }) => pod.deletionMs !== undefined);
}

/** The operators for whose drivers the companion takes nodes out, and that wait for a cordon of this node; the keys of their flows. */
export function operatorsWaiting({ view: { node }, context }: NodePlan): readonly DriverKeys[] {
  return operatorKeys(context.ownDrivers).filter(({ state }) => node.labels[state] === 'upgrade-required');
}

/** The operators that may know of a cordon of this node: also one whose driver's section was removed in the middle; the keys of their flows. */
export function operatorsTold({ view: { node }, context: { ownDrivers } }: NodePlan): readonly DriverKeys[] {
  const left = Object.entries(node.labels).flatMap(([key, state]) =>
    isUnderway(state) ? (ANY_STATE_LABEL.exec(key)?.[1] ?? []) : [],
  );
  return operatorKeys(new Set([...ownDrivers, ...left]));
}

function operatorKeys(ownDrivers: ReadonlySet<string>): readonly DriverKeys[] {
  return [...ownDrivers].flatMap((prefix) => {
    const operator = operatorDriver(prefix);
    return operator === undefined ? [] : driverKeys(operator);
  });
}

/**
 * Tells the operator that restarts the driver of a node which the companion has cordoned, for whatever driver. The operator may have labelled the node
 * after that, and would lift the cordon when it is done.
 */
export function tellOfCordon(plan: NodePlan): void {
  const { view, context, annotations } = plan;
  const operator = operatorDriver(context.driver.policy.labelPrefix);
  if (operator === undefined || view.sriov !== undefined || !isUnderway(view.operatorState)) return;
  const { initialState } = driverKeys(operator);
  const isOwn = [...context.ownDrivers].some((one) => isMarkedFor(one, view.node));
  const isCordoned = view.node.unschedulable && plan.unschedulable !== false;
  if (isOwn && isCordoned && view.node.annotations[initialState] === undefined) annotations[initialState] = 'true';
}

function isUnderway(state = ''): boolean {
  return state === 'upgrade-required' || IN_PROGRESS.has(state);
}

/** Another driver failed on the node after its old driver pod was deleted, and has a mark of its own on the cordon. */
export function isCordonOfFailed({ view: { node }, context: { driver, ownDrivers } }: NodePlan): boolean {
  return [...ownDrivers].some(
    (prefix) =>
      prefix !== driver.policy.labelPrefix &&
      node.labels[driverKeys(prefix).state] === 'upgrade-failed' &&
      isMarkedFor(prefix, node),
  );
}
