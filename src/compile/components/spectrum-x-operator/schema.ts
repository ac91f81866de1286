import type * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';

/** The operator uses it unchanged, without `global` (network-operator b06827e0, pkg/state/state_spectrumx.go). */
const xPlane = imageSpec
  .extend({
    repository: imageSpec.shape.repository.describe(
      'Registry and path of the image, without its name. Filled by the release; `global.repository` replaces the release’s.',
    ),
    version: imageSpec.shape.version.describe(
      'Tag or `sha256:` digest of the image. Filled by the release where `image` is left out, too, and never by `global`. Without one there is no XPlane.',
    ),
    imagePullSecrets: imageSpec.shape.imagePullSecrets.describe(
      'Names of the Secrets that hold registry credentials. Not filled by `global`.',
    ),
    containerResources: imageSpec.shape.containerResources.describe('Has no effect.'),
  })
  .describe('Image of XPlane, which the operator starts on the nodes.');

/** The section `spectrumXOperator` (network-operator b06827e0, api/v1alpha1 `SpectrumXOperatorSpec`). */
export const schema = imageSpec
  .extend({
    xPlane: xPlane.optional(),
  })
  .describe('Configures the rails of a Spectrum-X network.');

type Section = z.output<typeof schema>;

/** The section with its own image complete; the image of XPlane may lack the version. */
export type SpectrumXOperatorSpec = WithImage<Omit<Section, 'xPlane'>> & {
  readonly xPlane?: WithImage<NonNullable<Section['xPlane']>> | undefined;
};
