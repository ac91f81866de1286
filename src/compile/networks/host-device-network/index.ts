import type { NetworkKind } from '../network.js';
import { HostDeviceNetwork, STATUS_NAME } from './manifests.js';
import { type HostDeviceNetworkSpec, KIND, schema } from './schema.js';

export { HostDeviceNetwork };
export type { HostDeviceNetworkProps } from './manifests.js';

/** @internal */
export const hostDeviceNetwork = {
  id: 'host-device-network',
  statusName: STATUS_NAME,
  kind: KIND,
  schema,
  plugin: 'host-device',
  requires: ['multus', 'cni-plugins'],
  usesResources: ({ resourceName }) => [`nvidia.com/${resourceName}`],
  construct: HostDeviceNetwork,
} satisfies NetworkKind<HostDeviceNetworkSpec>;
