import { AUTOSCALER_ANNOTATIONS } from '../../../shared/contract/labels.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import { isInMaintenance } from './node-facts.js';
import { annotation, isUnschedulable, remember, type NodePlan } from './plan.js';

/** Keeps autoscalers from removing the node while it is out. What somebody else has set stays as it is. */
export function protect(plan: NodePlan): void {
  const missing = AUTOSCALER_ANNOTATIONS.filter((key) => annotation(plan, key) === undefined);
  for (const key of missing) plan.annotations[key] = 'true';
  remember(plan, { protected: [...(plan.record.protected ?? []), ...missing] });
}

/** Removes the annotations that the companion set, from a node whose maintenance is over, or that failed and is in service. */
export function endProtection(plan: NodePlan): void {
  const set = readMaintenanceRecord(plan.node.annotations[MAINTENANCE_ANNOTATION])?.protected ?? [];
  if (isInMaintenance(plan.phase) || (plan.phase === 'failed' && isUnschedulable(plan))) return;
  for (const key of AUTOSCALER_ANNOTATIONS)
    if (set.includes(key) && annotation(plan, key) === 'true') plan.annotations[key] = null;
  remember(plan, { protected: undefined });
}
