import type * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';

/** The section `nicFeatureDiscovery` (network-operator b06827e0, api/v1alpha1 `NICFeatureDiscoverySpec`). */
export const schema = imageSpec
  .extend({})
  .describe('Tells Node Feature Discovery what the NVIDIA NICs of a node can do.');

/** The section with complete images. */
export type NicFeatureDiscoverySpec = WithImage<z.output<typeof schema>>;
