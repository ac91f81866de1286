import * as z from 'zod';
import { documentOf } from '../../model/shapes/document.js';
import { count } from '../../../shared/kubernetes/fields.js';
import { master, networkNamespace } from '../cni/fields.js';
import { ipam } from '../cni/ipam.js';
import { metaPlugins } from '../cni/meta-plugins.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

export const KIND = 'MacvlanNetwork';

const spec = strictObject(() => ({
  networkNamespace,
  master: master.describe('Interface of the host to attach to. Default: the interface of the default route.'),
  mode: z
    .enum(['bridge', 'private', 'vepa', 'passthru'])
    .optional()
    .describe("How interfaces on the same master reach each other. Default: the plugin's own, `bridge`."),
  mtu: count.optional().describe("MTU of the interface in bytes. Default: 0, which is the master's."),
  ipam,
  metaPlugins,
})).describe('The network.');

/** The document (network-operator b06827e0, api/v1alpha1 `MacvlanNetworkSpec`). */
export const schema = documentOf('mellanox.com/v1alpha1', KIND, spec.prefault({})).describe(
  'A network of macvlan interfaces on an interface of the host.',
);

export type MacvlanNetworkSpec = z.output<typeof spec>;
