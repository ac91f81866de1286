import * as z from 'zod';
import type { WithImage } from '../../model/shapes/image-spec.js';
import { helps } from '../../model/shapes/help.js';
import { devicePluginSection } from '../device-plugin-section.js';
import { prefixApart, RESOURCE_NAME, RESOURCE_PREFIX } from '../../model/shapes/resource-name.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const list = z.array(z.string().min(1)).optional();

const selectors = strictObject(() => ({
  vendors: list.describe('PCI vendor ids, for instance `15b3`.'),
  deviceIDs: list.describe('PCI device ids.'),
  drivers: list.describe('Kernel drivers.'),
  ifNames: list.describe('Interface names.'),
  linkTypes: list.describe('Link types, for instance `ether` or `infiniband`.'),
}))
  .refine((value) => Object.values(value).some((inner) => inner !== undefined), {
    error: 'needs one of `vendors`, `deviceIDs`, `drivers`, `ifNames`, `linkTypes`',
  })
  .describe('Which devices belong to the resource; all that are given must match.');

/**
 * The plugin's configuration. Rules of the operator's webhook (network-operator b06827e0,
 * webhook-schemas/rdma_shared_device_plugin.json and api/v1alpha1/validator/nicpolicy_webhook.go).
 */
const resource = strictObject(() => ({
  resourceName: z
    .string()
    .regex(RESOURCE_NAME, { error: 'must be letters, digits, `-`, `_` and `.`, with a letter or digit at each end' })
    .describe('Name of the resource, without its prefix.')
    .register(helps, prefixApart),
  resourcePrefix: z
    .string()
    .regex(RESOURCE_PREFIX, { error: 'must be a domain such as `rdma.example.com`' })
    .optional()
    .describe('Prefix of the resource. Default: `rdma`.'),
  rdmaHcaMax: z.int().describe('How many pods of a node may share the devices.'),
  devices: list.describe('Interface names; superseded by `selectors`.'),
  selectors: selectors.optional(),
})).refine((value) => value.selectors !== undefined || value.devices !== undefined, {
  error: 'needs `selectors` or `devices`',
});

/** The plugin's configuration as data. */
const rdmaConfig = strictObject(() => ({
  periodicUpdateInterval: z.int().optional().describe('Seconds between two scans for devices; 0 for none.'),
  configList: z.array(resource).min(1).describe('The resources.'),
})).describe('The resources that the plugin offers, as JSON text or as an object.');

/** The section `rdmaSharedDevicePlugin`. */
export const schema = devicePluginSection(rdmaConfig, (path) => path.at(-1) !== 'selectors').describe(
  'Offers RDMA devices to pods, shared between them.',
);

/** The section with complete images. */
export type RdmaSharedDevicePluginSpec = WithImage<z.output<typeof schema>>;
