import { hostDeviceNetwork } from './host-device-network/index.js';
import { ipoibNetwork } from './ipoib-network/index.js';
import { macvlanNetwork } from './macvlan-network/index.js';
import type { AnyNetworkKind } from './network.js';

/** Every kind of network, one line each. */
export const networkKinds = [
  macvlanNetwork,
  hostDeviceNetwork,
  ipoibNetwork,
] as const satisfies readonly AnyNetworkKind[];
