import * as z from 'zod';
import { configAdmitted, WEBHOOK_PREFIX } from '../../webhook-config.js';

type DeviceType = 'netDevice' | 'accelerator' | 'auxNetDevice';

const PCI = ['vendors', 'devices', 'drivers'];
const NETWORK = ['pfNames', 'rootDevices', 'linkTypes', 'isRdma'];

/** The selectors that the webhook takes (network-operator b06827e0, webhook-schemas/{net_device,accelerator_selector,aux_net_device}.json). */
const SELECTORS: Readonly<Record<DeviceType, readonly string[]>> = {
  netDevice: [...PCI, 'pciAddresses', ...NETWORK, 'ddpProfiles', 'needVhostNet', 'vdpaType'],
  accelerator: [...PCI, 'pciAddresses'],
  auxNetDevice: [...PCI, ...NETWORK, 'auxTypes'],
};

/** The selectors of the plugin that the webhook does not know. */
const OF_PLUGIN = ['acpiIndexes', 'pKeys'];

const selectorsOf = (deviceType: DeviceType) => {
  const names = SELECTORS[deviceType].map((key) => `\`${key}\``).join(', ');
  const keys = Object.fromEntries(SELECTORS[deviceType].map((key) => [key, z.unknown().optional()]));
  return z.strictObject(keys).refine((value) => Object.keys(value).length > 0, { error: `needs one of ${names}` });
};

/** The regular expression is its `sriovResourceNameRegex`. */
const resource = (deviceType: DeviceType) => {
  const selectors = selectorsOf(deviceType);
  return z.looseObject({
    deviceType: z.literal(deviceType),
    resourceName: z.string().regex(/^(?:[A-Za-z0-9][A-Za-z0-9_.]*)?[A-Za-z0-9]$/, {
      error: 'must be letters, digits, `_` and `.`, with a letter or digit at each end',
    }),
    resourcePrefix: z.string().regex(WEBHOOK_PREFIX, { error: 'must be a domain such as `nvidia.com`' }).optional(),
    selectors: z.union([selectors, z.array(selectors)]),
  });
};

const schema = () =>
  z.looseObject({
    resourceList: z.array(
      z.preprocess(
        (entry) => ({ deviceType: 'netDevice', ...(entry as object) }),
        z.discriminatedUnion('deviceType', [resource('netDevice'), resource('accelerator'), resource('auxNetDevice')]),
      ),
    ),
  });

export const sriovConfigAdmitted = configAdmitted({
  componentId: 'sriov-device-plugin',
  schema,
  selectors: [...SELECTORS.netDevice, ...OF_PLUGIN, 'auxTypes'],
});
