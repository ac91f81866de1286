import type * as z from 'zod';
import { documentOf } from '../../model/shapes/document.js';
import { master, networkNamespace } from '../cni/fields.js';
import { ipam } from '../cni/ipam.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

export const KIND = 'IPoIBNetwork';

const spec = strictObject(() => ({
  networkNamespace,
  master: master.describe(
    'InfiniBand interface of the host to attach to. Default: the interface of the default route.',
  ),
  ipam,
})).describe('The network.');

/** The document (network-operator b06827e0, api/v1alpha1 `IPoIBNetworkSpec`). */
export const schema = documentOf('mellanox.com/v1alpha1', KIND, spec.prefault({})).describe(
  'A network of IPoIB interfaces on an InfiniBand interface of the host.',
);

export type IPoIBNetworkSpec = z.output<typeof spec>;
