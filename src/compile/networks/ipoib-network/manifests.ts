import type { Construct } from 'constructs';
import type { NetworkInstance } from '../../model/config.js';
import type { IPoIBNetworkSpecInput } from '../../model/input.js';
import type { NetworkAttachmentObject } from '../../../shared/kubernetes/types.js';
import { networkAttachment } from '../cni/attachment.js';
import { ipamData } from '../cni/ipam.js';
import { NetworkConstruct, type NetworkProps } from '../network-construct.js';
import { KIND, type IPoIBNetworkSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-IPoIB-Network';

/** The props of `IPoIBNetwork`: the `spec` of its document, and the cluster. */
export interface IPoIBNetworkProps extends IPoIBNetworkSpecInput, NetworkProps {}

/**
 * The NetworkAttachmentDefinition of an IPoIBNetwork (network-operator b06827e0, manifests/state-ipoib-network). Unlike
 * that of a MacvlanNetwork it always has the field `master`, empty if none is given.
 */
export class IPoIBNetwork extends NetworkConstruct {
  constructor(scope: Construct, id: string, props: IPoIBNetworkProps) {
    super(scope, id, KIND, props);
  }

  /** @internal */
  protected override manifest(network: NetworkInstance<IPoIBNetworkSpec>): NetworkAttachmentObject {
    const { networkNamespace, master = '', ipam } = network.spec;
    return networkAttachment({
      name: network.name,
      namespace: networkNamespace,
      statusName: STATUS_NAME,
      plugin: { type: 'ipoib', master, ipam: ipamData(ipam) },
    });
  }
}
