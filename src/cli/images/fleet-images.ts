import type { ListedImage } from '../../compile/image-list/list.js';
import type { ImageSource } from '../../compile/image-list/sources.js';
import { compareText } from '../../shared/lib/json.js';

/** The images of one cluster. */
export interface ClusterImages {
  readonly cluster: string;
  readonly images: readonly ListedImage[];
}

/** One use of an image by a cluster. */
interface ClusterUse extends Pick<ListedImage, 'pulledAs' | 'source' | 'uses'> {
  readonly cluster: string;
}

/** An image of some clusters. */
export interface FleetImage extends Pick<ListedImage, 'image' | 'digest' | 'platforms'> {
  readonly clusters: readonly ClusterUse[];
}

/** Each image once, sorted, with the clusters that use it. */
export function fleetImages(clusters: readonly ClusterImages[]): readonly FleetImage[] {
  const found = new Map<string, FleetImage>();
  for (const { cluster, images } of clusters) {
    for (const { source, uses, pulledAs, ...image } of images) {
      const before = found.get(image.image);
      const platforms = new Set([...(before?.platforms ?? []), ...image.platforms]);
      found.set(image.image, {
        ...image,
        platforms: [...platforms].sort(compareText),
        clusters: [...(before?.clusters ?? []), { cluster, ...(pulledAs !== undefined && { pulledAs }), source, uses }],
      });
    }
  }
  return [...found.values()].sort((a, b) => compareText(a.image, b.image));
}

/** Who chose an image, for people. */
export function sourceText(source: ImageSource): string {
  switch (source.kind) {
    case 'field':
      return `${source.file}: ${source.field}`;
    case 'release':
      return `release ${source.release}`;
    case 'default':
      return 'the default of Weft';
  }
}
