import type { NodeMaintenanceSpec } from '../../companion/model/node-maintenance.js';
import type { ChangeNodeMaintenance } from '../../companion/model/types.js';
import type { SimulatedCluster } from './simulated-cluster.js';
import type { Actor, StoredNodeMaintenance } from './store.js';

/** As of any request. */
interface Result {
  readonly status: number;
  readonly message: string;
}

const ok: Result = { status: 200, message: 'ok' };

/** The requests of a requestor for a NodeMaintenance: as the API server with its CRD answers them. */
export function changeNodeMaintenance(
  cluster: SimulatedCluster,
  { namespace, name, change }: Pick<ChangeNodeMaintenance, 'namespace' | 'name' | 'change'>,
  actor: Actor,
): Result {
  const { nodeMaintenances } = cluster.store;
  const before = nodeMaintenances.get(name);
  if (change.kind === 'create') {
    if (before !== undefined) return { status: 409, message: `NodeMaintenance ${name} exists` };
    nodeMaintenances.put(name, created(cluster, namespace, name, change.spec), actor);
    return ok;
  }
  if (before === undefined) return { status: 404, message: `NodeMaintenance ${name} not found` };
  if (change.kind === 'delete') {
    if (change.uid !== before.uid) return { status: 409, message: 'another UID' };
    if (before.hasFinalizer) nodeMaintenances.put(name, { ...before, isDeleting: true }, actor);
    else nodeMaintenances.remove(name, actor);
    return ok;
  }
  if (change.resourceVersion !== before.resourceVersion) return { status: 409, message: `${name} has been modified` };
  nodeMaintenances.put(name, { ...before, additionalRequestors: change.additionalRequestors }, actor);
  return ok;
}

function created(
  { store }: SimulatedCluster,
  namespace: string,
  name: string,
  spec: NodeMaintenanceSpec,
): StoredNodeMaintenance {
  return {
    namespace,
    name,
    spec,
    uid: `maintenance-${store.version() + 1}`,
    resourceVersion: '',
    node: spec.nodeName,
    requestor: spec.requestorID,
    additionalRequestors: [],
    isDeleting: false,
    hasFinalizer: false,
    phase: '',
    isReady: false,
    message: '',
    hasCordon: false,
    podsLeft: [],
  };
}
