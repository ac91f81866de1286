import { isInitialState, KEEP_CORDON_ANNOTATION } from '../../../shared/contract/labels.js';
import { annotation, isUnschedulable, membersOf, remember, removeAnnotations, type NodePlan } from './plan.js';

/**
 * Who cordoned a node. `companion`: the record has the cordon. `mode`: another program, which was asked for the node and lifts the cordon. `other`: an
 * administrator or another program; the companion never lifts it.
 */
type CordonOwner = 'companion' | 'mode' | 'other';

/** Who owns the cordon that the snapshot has; undefined if the node is not cordoned. */
export function cordonOwner(plan: NodePlan): CordonOwner | undefined {
  if (!plan.node.unschedulable) return undefined;
  if (hasOwnCordon(plan)) return 'companion';
  return plan.shared.modeOf(plan).ownsCordon(plan) ? 'mode' : 'other';
}

/**
 * Whether the recorded cordon is the one that the node has. The record has the time of the taint that the node lifecycle controller adds
 * (`pkg/util/node`, SwapNodeControllerTaint, sets `timeAdded`); a cordon with another time was set by somebody else.
 */
export function hasOwnCordon({ record, node }: NodePlan): boolean {
  if (record.cordon === undefined || !node.unschedulable) return false;
  return record.cordon === '' || record.cordon === node.cordonTime;
}

/** The recorded cordon was lifted, and another one was set before the companion saw that. */
export function isCordonReplaced({ record, node }: NodePlan): boolean {
  return node.unschedulable && record.cordon !== undefined && record.cordon !== '' && record.cordon !== node.cordonTime;
}

/** Writes the time of the cordon into the record, as soon as the cordon has one. */
export function dateCordon(plan: NodePlan): void {
  const { cordonTime } = plan.node;
  if (cordonTime !== undefined && plan.record.cordon === '' && plan.unschedulable === undefined)
    remember(plan, { cordon: cordonTime });
}

/** The node was cordoned before its maintenance, as upstream records it. */
export function wasCordoned(plan: NodePlan): boolean {
  return plan.parts.some(({ part }) => annotation(plan, part.participant.keys.initialState) !== undefined);
}

/** Records for each member, as upstream does, whether the node is cordoned by somebody else. */
export function recordInitialCordon(plan: NodePlan): void {
  const isForeign = cordonOwner(plan) === 'other';
  for (const { part } of membersOf(plan)) {
    const { initialState } = part.participant.keys;
    if (isForeign) plan.annotations[initialState] = 'true';
    else removeAnnotations(plan, initialState);
  }
}

/** Cordons the node, unless it is cordoned. */
export function cordon(plan: NodePlan): void {
  if (isUnschedulable(plan)) return;
  plan.unschedulable = true;
  remember(plan, { cordon: '' });
  // A cordon from before the maintenance was lifted, so this one is the companion's.
  for (const { part } of plan.parts) removeAnnotations(plan, part.participant.keys.initialState);
}

/** A user asked for it: the node is cordoned after its maintenance. */
export function keepsCordon({ node }: Pick<NodePlan, 'node'>): boolean {
  return node.annotations[KEEP_CORDON_ANNOTATION] === 'true';
}

/**
 * The end of a cordon, for whatever reason a maintenance ends: the companion lifts its own, now, unless a user asked for a node that stays cordoned.
 * That of another program that was asked for the node is lifted by that program, and any other one stays.
 */
export function liftCordon(plan: NodePlan): void {
  const isOwn = plan.record.cordon !== undefined && (plan.unschedulable === true || hasOwnCordon(plan));
  if (keepsCordon(plan)) plan.unschedulable = true;
  else if (isOwn) {
    plan.unschedulable = false;
    // Whoever recorded the companion's cordon, also for a driver that the policy does not have any more, would not lift the next one.
    removeAnnotations(plan, ...Object.keys({ ...plan.node.annotations, ...plan.annotations }).filter(isInitialState));
  }
  plan.isCordonKept = isUnschedulable(plan);
  remember(plan, { cordon: undefined });
  for (const { part, state } of plan.parts)
    if (state !== 'upgrade-required') removeAnnotations(plan, part.participant.keys.initialState);
}
