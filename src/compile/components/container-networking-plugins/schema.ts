import type * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';

/** The section `secondaryNetwork.cniPlugins` (network-operator b06827e0, api/v1alpha1 `ImageSpec`). */
export const schema = imageSpec
  .extend({})
  .describe('The standard CNI plugins, `macvlan` and `host-device` among them.');

/** The section with complete images. */
export type ContainerNetworkingPluginsSpec = WithImage<z.output<typeof schema>>;
