import { AUTOSCALER_ANNOTATIONS } from '../../../shared/contract/labels.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import { isInMaintenance } from './node-facts.js';
import { annotation, isUnschedulable, remember, type NodePlan } from './plan.js';

/** Keeps autoscalers from removing the node while it is out. What somebody else has set stays as it is. */
export function protect(plan: NodePlan): void {
  const missing = AUTOSCALER_ANNOTATIONS.filter((key) => annotation(plan, key) === undefined);
  for (const key of missing) plan.annotations[key] = 'true';
  remember(plan, { protected: missing });
}

/**
 * Records the annotations that the companion set, now or before, whatever else became of its record. From a node whose maintenance is over, or that
 * failed and is in service, it removes them.
 */
export function settleProtection(plan: NodePlan): void {
  const before = readMaintenanceRecord(plan.node.annotations[MAINTENANCE_ANNOTATION])?.protected ?? [];
  const { protected: now = [] } = plan.record;
  const set = AUTOSCALER_ANNOTATIONS.filter((key) => before.includes(key) || now.includes(key));
  const lasts = isInMaintenance(plan.phase) || (plan.phase === 'failed' && isUnschedulable(plan));
  if (!lasts) for (const key of set) if (annotation(plan, key) === 'true') plan.annotations[key] = null;
  remember(plan, { protected: lasts && set.length > 0 ? set : undefined });
}
