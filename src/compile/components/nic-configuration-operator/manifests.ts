import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { NicConfigurationOperatorInput } from '../../model/input.js';
import type { ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { Cluster } from '../../model/config.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { clusterMetadata } from '../pod-parts.js';
import { accessObjects } from './access.js';
import { configurationDaemonSet } from './daemon.js';
import { supportedFirmware } from './firmware.js';
import { operatorDeployment } from './operator.js';
import type { NicConfigurationOperatorSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-nic-configuration-operator';

const component = { statusName: STATUS_NAME };

/** The props of `NicConfigurationOperator`: its section of a policy, and the cluster. */
export interface NicConfigurationOperatorProps extends NicConfigurationOperatorInput, InCluster {}

/**
 * The NIC configuration operator: a Deployment, a DaemonSet that configures the NICs, and a claim for firmware
 * (network-operator b06827e0, manifests/state-nic-configuration-operator).
 */
export class NicConfigurationOperator extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: NicConfigurationOperatorProps) {
    super(scope, id, 'nic-configuration-operator', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<NicConfigurationOperatorSpec>): void {
    const { cluster } = context;
    for (const instance of instances) {
      const objects = [
        ...accessObjects(component, cluster),
        supportedFirmwareConfigMap(cluster),
        ...storageClaims(instance.spec, cluster),
        operatorDeployment(component, instance, context),
        configurationDaemonSet(component, instance, context),
      ];
      for (const object of objects) addObject(this, object);
    }
  }
}

function supportedFirmwareConfigMap({ namespace }: Cluster): KubernetesObject {
  const name = 'nic-configuration-operator-supported-nic-firmware';
  const metadata = clusterMetadata(name, namespace, component);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: supportedFirmware };
}

/** The claim for firmware: all nodes read it, so it must be ReadWriteMany. */
function storageClaims(
  { nicFirmwareStorage: storage }: NicConfigurationOperatorSpec,
  { namespace }: Cluster,
): readonly KubernetesObject[] {
  if (!storage?.create) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: clusterMetadata(storage.pvcName, namespace, component),
      spec: {
        ...(storage.storageClassName === undefined ? {} : { storageClassName: storage.storageClassName }),
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: storage.availableStorageSize } },
      },
    },
  ];
}
