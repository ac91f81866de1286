import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { NvIpamCniInput } from '../../model/input.js';
import type { ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { accessObjects } from './access.js';
import { controllerDeployment } from './controller.js';
import { nodeDaemonSet } from './node.js';
import type { NvIpamCniSpec } from './schema.js';
import { webhookObjects } from './webhook.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-nv-ipam-cni';

const component = { statusName: STATUS_NAME };

/** The props of `NvIpamCni`: its section of a policy, and the cluster. */
export interface NvIpamCniProps extends NvIpamCniInput, InCluster {}

/**
 * NV-IPAM: a controller that gives each node its addresses, a DaemonSet that allocates them to pods, and an optional webhook
 * (network-operator b06827e0, manifests/state-nv-ipam-cni).
 */
export class NvIpamCni extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: NvIpamCniProps) {
    super(scope, id, 'nv-ipam-cni', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<NvIpamCniSpec>): void {
    for (const instance of instances) {
      const objects = [
        ...accessObjects(component, context.cluster),
        ...(instance.spec.enableWebhook ? webhookObjects(component, context.cluster) : []),
        controllerDeployment(component, instance, context),
        nodeDaemonSet(component, instance, context),
      ];
      for (const object of objects) addObject(this, object);
    }
  }
}
