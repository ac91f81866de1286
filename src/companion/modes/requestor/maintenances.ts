import {
  MAINTENANCE_OPERATOR_POD_SELECTOR,
  nodeMaintenanceName,
  type NodeMaintenanceSettings,
} from '../../../shared/contract/node-maintenance.js';
import type { NodeMaintenance } from '../../model/node-maintenance.js';
import { isFinished } from '../../model/pod.js';
import { once } from '../../../shared/lib/memo.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { podMatcher } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotPod } from '../../model/types.js';

/** The Maintenance Operator in a snapshot. */
export interface Maintenances {
  readonly settings: NodeMaintenanceSettings;
  /** Why it cannot be asked; undefined if it can. */
  readonly missing: string | undefined;
  /** The operator evicts no pod of its own. */
  readonly isOperatorPod: (pod: SnapshotPod) => boolean;
  /** Label prefixes of all drivers of the policy, also of those that the companion does not upgrade now. */
  readonly drivers: readonly string[];
  /**
   * The object of a node by which the companion has it, also since before the prefix was changed; else the one that requestors with this prefix
   * share; else any other one of the node, because the operator lifts the cordon when the first of two objects goes.
   */
  readonly of: (node: string) => NodeMaintenance | undefined;
  /** The object for another node that has the name which that of this node would have. */
  readonly inTheWay: (node: string) => NodeMaintenance | undefined;
  /** Whether the companion is a requestor of an object of the node, also of one that is being deleted. */
  readonly hasRequest: (node: string) => boolean;
  /** Names of the nodes that the operator has begun with, for whoever asked. */
  readonly begun: () => readonly string[];
}

const isOperatorPod = podMatcher([MAINTENANCE_OPERATOR_POD_SELECTOR]);

/** Undefined: the companion drains. */
export function maintenancesIn(snapshot: Snapshot, policy: UpgradePolicy): Maintenances | undefined {
  const { nodeMaintenances, pods } = snapshot;
  const settings = policy.nodeMaintenance;
  if (settings === undefined) return undefined;
  const objects = once(() =>
    [...(nodeMaintenances?.values() ?? [])].filter(({ namespace }) => namespace === settings.namespace),
  );
  const byNode = (of: readonly NodeMaintenance[]) => new Map(of.map((one) => [one.node, one]));
  const ours = once(() => byNode(objects().filter((one) => isRequestor(one, settings))));
  const others = once(() => byNode(objects()));
  const named = (node: string): NodeMaintenance | undefined => {
    const found = nodeMaintenances?.get(nodeMaintenanceName(settings, node));
    return found?.namespace === settings.namespace ? found : undefined;
  };
  return {
    settings,
    isOperatorPod,
    hasRequest: (node) => ours().has(node),
    missing: missingText(nodeMaintenances === undefined, pods),
    drivers: policy.drivers.map(({ labelPrefix }) => labelPrefix),
    of(node) {
      const own = ours().get(node);
      if (own !== undefined) return own;
      const found = named(node);
      return found?.node === node ? found : others().get(node);
    },
    inTheWay(node) {
      const found = named(node);
      return found?.node === node ? undefined : found;
    },
    begun: once(() =>
      objects()
        .filter(hasBegun)
        .map(({ node }) => node),
    ),
  };
}

/** Whether the companion is the owner of an object, or one of the others that asked for the node. */
export function isRequestor(
  { requestor, additionalRequestors }: NodeMaintenance,
  { requestorID }: Maintenances['settings'],
): boolean {
  return requestor === requestorID || additionalRequestors.includes(requestorID);
}

/** The operator has begun with the node. */
export function hasBegun({ phase }: NodeMaintenance): boolean {
  return phase !== '' && phase !== 'Pending';
}

function missingText(isUnknownKind: boolean, pods: Snapshot['pods']): string | undefined {
  if (isUnknownKind) return 'the cluster does not serve nodemaintenances.maintenance.nvidia.com';
  const operatorsOn = pods.onNodeThat('maintenance operator', (pod) => isOperatorPod(pod) && !isFinished(pod));
  for (const node of pods.byNode.keys()) if (operatorsOn(node).length > 0) return undefined;
  return `no pod of the Maintenance Operator (${MAINTENANCE_OPERATOR_POD_SELECTOR}) is there`;
}
