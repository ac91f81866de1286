import type { DriverKeys } from '../../contract/labels.js';
import { IN_PROGRESS } from '../model/node-states.js';
import { annotation, type NodePlan } from './node-plan.js';

const IN_FLOW = [...IN_PROGRESS];

/**
 * The states in which each annotation is valid. In any other state it is a leftover: an operator, which does not know the companion's
 * annotations, finished the upgrade, or a user changed the state label.
 */
const STATES_OF: Partial<Record<keyof DriverKeys, ReadonlySet<string>>> = {
  outdated: new Set(['upgrade-required']),
  prePullStart: new Set(['upgrade-required']),
  waitStart: IN_PROGRESS,
  podDeletionStart: IN_PROGRESS,
  drainStart: IN_PROGRESS,
  restartStart: IN_PROGRESS,
  validationStart: IN_PROGRESS,
  restartsBefore: IN_PROGRESS,
  cordonLifted: IN_PROGRESS,
  wanted: new Set([...IN_FLOW, 'upgrade-failed']),
  // A retried node keeps these until its upgrade begins, or until it is done.
  failure: new Set(['upgrade-required', 'upgrade-failed']),
  before: new Set(['upgrade-required', ...IN_FLOW, 'upgrade-failed']),
};
const RECORDS = Object.entries(STATES_OF) as [keyof DriverKeys, ReadonlySet<string>][];

/** The annotations in the snapshot belong to the upgrade to another driver than the one that the policy wants. */
export function isOfOtherDriver({ view, context }: NodePlan): boolean {
  const recorded = view.node.annotations[context.driver.keys.wanted];
  return recorded !== undefined && view.wanted !== undefined && recorded !== view.wanted;
}

/** Removes the annotations that are not valid in the state of the plan. */
export function clearRecords(plan: NodePlan): void {
  const { keys } = plan.context.driver;
  for (const [name, states] of RECORDS) {
    if (!states.has(plan.state) && annotation(plan, keys[name]) !== undefined) record(plan, keys[name], null);
  }
}

/** Records with a step of an upgrade in progress which driver it is for. */
export function recordWanted(plan: NodePlan): void {
  const { view, context } = plan;
  if (plan.steps.length > 0 && IN_PROGRESS.has(plan.state) && view.wanted !== undefined)
    record(plan, context.driver.keys.wanted, view.wanted);
}

/** Changes an annotation outside of the transition table. Plans without a step share one object, so it is copied. */
export function record(plan: NodePlan, key: string, value: string | null): void {
  plan.annotations = { ...plan.annotations, [key]: value };
}
