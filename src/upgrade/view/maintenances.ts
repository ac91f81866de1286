import {
  MAINTENANCE_OPERATOR_POD_SELECTOR,
  nodeMaintenanceName,
  type NodeMaintenanceSettings,
} from '../../contract/node-maintenance.js';
import type { NodeMaintenance } from '../model/node-maintenance.js';
import { isFinished } from '../model/pod.js';
import { podMatcher } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import type { SnapshotPod } from '../model/types.js';

/** The Maintenance Operator in a snapshot. */
export interface Maintenances {
  readonly settings: NodeMaintenanceSettings;
  /** Why it cannot be asked; undefined if it can. */
  readonly missing: string | undefined;
  /** The operator evicts no pod of its own. */
  readonly isOperatorPod: (pod: SnapshotPod) => boolean;
  /** The object of a node that requestors with this prefix share. */
  readonly of: (node: string) => NodeMaintenance | undefined;
}

const isOperatorPod = podMatcher([MAINTENANCE_OPERATOR_POD_SELECTOR]);

/** @param settings undefined: the companion drains */
export function maintenancesIn(
  { nodeMaintenances, pods }: Snapshot,
  settings: NodeMaintenanceSettings | undefined,
): Maintenances | undefined {
  if (settings === undefined) return undefined;
  return {
    settings,
    isOperatorPod,
    missing: missingText(nodeMaintenances === undefined, pods),
    of(node) {
      const found = nodeMaintenances?.get(nodeMaintenanceName(settings, node));
      return found?.node === node ? found : undefined;
    },
  };
}

function missingText(isUnknownKind: boolean, pods: Snapshot['pods']): string | undefined {
  if (isUnknownKind) return 'the cluster does not serve nodemaintenances.maintenance.nvidia.com';
  const operatorsOn = pods.onNodeThat('maintenance operator', (pod) => isOperatorPod(pod) && !isFinished(pod));
  for (const node of pods.byNode.keys()) if (operatorsOn(node).length > 0) return undefined;
  return `no pod of the Maintenance Operator (${MAINTENANCE_OPERATOR_POD_SELECTOR}) is there`;
}
