import { fullReference, isBelow } from '../../shared/kubernetes/image-reference.js';
import type { ClusterSpec } from './cluster.js';

export type Mirror = ClusterSpec['mirrors'][number];

/** The mirror of an image: of several the one with the longest `from`. */
export function mirrorOf(image: string, mirrors: readonly Mirror[]): Mirror | undefined {
  const full = fullReference(image);
  const found = mirrors.filter(({ from }) => isBelow(full, from));
  return found.sort((a, b) => b.from.length - a.from.length)[0];
}

/** The reference by which an image is pulled. */
export function mirrored(image: string, mirrors: readonly Mirror[]): string {
  const mirror = mirrorOf(image, mirrors);
  return mirror === undefined ? image : `${mirror.to}${fullReference(image).slice(mirror.from.length)}`;
}
