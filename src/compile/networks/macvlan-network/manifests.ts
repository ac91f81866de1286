import type { Construct } from 'constructs';
import type { NetworkInstance } from '../../model/config.js';
import type { MacvlanNetworkSpecInput } from '../../model/input.js';
import type { NetworkAttachmentObject } from '../../../shared/kubernetes/types.js';
import { networkAttachment } from '../cni/attachment.js';
import { ipamData } from '../cni/ipam.js';
import { metaPluginsData } from '../cni/meta-plugins.js';
import { NetworkConstruct, type NetworkProps } from '../network-construct.js';
import { KIND, type MacvlanNetworkSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-Macvlan-Network';

/** The props of `MacvlanNetwork`: the `spec` of its document, and the cluster. */
export interface MacvlanNetworkProps extends MacvlanNetworkSpecInput, NetworkProps {}

/** The NetworkAttachmentDefinition of a MacvlanNetwork (network-operator b06827e0, manifests/state-macvlan-network). */
export class MacvlanNetwork extends NetworkConstruct {
  constructor(scope: Construct, id: string, props: MacvlanNetworkProps) {
    super(scope, id, KIND, props);
  }

  /** @internal */
  protected override manifest(network: NetworkInstance<MacvlanNetworkSpec>): NetworkAttachmentObject {
    const { networkNamespace, master, mode, mtu, ipam, metaPlugins } = network.spec;
    return networkAttachment({
      name: network.name,
      namespace: networkNamespace,
      statusName: STATUS_NAME,
      plugin: {
        type: 'macvlan',
        ...(master ? { master } : {}),
        ...(mode ? { mode } : {}),
        ...(mtu ? { mtu } : {}),
        ipam: ipamData(ipam),
      },
      metaPlugins: metaPluginsData(metaPlugins),
    });
  }
}
