import type { Cluster } from '../../config/config.js';
import type { ImageSpec } from '../../config/shapes/image-spec.js';
import { findRelease } from '../../releases/catalog.js';
import type { SpectrumXOperatorSpec } from './schema.js';

/** Name of the image in the release catalog. */
const RELEASE_KEY = 'xPlaneService';

/**
 * The image of XPlane with what the release knows of it; empty where neither says. It is no image key of the component: the
 * operator does not fill it from `global`, and takes it as it is (network-operator v26.7.0-rc.2,
 * pkg/state/state_spectrumx.go). `undefined` where the policy wants none.
 */
export function xPlaneImage({ xPlane }: SpectrumXOperatorSpec, { spec }: Cluster): ImageSpec | undefined {
  if (!xPlane) return undefined;
  const known = spec.release === undefined ? undefined : findRelease(spec.release)?.images[RELEASE_KEY];
  const pick = (key: 'image' | 'repository' | 'version') => xPlane[key] || known?.[key] || '';
  return { ...xPlane, image: pick('image'), repository: pick('repository'), version: pick('version') };
}
