import { resourceOffers } from '../resource-offers.js';
import type { ResourceOffer } from '../component.js';
import type { SriovDevicePluginSpec } from './schema.js';

/** The plugin's own default, which no argument of the template changes (sriov-network-device-plugin, cmd/sriovdp/main.go). */
const DEFAULT_PREFIX = 'intel.com';

/** The resources of the plugin's configuration, in its order. */
export function offers({ config }: Pick<SriovDevicePluginSpec, 'config'>): readonly ResourceOffer[] {
  return resourceOffers(config, 'resourceList', DEFAULT_PREFIX);
}
