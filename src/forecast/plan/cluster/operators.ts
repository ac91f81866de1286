import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { GpuOperatorPolicy } from '../../../companion/model/gpu-operator.js';
import { reduceClusterPolicy, reduceNvidiaDriver } from '../../../companion/runtime/kube-port/gpu-operator.js';
import { reduceNodeMaintenance } from '../../../companion/runtime/kube-port/node-maintenances.js';
import { reduceSriovNodeState } from '../../../companion/runtime/kube-port/sriov-node-states.js';
import type { KnownOperators } from '../../simulation/controllers/operators.js';
import type { StoredNodeMaintenance } from '../../simulation/store.js';
import type { SnapshotObjects } from '../snapshot/objects.js';

/** Reads the operators that take part in the upgrade. */
export function readOperators(objects: SnapshotObjects, policy: UpgradePolicy): KnownOperators {
  const { drivers, sriovNodeStates, nodeMaintenance } = policy;
  const hasGpuOperator = drivers.some(({ kind }) => kind === 'gpu-operator');
  const hasSriov = drivers.some(({ kind }) => kind === 'sriov');
  return {
    ...(hasGpuOperator && { gpuOperator: { policies: gpuPolicies(objects) } }),
    ...(hasSriov &&
      sriovNodeStates !== undefined && {
        sriov: {
          states: objects.SriovNetworkNodeState.map(reduceSriovNodeState).filter(
            ({ namespace }) => namespace === sriovNodeStates.namespace,
          ),
          resourcePrefix: sriovNodeStates.resourcePrefix,
        },
      }),
    ...(nodeMaintenance !== undefined && { drainer: readMaintenances(objects, nodeMaintenance.namespace) }),
  };
}

function gpuPolicies({ ClusterPolicy, NVIDIADriver }: SnapshotObjects): readonly GpuOperatorPolicy[] {
  return [...ClusterPolicy.map(reduceClusterPolicy), ...NVIDIADriver.map(reduceNvidiaDriver)];
}

/** The default of `maxParallelOperations`: maintenance-operator e15d07b, `api/v1alpha1/maintenanceoperatorconfig_types.go`. */
const MAX_PARALLEL = 1;

function readMaintenances(
  { Node, NodeMaintenance, MaintenanceOperatorConfig }: SnapshotObjects,
  namespace: string,
): NonNullable<KnownOperators['drainer']> {
  const [config] = MaintenanceOperatorConfig;
  const maintenances = NodeMaintenance.filter(({ metadata }) => metadata?.namespace === namespace);
  return {
    maxParallel: amountOf(config?.spec?.maxParallelOperations ?? MAX_PARALLEL, Node.length),
    isConfigured: config !== undefined,
    maintenances: maintenances.map((object): StoredNodeMaintenance => {
      const read = reduceNodeMaintenance(object);
      const { drainSpec, waitForPodCompletion } = object.spec ?? {};
      return {
        ...read,
        spec: {
          requestorID: read.requestor,
          nodeName: read.node,
          cordon: true,
          ...(waitForPodCompletion && {
            waitForPodCompletion: { timeoutSeconds: 0, podSelector: '', ...waitForPodCompletion },
          }),
          ...(drainSpec && { drainSpec: { ...DRAIN, ...drainSpec } }),
        },
        hasFinalizer: (object.metadata?.finalizers ?? []).length > 0,
      };
    }),
  };
}

/** A number, or a percentage that is rounded up; a text that is neither counts as the default. */
function amountOf(limit: number | string, total: number): number {
  if (typeof limit === 'number') return limit;
  return /^\d+%$/.test(limit) ? Math.ceil((Number.parseInt(limit, 10) * total) / 100) : MAX_PARALLEL;
}

const DRAIN = { force: false, podSelector: '', timeoutSeconds: 300, deleteEmptyDir: false };
