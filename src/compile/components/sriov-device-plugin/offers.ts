import { textAt, valueAt } from '../../../shared/lib/json.js';
import { deviceSelector, resourceOffers } from '../resource-offers.js';
import type { DeviceSelector, ResourceOffer } from '../component.js';
import { sriovConfig, type SriovDevicePluginSpec } from './schema.js';

/** The plugin's own default, which no argument of the template changes (sriov-network-device-plugin, cmd/sriovdp/main.go). */
const DEFAULT_PREFIX = 'intel.com';

/** The resources of the plugin's configuration, in its order. */
export function offers({ config }: Pick<SriovDevicePluginSpec, 'config'>): readonly ResourceOffer[] {
  return resourceOffers(config, {
    list: 'resourceList',
    schema: sriovConfig,
    defaultPrefix: DEFAULT_PREFIX,
    selectorsOf,
  });
}

/** Other types than `netDevice` are no NICs of their own on the PCI bus. */
function selectorsOf(resource: unknown): readonly DeviceSelector[] {
  if ((textAt(resource, 'deviceType') ?? 'netDevice') !== 'netDevice') return [];
  const selectors = valueAt(resource, ['selectors']);
  const all: readonly unknown[] = Array.isArray(selectors) ? selectors : [selectors];
  return all.map((one) => deviceSelector(one, 'devices'));
}
