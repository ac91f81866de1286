import { operatorDriver, companionPrefix, driverKeys } from '../../../shared/contract/labels.js';
import type { WaitReason } from '../../model/types.js';
import { otherDriver } from '../view/node-view.js';
import type { NodePlan } from './node-plan.js';

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
    if (operatorDriver(one) !== undefined) return false;
    return maintenances === undefined || !asks(one);
  });
}

/**
 * The wait for another driver. For one of the policy the decision says whether it goes on. Another one is upgraded by its operator, which continues the
 * run.
 */
export function waitForDriver({ context: { ownDrivers } }: NodePlan, prefix: string, message: string): WaitReason {
  const isOurs = [prefix, companionPrefix(prefix)].some((one) => ownDrivers.has(one));
  return { kind: isOurs ? 'other-driver' : 'foreign-driver', message };
}
