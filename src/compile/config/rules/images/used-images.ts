import { allAddOns } from '../../../addons/all.js';
import { allComponents } from '../../../components/all.js';
import type { AnyComponent, ImageKey } from '../../../components/component.js';
import { needsCompanion } from '../../../delivery/drivers.js';
import { valueAt } from '../../../../shared/lib/json.js';
import { within, type Config, type Origin } from '../../../model/config.js';
import type { ImageSpec } from '../../../model/shapes/image-spec.js';

/** An image that a section uses, with the parts that are known. */
export interface UsedImage {
  readonly component: AnyComponent;
  readonly key: ImageKey;
  /** The image specification in the policy. */
  readonly origin: Origin;
  readonly image: ImageSpec;
}

/** Every image of the policies, in the order of the components. */
export function* usedImages({ instances }: Pick<Config, 'instances'>): Iterable<UsedImage> {
  for (const component of allComponents) {
    for (const { spec, origin } of instances.get(component.id) ?? []) {
      for (const key of component.imageKeys) {
        const image = valueAt(spec, key.path);
        if (image === undefined) continue;
        yield { component, key, origin: within(origin, ...key.path), image: image as ImageSpec };
      }
    }
  }
}

/** A section of the Cluster document whose pods have images of their own, which `global` of a policy does not fill. */
export interface ImageSection {
  /** Its key below `spec`. */
  readonly key: string;
  readonly section: unknown;
  /** The section, or `spec` if the document has none. */
  readonly origin: Origin;
  /** Whole references, by their paths in the section; `undefined` if neither the section nor the release has one. */
  readonly images: Readonly<Record<string, string | undefined>>;
}

/** The sections of the Cluster document with the images that they run: of add-ons, and of the companion if there is one. */
export function imageSections(config: Config): readonly ImageSection[] {
  const { addOns, cluster } = config;
  const sectionOf = (key: string, section: unknown, images: ImageSection['images']): ImageSection => {
    const isGiven = valueAt(cluster.origin.document.value, ['spec', key]) !== undefined;
    return { key, section, images, origin: within(cluster.origin, 'spec', ...(isGiven ? [key] : [])) };
  };
  const ofAddOns = allAddOns.map(({ id, source, images }) => {
    const section = addOns.get(id);
    return sectionOf(source.path[0], section, images(section, cluster));
  });
  if (!needsCompanion(config)) return ofAddOns;
  return [...ofAddOns, sectionOf('companion', cluster.spec.companion, { image: cluster.companionImage })];
}
