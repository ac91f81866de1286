import { conductedDriver, conductingPrefix, driverKeys } from '../../contract/labels.js';
import type { NodeMaintenance } from '../model/node-maintenance.js';
import type { WaitReason } from '../model/types.js';
import { otherDriver } from '../view/node-view.js';
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

/**
 * Another driver that is being upgraded on the node. Where the companion asks the Maintenance Operator, a program that asks it, too, does not count: the
 * operator keeps the node until every requestor has given it back.
 */
export function otherDriverHere(
  { view: { node }, context }: NodePlan,
  states?: ReadonlySet<string>,
): string | undefined {
  const { maintenances, ownDrivers, driver } = context;
  const asks = (prefix: string): boolean => node.annotations[driverKeys(prefix).requestorMode] !== undefined;
  return otherDriver(driver.keys, node, states, (one) => {
    if (ownDrivers.has(one)) return true;
    // Only the companion writes such a state: the section of the driver was removed from the Cluster document.
    if (conductedDriver(one) !== undefined) return false;
    return maintenances === undefined || !asks(one);
  });
}

/**
 * The wait for another driver. For one of the policy the decision says whether it goes on. Another one is upgraded by its operator, which continues the
 * run.
 */
export function waitForDriver({ context: { ownDrivers } }: NodePlan, prefix: string, message: string): WaitReason {
  const isOurs = [prefix, conductingPrefix(prefix)].some((one) => ownDrivers.has(one));
  return { kind: isOurs ? 'other-driver' : 'foreign-driver', message };
}
