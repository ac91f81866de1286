import type { NetworkKind } from '../network.js';
import { resolvedNetwork } from '../network-construct.js';
import { IPoIBNetwork, STATUS_NAME } from './manifests.js';
import { type IPoIBNetworkSpec, KIND, schema } from './schema.js';

export { IPoIBNetwork };
export type { IPoIBNetworkProps } from './manifests.js';

/** @internal */
export const ipoibNetwork = {
  id: 'ipoib-network',
  statusName: STATUS_NAME,
  kind: KIND,
  schema,
  requires: ['multus', 'ipoib'],
  rules: [],
  build: (scope, network, cluster?) =>
    new IPoIBNetwork(scope, `${KIND}-${network.name}`, resolvedNetwork(network, cluster)),
} satisfies NetworkKind<IPoIBNetworkSpec>;
