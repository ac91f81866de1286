import { valueAt } from '../../../lib/json.js';
import { allComponents } from '../../../components/all.js';
import type { AnyComponent, ImageKey } from '../../../components/component.js';
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

/** Every image of the input, in the order of the components. */
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
