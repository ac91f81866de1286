import * as z from 'zod';
import type { WithImage } from '../../model/shapes/image-spec.js';
import { helps } from '../../model/shapes/help.js';
import { devicePluginSection } from '../device-plugin-section.js';
import { pluginResourceName, prefixApart, resourcePrefix } from '../../model/shapes/resource-name.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const list = z.array(z.string().min(1)).optional();

/** The keys of `selectors`. */
export const SELECTORS = ['vendors', 'deviceIDs', 'drivers', 'ifNames', 'linkTypes'] as const;

const selectors = strictObject(() => ({
  vendors: list.describe('PCI vendor ids, for instance `15b3`.'),
  deviceIDs: list.describe('PCI device ids.'),
  drivers: list.describe('Kernel drivers.'),
  ifNames: list.describe('Interface names.'),
  linkTypes: list.describe('Link types: `ether` or `infiniband`.'),
})).describe('Which devices belong to the resource; all that are given must match.');

const resource = strictObject(() => ({
  resourceName: pluginResourceName('_')
    .describe('Name of the resource, without its prefix. Unique in the list.')
    .register(helps, prefixApart),
  resourcePrefix: resourcePrefix.optional().describe('Prefix of the resource. Default: `rdma`.'),
  rdmaHcaMax: z
    .int()
    .min(0)
    .optional()
    .describe('How many pods of a node may share the devices. Default: 0, which offers none.'),
  devices: list.describe('Interface names; superseded by `selectors`.'),
  selectors: selectors.optional(),
})).superRefine(({ selectors: given = {}, devices = [] }, context) => {
  const isSelecting = SELECTORS.some((key) => (given[key] ?? []).length > 0);
  if (isSelecting === devices.length > 0) {
    const message = isSelecting
      ? 'must not have both `selectors` and `devices`'
      : `needs \`selectors\` with one of ${SELECTORS.map((key) => `\`${key}\``).join(', ')}, or \`devices\`: a list without entries counts as none`;
    context.addIssue({ code: 'custom', message });
  }
});

/** The plugin's configuration as data, by what the plugin takes (see `checks.ts`). */
export const rdmaConfig = strictObject(() => ({
  periodicUpdateInterval: z.int().min(0).optional().describe('Seconds between two scans for devices; 0 for none.'),
  configList: z.array(resource).min(1).describe('The resources.'),
})).describe('The resources that the plugin offers, as JSON text or as an object.');

/** The section `rdmaSharedDevicePlugin`. */
export const schema = devicePluginSection(rdmaConfig).describe('Offers RDMA devices to pods, shared between them.');

/** The section with complete images. */
export type RdmaSharedDevicePluginSpec = WithImage<z.output<typeof schema>>;
