import type { PlacedObject } from '../model/placed-object.js';
import type { Config, NodePool } from '../model/config.js';
import { knownDigest } from '../releases/digests.js';
import { constraintsOf, nodePlacement } from '../../shared/kubernetes/selection/node-placement.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { compareText } from '../../shared/lib/json.js';
import { imageSources, type ImageSource } from './sources.js';
import { mapImages, mapPodSpec } from '../images/places.js';
import { mirrored } from '../model/mirrors.js';
import { withoutPin } from '../../shared/kubernetes/image-pins.js';

/** A place of an object that names an image. */
interface ImageUse {
  readonly kind: string;
  /** Absent for an object that belongs to the cluster or whose namespace is that of who applies it. */
  readonly namespace?: string;
  readonly name: string;
  /** Below the spec of its pods: `containers[operator].env[OVS_CNI_IMAGE]`. */
  readonly at: string;
}

/** An image of a cluster. */
export interface ListedImage {
  /** The reference as it was chosen, before mirrors, with the digest that `weft.lock` pins it to. */
  readonly image: string;
  /** The reference of the output, where a mirror of the cluster stands for its registry. */
  readonly pulledAs?: string;
  /** The `sha256:` digest in the reference, or that of the tag as NVIDIA published it. */
  readonly digest?: string;
  /** `linux/<architecture>` of the node pools on which its pods may run; of all pools where the pods of none. Sorted. */
  readonly platforms: readonly string[];
  readonly source: ImageSource;
  /** In the order of the objects. */
  readonly uses: readonly ImageUse[];
}

/**
 * Every image of a cluster, sorted: all that its objects name.
 *
 * @param objects rendered without the mirrors of the configuration
 */
export function imageList(config: Config, objects: readonly PlacedObject[]): readonly ListedImage[] {
  const sourceOf = imageSources(config);
  const found = new Map<string, { readonly platforms: Set<string>; readonly uses: ImageUse[] }>();
  for (const { object } of objects) {
    const platforms = platformsOf(object, config);
    for (const [image, use] of imageUses(object)) {
      const entry = found.get(image) ?? { platforms: new Set<string>(), uses: [] };
      found.set(image, entry);
      for (const platform of platforms) entry.platforms.add(platform);
      entry.uses.push(use);
    }
  }
  return [...found]
    .map(([image, { platforms, uses }]): ListedImage => {
      const digest = digestOf(image);
      const pulledAs = mirrored(image, config.cluster.spec.mirrors);
      return {
        image,
        ...(pulledAs !== image && { pulledAs }),
        ...(digest !== undefined && { digest }),
        platforms: [...platforms].sort(compareText),
        source: sourceOf(withoutPin(image, config.cluster.pins)),
        uses,
      };
    })
    .sort((a, b) => compareText(a.image, b.image));
}

/** The images that an object names, each with its place. */
export function imageUses(object: KubernetesObject): readonly (readonly [image: string, use: ImageUse])[] {
  const { name, namespace } = object.metadata;
  const uses: (readonly [string, ImageUse])[] = [];
  mapImages(object, (image, { at }) => {
    uses.push([image, { kind: object.kind, ...(namespace !== undefined && { namespace }), name, at }]);
    return image;
  });
  return uses;
}

function digestOf(image: string): string | undefined {
  const [, digest] = image.split('@');
  return digest ?? knownDigest(image)?.digest;
}

function platformsOf(object: KubernetesObject, config: Config): readonly string[] {
  const own = poolsOf(object, config);
  return [...new Set((own.length > 0 ? own : config.cluster.pools).map(({ arch }) => `linux/${arch}`))];
}

/** The pools on whose nodes the pods of an object may run. */
export function poolsOf(object: KubernetesObject, { cluster: { pools } }: Config): readonly NodePool[] {
  let own: typeof pools = [];
  mapPodSpec(object, (spec) => {
    const { accepts } = nodePlacement(constraintsOf(spec));
    own = pools.filter(({ labels, taints }) => accepts({ labels, taints, otherLabels: 'any' }));
    return spec;
  });
  return own;
}
