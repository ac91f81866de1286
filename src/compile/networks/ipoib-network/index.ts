import type { NetworkKind } from '../network.js';
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
  plugin: 'ipoib',
  requires: ['multus', 'ipoib'],
  construct: IPoIBNetwork,
} satisfies NetworkKind<IPoIBNetworkSpec>;
