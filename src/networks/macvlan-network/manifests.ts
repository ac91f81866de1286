import { Construct } from 'constructs';
import type { NetworkInstance } from '../../model/config.js';
import { addObject } from '../../kubernetes/objects.js';
import { networkAttachment } from '../cni/attachment.js';
import { ipamData } from '../cni/ipam.js';
import { metaPluginsData } from '../cni/meta-plugins.js';
import type { MacvlanNetworkSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-Macvlan-Network';

export interface MacvlanNetworkProps {
  readonly network: NetworkInstance<MacvlanNetworkSpec>;
}

/** The NetworkAttachmentDefinition of a MacvlanNetwork (network-operator b06827e0, manifests/state-macvlan-network). */
export class MacvlanNetwork extends Construct {
  constructor(scope: Construct, id: string, { network }: MacvlanNetworkProps) {
    super(scope, id);
    const { networkNamespace, master, mode, mtu, ipam, metaPlugins } = network.spec;
    addObject(
      this,
      networkAttachment({
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
      }),
    );
  }
}
