import type { NetworkKind } from '../network.js';
import { resolvedNetwork } from '../network-construct.js';
import { MacvlanNetwork, STATUS_NAME } from './manifests.js';
import { KIND, type MacvlanNetworkSpec, schema } from './schema.js';

export { MacvlanNetwork };
export type { MacvlanNetworkProps } from './manifests.js';

/** @internal */
export const macvlanNetwork = {
  id: 'macvlan-network',
  statusName: STATUS_NAME,
  kind: KIND,
  schema,
  requires: ['multus', 'cni-plugins'],
  rules: [],
  build: (scope, network, cluster?) =>
    new MacvlanNetwork(scope, `${KIND}-${network.name}`, resolvedNetwork(network, cluster)),
} satisfies NetworkKind<MacvlanNetworkSpec>;
