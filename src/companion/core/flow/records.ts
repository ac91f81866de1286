import type { DriverKeys } from '../../../shared/contract/labels.js';
import { memoized } from '../../../shared/lib/memo.js';
import { IN_PROGRESS } from '../../model/node-states.js';
import { removeAnnotations, type NodePlan } from './node-plan.js';

const IN_FLOW = [...IN_PROGRESS];
/** From the first eviction on. If late pods return a node to its drain, the time of the drain goes on. */
const NOT_EMPTIED = new Set(['cordon-required', 'wait-for-jobs-required', 'node-maintenance-required']);
const EMPTIED = new Set(IN_FLOW.filter((state) => !NOT_EMPTIED.has(state)));

/**
 * The states in which each annotation is valid. In any other state it is a leftover: an operator, which does not know the companion's
 * annotations, finished the upgrade, or a user changed the state label.
 */
const STATES_OF: Partial<Record<keyof DriverKeys, ReadonlySet<string>>> = {
  outdated: new Set(['upgrade-required']),
  prePullStart: new Set(['upgrade-required']),
  maintenanceStart: new Set(['node-maintenance-required']),
  waitStart: new Set(['wait-for-jobs-required']),
  podDeletionStart: EMPTIED,
  drainStart: EMPTIED,
  restartStart: new Set(['pod-restart-required']),
  validationStart: new Set(['validation-required']),
  restartsBefore: IN_PROGRESS,
  cordonLifted: IN_PROGRESS,
  wanted: new Set([...IN_FLOW, 'upgrade-failed']),
  // A retried node keeps these until its upgrade begins, or until it is done.
  failure: new Set(['upgrade-required', 'upgrade-failed']),
  before: new Set(['upgrade-required', ...IN_FLOW, 'upgrade-failed']),
};
const RECORDS = Object.entries(STATES_OF) as [keyof DriverKeys, ReadonlySet<string>][];
/** The same by the annotation. */
const statesByAnnotation = memoized(
  (keys: DriverKeys) => new Map(RECORDS.map(([name, states]) => [keys[name], states])),
);

/** The annotations in the snapshot belong to the upgrade to another driver than the one that the policy wants. */
export function isOfOtherDriver({ view, context }: NodePlan): boolean {
  const recorded = view.node.annotations[context.driver.keys.wanted];
  return recorded !== undefined && view.wanted !== undefined && recorded !== view.wanted;
}

/** Removes the annotations that are not valid in the state of the plan. */
export function clearRecords(plan: NodePlan): void {
  const statesOf = statesByAnnotation(plan.context.driver.keys);
  const clear = (key: string): void => {
    if (statesOf.get(key)?.has(plan.state) === false) removeAnnotations(plan, key);
  };
  // Most nodes have no record, so the node is asked what it has.
  for (const key in plan.view.node.annotations) clear(key);
  for (const key in plan.annotations) clear(key);
}

/** Records with a step of an upgrade in progress which driver it is for. */
export function recordWanted(plan: NodePlan): void {
  const { view, context } = plan;
  if (plan.steps.length > 0 && IN_PROGRESS.has(plan.state) && view.wanted !== undefined)
    plan.annotations[context.driver.keys.wanted] = view.wanted;
}
