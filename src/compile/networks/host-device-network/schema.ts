import * as z from 'zod';
import { documentOf } from '../../model/shapes/document.js';
import { helps } from '../../model/shapes/help.js';
import { RESOURCE_NAME, withoutPrefix } from '../../model/shapes/resource-name.js';
import { networkNamespace } from '../cni/fields.js';
import { ipam } from '../cni/ipam.js';
import { metaPlugins } from '../cni/meta-plugins.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

export const KIND = 'HostDeviceNetwork';

const spec = strictObject(() => ({
  networkNamespace,
  resourceName: z
    .string()
    .regex(RESOURCE_NAME, {
      error: 'must be letters, digits, `-`, `_` and `.`, with a letter or digit at each end, and without a prefix',
    })
    .describe('Resource of the device plugin that the devices come from, without its prefix `nvidia.com/`.')
    .register(helps, withoutPrefix),
  ipam,
  metaPlugins,
})).describe('The network.');

/**
 * The document (network-operator b06827e0, api/v1alpha1 `HostDeviceNetworkSpec`). A missing spec is read as an empty
 * one, so that the missing `resourceName` is reported.
 */
export const schema = documentOf('mellanox.com/v1alpha1', KIND, spec.prefault({} as z.input<typeof spec>)).describe(
  'A network of devices of the host, each moved into a pod.',
);

export type HostDeviceNetworkSpec = z.output<typeof spec>;
