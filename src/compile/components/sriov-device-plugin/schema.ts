import * as z from 'zod';
import type { WithImage } from '../../model/shapes/image-spec.js';
import { helps } from '../../model/shapes/help.js';
import { devicePluginSection } from '../device-plugin-section.js';
import { pluginResourceName, prefixApart, resourcePrefix } from '../../model/shapes/resource-name.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const list = z.array(z.string().min(1)).optional();

/** The selectors of all device types (sriov-network-device-plugin v3.9.0, pkg/types/types.go). */
const selector = strictObject(() => ({
  vendors: list.describe('PCI vendor ids, for instance `15b3`.'),
  devices: list.describe('PCI device ids.'),
  drivers: list.describe('Kernel drivers.'),
  pciAddresses: list.describe('PCI addresses. Not for `auxNetDevice`.'),
  acpiIndexes: list.describe('ACPI indexes. Not for `accelerator`.'),
  pfNames: list.describe('Names of physical functions, with `#0-7` for some of their virtual functions.'),
  rootDevices: list.describe('PCI addresses of physical functions, with `#0-7` for some of their virtual functions.'),
  linkTypes: list.describe('Link types: `ether` or `infiniband`.'),
  ddpProfiles: list.describe('DDP profiles. Only for `netDevice`.'),
  pKeys: list.describe('InfiniBand partition keys. Only for `netDevice`.'),
  isRdma: z.boolean().optional().describe('Whether pods also get the RDMA devices.'),
  needVhostNet: z.boolean().optional().describe('Whether pods also get `/dev/vhost-net`. Not for `accelerator`.'),
  vdpaType: z.string().optional().describe('vDPA type: `virtio` or `vhost`. Only for `netDevice`.'),
  auxTypes: list.describe('Types of auxiliary devices: `sf`. Only for `auxNetDevice`, which needs it.'),
}));

type DeviceType = 'netDevice' | 'accelerator' | 'auxNetDevice';

const resource = strictObject(() => ({
  resourceName: pluginResourceName('_', '-')
    .describe('Name of the resource, without its prefix.')
    .register(helps, prefixApart),
  resourcePrefix: resourcePrefix.optional().describe('Prefix of the resource. Default: the plugin’s own.'),
  deviceType: z
    .enum(['netDevice', 'accelerator', 'auxNetDevice'])
    .optional()
    .describe('What the devices are. Default: `netDevice`.'),
  excludeTopology: z.boolean().optional().describe('Whether the NUMA node of a device is kept from the kubelet.'),
  selectors: z
    .union([selector, z.array(selector).min(1)])
    .describe('Which devices belong to the resource: all that one selector says, or one of a list of them.'),
  additionalInfo: z
    .record(z.string(), z.record(z.string(), z.string()))
    .optional()
    .describe('Variables that pods get with a device, by PCI address or `*`.'),
})).superRefine(({ deviceType = 'netDevice', selectors }, context) => {
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

/** What the plugin refuses of a selector. Keys of other device types have no effect in the plugin. */
function selectorProblems(
  deviceType: DeviceType,
  { auxTypes = [], isRdma, vdpaType }: z.output<typeof selector>,
): readonly Problem[] {
  switch (deviceType) {
    case 'auxNetDevice':
      if (auxTypes.length === 0) return [{ message: 'needs `auxTypes: [sf]`, as all devices of type `auxNetDevice`' }];
      return auxTypes.every((type) => type === 'sf')
        ? []
        : [{ key: 'auxTypes', message: 'must be `[sf]`: the plugin knows no other type' }];
    case 'netDevice':
      return isRdma === true && vdpaType ? [{ key: 'vdpaType', message: 'must not be beside `isRdma: true`' }] : [];
    case 'accelerator':
      return [];
  }
}

/** The plugin's configuration as data, by what the plugin takes (see `checks.ts`). */
export const sriovConfig = strictObject(() => ({
  resourceList: z.array(resource).min(1).describe('The resources.'),
}));

/** The section `sriovDevicePlugin`. */
export const schema = devicePluginSection(sriovConfig).describe(
  'Offers SR-IOV virtual functions and other network devices to pods, each to one pod.',
);

/** The section with complete images. */
export type SriovDevicePluginSpec = WithImage<z.output<typeof schema>>;
