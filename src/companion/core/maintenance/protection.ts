import { AUTOSCALER_ANNOTATIONS } from '../../../shared/contract/labels.js';
import { isInMaintenance } from './node-facts.js';
import { annotation, isUnschedulable, remember, type NodePlan } from './plan.js';

/** Keeps autoscalers from removing the node while it is out. What somebody else has set stays as it is. */
export function protect(plan: NodePlan): void {
  for (const key of AUTOSCALER_ANNOTATIONS) if (annotation(plan, key) === undefined) plan.annotations[key] = 'true';
}

/**
 * Records the annotations that the companion sets now, or has set, whatever else became of its record. From a node whose maintenance is over, or that
 * failed and is in service, it removes them.
 */
export function settleProtection(plan: NodePlan): void {
  const { protected: before = [] } = plan.recorded;
  const set = AUTOSCALER_ANNOTATIONS.filter((key) => before.includes(key) || plan.annotations[key] === 'true');
  const lasts = isInMaintenance(plan.phase) || (plan.phase === 'failed' && isUnschedulable(plan));
  if (!lasts) for (const key of set) if (annotation(plan, key) === 'true') plan.annotations[key] = null;
  remember(plan, { protected: lasts && set.length > 0 ? set : undefined });
}
