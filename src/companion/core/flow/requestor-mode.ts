import type { NodeMaintenance } from '../../model/node-maintenance.js';
import { annotation, type NodePlan } from './node-plan.js';

/** The Maintenance Operator cordons and drains the node for this driver: the annotation says so from the request to the return. */
export function isInRequestorMode(plan: NodePlan): boolean {
  const { maintenances, driver } = plan.context;
  return maintenances !== undefined && annotation(plan, driver.keys.requestorMode) !== undefined;
}

/** The NodeMaintenance of the node, whoever asked for it. */
export function maintenanceOf({ context, view }: NodePlan): NodeMaintenance | undefined {
  return context.maintenances?.of(view.node.name);
}
