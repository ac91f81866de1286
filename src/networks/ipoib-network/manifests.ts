import { Construct } from 'constructs';
import type { NetworkInstance } from '../../model/config.js';
import { addObject } from '../../kubernetes/objects.js';
import { networkAttachment } from '../cni/attachment.js';
import { ipamData } from '../cni/ipam.js';
import type { IPoIBNetworkSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-IPoIB-Network';

export interface IPoIBNetworkProps {
  readonly network: NetworkInstance<IPoIBNetworkSpec>;
}

/**
 * The NetworkAttachmentDefinition of an IPoIBNetwork (network-operator b06827e0, manifests/state-ipoib-network). Unlike
 * that of a MacvlanNetwork it always has the field `master`, empty where none is given.
 */
export class IPoIBNetwork extends Construct {
  constructor(scope: Construct, id: string, { network }: IPoIBNetworkProps) {
    super(scope, id);
    const { networkNamespace, master = '', ipam } = network.spec;
    addObject(
      this,
      networkAttachment({
        name: network.name,
        namespace: networkNamespace,
        statusName: STATUS_NAME,
        plugin: { type: 'ipoib', master, ipam: ipamData(ipam) },
      }),
    );
  }
}
