import { changeNodeMaintenance } from '../../../src/forecast/simulation/node-maintenances.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import type { StoredNodeMaintenance } from '../../../src/forecast/simulation/store.js';
import { OTHERS, type MaintenanceIncident } from '../scenario/maintenance-operator.js';

const nameOf = (node: string): string => `nvidia-operator-${node}`;

/** Applies one incident of the Maintenance Operator or of another requestor. */
export function applyToMaintenance(cluster: SimulatedCluster, incident: MaintenanceIncident): void {
  if (cluster.maintenanceOperator === undefined) return;
  switch (incident.kind) {
    case 'maintenance-operator-restarts':
      return cluster.maintenanceOperator.restart(incident.awayMs);
    case 'node-maintenance-deleted':
      return deleted(cluster, incident.node, incident.isForced);
    case 'other-requestor':
      return other(cluster, incident);
  }
}

const objectOf = ({ store }: SimulatedCluster, node: string): StoredNodeMaintenance | undefined =>
  store.nodeMaintenances.get(nameOf(node));

function deleted(cluster: SimulatedCluster, node: string, isForced: boolean): void {
  const { nodeMaintenances } = cluster.store;
  const one = objectOf(cluster, node);
  if (one === undefined) return;
  if (isForced || !one.hasFinalizer) nodeMaintenances.remove(one.name, 'admin');
  else nodeMaintenances.put(one.name, { ...one, isDeleting: true }, 'admin');
}

type Other = Extract<MaintenanceIncident, { readonly kind: 'other-requestor' }>;

/** It creates or joins the object of the node, and withdraws after a time. Its requests always succeed. */
function other(cluster: SimulatedCluster, { node, id, forMs, drains }: Other): void {
  const one = objectOf(cluster, node);
  if (cluster.store.nodes.get(node) === undefined || one?.isDeleting === true) return;
  const about = { namespace: 'default', name: nameOf(node) };
  if (one === undefined) {
    const drainSpec = { force: true, podSelector: '', timeoutSeconds: 300, deleteEmptyDir: true };
    const spec = { requestorID: id, nodeName: node, cordon: true as const, ...(drains && { drainSpec }) };
    changeNodeMaintenance(cluster, { ...about, change: { kind: 'create', spec } }, 'requestor');
  } else if (one.requestor !== id && !one.additionalRequestors.includes(id)) {
    const additionalRequestors = [...one.additionalRequestors, id];
    const { resourceVersion } = one;
    changeNodeMaintenance(
      cluster,
      { ...about, change: { kind: 'join', resourceVersion, additionalRequestors } },
      'requestor',
    );
  }
  if (forMs !== Infinity) cluster.events.after(forMs, () => withdraw(cluster, node, id));
}

/** All other requestors give their nodes back. */
export function withdrawOthers(cluster: SimulatedCluster): void {
  for (const { node } of [...cluster.store.nodeMaintenances.values()])
    for (const id of OTHERS) withdraw(cluster, node, id);
}

function withdraw(cluster: SimulatedCluster, node: string, id: string): void {
  const one = objectOf(cluster, node);
  if (one === undefined) return;
  const about = { namespace: 'default', name: nameOf(node) };
  const { uid, resourceVersion } = one;
  if (one.requestor === id) changeNodeMaintenance(cluster, { ...about, change: { kind: 'delete', uid } }, 'requestor');
  else if (one.additionalRequestors.includes(id)) {
    const additionalRequestors = one.additionalRequestors.filter((other) => other !== id);
    changeNodeMaintenance(
      cluster,
      { ...about, change: { kind: 'leave', resourceVersion, additionalRequestors } },
      'requestor',
    );
  }
}
