import * as z from 'zod';
import type { WithImage } from '../../model/shapes/image-spec.js';
import { helps } from '../../model/shapes/help.js';
import { devicePluginSection } from '../device-plugin-section.js';
import { prefixApart, RESOURCE_PREFIX } from '../../model/shapes/resource-name.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/** Unlike other resource names, without `-`. */
const RESOURCE_NAME = /^(?:[A-Za-z0-9][A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const list = z.array(z.string().min(1)).optional();

/** The selectors of all device types. */
const selector = strictObject(() => ({
  vendors: list.describe('PCI vendor ids, for instance `15b3`.'),
  devices: list.describe('PCI device ids.'),
  drivers: list.describe('Kernel drivers.'),
  pciAddresses: list.describe('PCI addresses. Not for `auxNetDevice`.'),
  pfNames: list.describe('Names of physical functions, with `#0-7` for some of their virtual functions.'),
  rootDevices: list.describe('PCI addresses of physical functions.'),
  linkTypes: list.describe('Link types, for instance `ether` or `infiniband`.'),
  ddpProfiles: list.describe('DDP profiles. Only for `netDevice`.'),
  isRdma: z.boolean().optional().describe('Whether pods also get the RDMA devices.'),
  needVhostNet: z.boolean().optional().describe('Whether pods also get `/dev/vhost-net`. Only for `netDevice`.'),
  vdpaType: z.string().optional().describe('vDPA type: `virtio` or `vhost`. Only for `netDevice`.'),
  auxTypes: list.describe('Types of auxiliary devices, for instance `sf`. Only for `auxNetDevice`.'),
}));

type DeviceType = 'netDevice' | 'accelerator' | 'auxNetDevice';
type SelectorKey = keyof z.output<typeof selector>;

/** Selectors by device type (network-operator b06827e0, webhook-schemas/{net_device,accelerator_selector,aux_net_device}.json). */
const SELECTORS: Readonly<Record<DeviceType, readonly SelectorKey[]>> = {
  netDevice: [
    'vendors',
    'devices',
    'drivers',
    'pciAddresses',
    'pfNames',
    'rootDevices',
    'linkTypes',
    'ddpProfiles',
    'isRdma',
    'needVhostNet',
    'vdpaType',
  ],
  accelerator: ['vendors', 'devices', 'drivers', 'pciAddresses'],
  auxNetDevice: ['vendors', 'devices', 'drivers', 'pfNames', 'rootDevices', 'linkTypes', 'isRdma', 'auxTypes'],
};

const resource = strictObject(() => ({
  resourceName: z
    .string()
    .regex(RESOURCE_NAME, { error: 'must be letters, digits, `_` and `.`, with a letter or digit at each end' })
    .describe('Name of the resource, without its prefix.')
    .register(helps, prefixApart),
  resourcePrefix: z
    .string()
    .regex(RESOURCE_PREFIX, { error: 'must be a domain such as `nvidia.com`' })
    .optional()
    .describe('Prefix of the resource. Default: the plugin’s own.'),
  deviceType: z
    .enum(['netDevice', 'accelerator', 'auxNetDevice'])
    .optional()
    .describe('What the devices are. Default: `netDevice`.'),
  excludeTopology: z.boolean().optional().describe('Whether the NUMA node of a device is kept from the kubelet.'),
  selectors: z
    .union([selector, z.array(selector)])
    .optional()
    .describe('Which devices belong to the resource: all that one selector says, or one of a list of them.'),
  additionalInfo: z
    .record(z.string(), z.record(z.string(), z.string()))
    .optional()
    .describe('Variables that pods get with a device, by PCI address or `*`.'),
})).superRefine(({ deviceType = 'netDevice', selectors }, context) => {
  // Misspelt selectors are reported separately, so they are left out here.
  const hasUnknown = context.issues.some(({ code, path }) => code === 'unrecognized_keys' && path?.[0] === 'selectors');
  if (selectors === undefined || hasUnknown) return;
  const all = Array.isArray(selectors) ? selectors : [selectors];
  for (const [index, one] of all.entries()) {
    const path = ['selectors', ...(Array.isArray(selectors) ? [index] : [])];
    for (const { key, message } of selectorProblems(deviceType, one)) {
      context.addIssue({ code: 'custom', message, path: key === undefined ? path : [...path, key] });
    }
  }
});

interface Problem {
  readonly key?: string;
  readonly message: string;
}

/** Problems of a selector of a device type: it selects nothing, or has keys of other device types. */
function selectorProblems(deviceType: DeviceType, given: z.output<typeof selector>): readonly Problem[] {
  const known = SELECTORS[deviceType];
  const keys = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [key as SelectorKey]));
  const names = known.map((key) => `\`${key}\``).join(', ');
  if (keys.length === 0) return [{ message: `needs one of ${names}` }];
  return keys
    .filter((key) => !known.includes(key))
    .map((key) => ({ key, message: `is not a selector of devices of type \`${deviceType}\`; known: ${names}` }));
}

/**
 * The plugin's configuration as data. Rules of the operator's webhook (network-operator b06827e0,
 * webhook-schemas/sriov_network_device_plugin.json and api/v1alpha1/validator/nicpolicy_webhook.go); its schema is
 * meant to require a resource name, and its code fails without one.
 */
const sriovConfig = strictObject(() => ({
  resourceList: z.array(resource).min(1).describe('The resources.'),
}));

/** The section `sriovDevicePlugin`. */
export const schema = devicePluginSection(sriovConfig, (path) => !path.includes('selectors')).describe(
  'Offers SR-IOV virtual functions and other network devices to pods, each to one pod.',
);

/** The section with complete images. */
export type SriovDevicePluginSpec = WithImage<z.output<typeof schema>>;
