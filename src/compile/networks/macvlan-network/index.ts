import type { NetworkKind } from '../network.js';
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
  plugin: 'macvlan',
  requires: ['multus', 'cni-plugins'],
  construct: MacvlanNetwork,
} satisfies NetworkKind<MacvlanNetworkSpec>;
