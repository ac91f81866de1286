import { driverKeys } from '../../../shared/contract/labels.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { StoredNode } from '../../simulation/store.js';

/**
 * A node as if the companion itself had cordoned and drained it, for each driver for which the Maintenance Operator was asked: a plan has no
 * Maintenance Operator. The node of a drain that has not ended is cordoned and drained again.
 */
export function withOwnDrain(node: StoredNode, { drivers }: Pick<UpgradePolicy, 'drivers'>): StoredNode {
  return drivers.reduce((before, { labelPrefix }) => {
    const keys = driverKeys(labelPrefix);
    const { [keys.requestorMode]: mark, ...annotations } = before.annotations;
    if (mark === undefined) return before;
    if (before.labels[keys.state] === 'node-maintenance-required')
      return {
        ...before,
        annotations,
        unschedulable: false,
        labels: { ...before.labels, [keys.state]: 'cordon-required' },
      };
    const isReturned = before.labels[keys.state] === 'post-maintenance-required';
    return {
      ...before,
      labels: isReturned ? { ...before.labels, [keys.state]: 'uncordon-required' } : before.labels,
      annotations: { ...annotations, ...(before.unschedulable && { [keys.cordoned]: 'true' }) },
    };
  }, node);
}
