import { driverKeys } from '../../../shared/contract/labels.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { nodeKey } from '../../../companion/model/snapshot.js';
import type { Decision, SnapshotNode, Waiting } from '../../../companion/model/types.js';

/**
 * A decision that was made without the NodeMaintenances, for a user who may not list them: what becomes of nodes for which the Maintenance
 * Operator was asked is left out of it, and the reason is what they wait for. A failed node waits for its repair.
 *
 * @param why the answer of the API server
 */
export function withUnreadMaintenances(
  decision: Decision,
  nodes: readonly SnapshotNode[],
  { drivers }: UpgradePolicy,
  why: string,
): Decision {
  const message = `its NodeMaintenance cannot be read: ${why}`;
  const asked = drivers.flatMap(({ labelPrefix: driver }) => {
    const { state: label, requestorMode } = driverKeys(driver);
    return nodes
      .filter(({ annotations }) => annotations[requestorMode] !== undefined)
      .map(({ name: node, labels }): Waiting => {
        const state = (labels[label] ?? '') as NodeState;
        return { driver, node, state, kind: 'maintenance', message, blockers: [] };
      });
  });
  const names = new Set(asked.map(({ node }) => node));
  const keys = new Set(asked.map(({ driver, node }) => nodeKey(driver, node)));
  const isLeftOut = ({ driver, node, state }: Waiting): boolean =>
    keys.has(nodeKey(driver, node)) && state !== 'upgrade-failed';
  return {
    ...decision,
    // Drivers of a node share its NodeMaintenance.
    actions: decision.actions.filter((action) => action.kind === 'deleteDaemonSet' || !names.has(action.node)),
    waiting: [...decision.waiting.filter((one) => !isLeftOut(one)), ...asked.filter(isLeftOut)],
  };
}
