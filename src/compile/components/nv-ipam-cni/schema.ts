import * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';

/** The section `nvIpam` (network-operator b06827e0, api/v1alpha1 `NVIPAMSpec`). */
export const schema = imageSpec
  .extend({
    enableWebhook: z
      .boolean()
      .optional()
      .describe(
        'Whether a webhook checks IPPools and CIDRPools. No known image serves it. Needs cert-manager, except on OpenShift.',
      ),
  })
  .describe('Gives addresses to the interfaces of secondary networks, from a block of addresses for each node.');

/** The section with complete images. */
export type NvIpamCniSpec = WithImage<z.output<typeof schema>>;
