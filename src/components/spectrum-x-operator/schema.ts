import type * as z from 'zod';
import { imageSpec, type WithImage } from '../../config/shapes/image-spec.js';

/** The section `spectrumXOperator` (network-operator v26.7.0-rc.2, api/v1alpha1 `SpectrumXOperatorSpec`). */
export const schema = imageSpec
  .extend({
    xPlane: imageSpec
      .optional()
      .describe(
        'Image of XPlane, which the operator starts on the nodes. Not filled by `global`, only by the release.',
      ),
  })
  .describe('Configures the rails of a Spectrum-X network.');

/** The section as components see it: with its own image complete. */
export type SpectrumXOperatorSpec = WithImage<z.output<typeof schema>>;
