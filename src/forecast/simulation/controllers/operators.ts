import type { GpuOperatorPolicy } from '../../../companion/model/gpu-operator.js';
import type { SimulatedCluster } from '../simulated-cluster.js';
import type { StoredNodeMaintenance } from '../store.js';
import { startGpuOperator } from './gpu-operator.js';
import { runMaintenanceOperator } from './maintenance-operator.js';
import { startSriovOperator, type KnownNodeStates } from './sriov-operator.js';

/** The operators that take part in the upgrade, with what they are told and what they are at work on. */
export interface KnownOperators {
  readonly gpuOperator?: { readonly policies: readonly GpuOperatorPolicy[] };
  readonly sriov?: KnownNodeStates;
  readonly drainer?: {
    readonly maxParallel: number;
    readonly maintenances: readonly StoredNodeMaintenance[];
    /** The snapshot has the operator's own configuration. */
    readonly isConfigured: boolean;
  };
}

/** How long a config daemon works on the virtual functions of a node at most. */
const SRIOV_WORK_MS = 60_000;
/** The defaults of `podDeletion` of the GPU operator. When it evicts pods, the companion has moved those that may leave. */
const POD_DELETION = { force: false, deleteEmptyDir: false, timeoutSeconds: 300 };

/** Starts the operators of a cluster that is there already. */
export function startOperators(cluster: SimulatedCluster, operators: KnownOperators): void {
  const { gpuOperator, sriov, drainer } = operators;
  const { store } = cluster;
  if (gpuOperator !== undefined) {
    const { policies } = gpuOperator;
    for (const one of policies)
      store.gpuOperatorPolicies.put(`${one.kind}/${one.name}`, { ...one, resourceVersion: '' }, 'setup');
    const read = policies.filter(
      ({ kind }) => (kind === 'NVIDIADriver') === policies.some(({ usesNvidiaDrivers }) => usesNvidiaDrivers),
    );
    const options = { drain: read.some(({ drain }) => drain.enable), podDeletion: POD_DELETION };
    cluster.gpuOperator = startGpuOperator(cluster, options);
    if (policies.length > 0) cluster.gpuOperator.switchTo(read.some(({ autoUpgrade }) => autoUpgrade));
  }
  // The virtual functions that a restart of OFED removes are made again without a drain: no pod has them.
  if (sriov !== undefined)
    cluster.sriov = startSriovOperator(cluster, { workMs: SRIOV_WORK_MS, drainsAfterReload: false }, sriov);
  if (drainer !== undefined) {
    const { maintenances, maxParallel } = drainer;
    for (const one of maintenances) store.nodeMaintenances.put(one.name, one, 'setup');
    runMaintenanceOperator(cluster, maxParallel);
  }
}
