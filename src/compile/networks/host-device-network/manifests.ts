import type { Construct } from 'constructs';
import type { NetworkInstance } from '../../model/config.js';
import type { HostDeviceNetworkSpecInput } from '../../model/input.js';
import type { NetworkAttachmentObject } from '../../../shared/kubernetes/types.js';
import { networkAttachment } from '../cni/attachment.js';
import { ipamData } from '../cni/ipam.js';
import { metaPluginsData } from '../cni/meta-plugins.js';
import { NetworkConstruct, type NetworkProps } from '../network-construct.js';
import { KIND, type HostDeviceNetworkSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-host-device-network';

/** The annotation with the resource of a network's devices, for Multus (k8snetworkplumbingwg/multus-cni, pkg/types). */
const RESOURCE_ANNOTATION = 'k8s.v1.cni.cncf.io/resourceName';

/** The props of `HostDeviceNetwork`: the `spec` of its document, and the cluster. */
export interface HostDeviceNetworkProps extends HostDeviceNetworkSpecInput, NetworkProps {}

/**
 * The NetworkAttachmentDefinition of a HostDeviceNetwork (network-operator b06827e0, manifests/state-hostdevice-network).
 * Without a namespace it goes to `default`; the operator leaves the namespace out, and the API server refuses that.
 */
export class HostDeviceNetwork extends NetworkConstruct {
  constructor(scope: Construct, id: string, props: HostDeviceNetworkProps) {
    super(scope, id, KIND, props);
  }

  /** @internal */
  protected override manifest(network: NetworkInstance<HostDeviceNetworkSpec>): NetworkAttachmentObject {
    const { networkNamespace, resourceName, ipam, metaPlugins } = network.spec;
    return networkAttachment({
      name: network.name,
      namespace: networkNamespace,
      statusName: STATUS_NAME,
      plugin: { type: 'host-device', ipam: ipamData(ipam) },
      metaPlugins: metaPluginsData(metaPlugins),
      annotations: { [RESOURCE_ANNOTATION]: `nvidia.com/${resourceName}` },
    });
  }
}
