import type * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';

/** The section `secondaryNetwork.ipoib` (network-operator b06827e0, api/v1alpha1 `ImageSpec`). */
export const schema = imageSpec.extend({}).describe('The CNI plugin of IPoIBNetworks.');

/** The section with complete images. */
export type IpoibCniSpec = WithImage<z.output<typeof schema>>;
