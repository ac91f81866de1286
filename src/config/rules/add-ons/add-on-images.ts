import { allAddOns } from '../../../addons/all.js';
import { within, type Rule } from '../../../model/config.js';

/** Pods without an image are refused by the API server. */
export const addOnImages: Rule = {
  code: 'WEFT0480',
  severity: 'error',
  title: 'an add-on has no image',
  *check({ addOns, cluster }) {
    for (const { id, source, images } of allAddOns) {
      if (!addOns.has(id)) continue;
      const missing = Object.entries(images(addOns.get(id), cluster))
        .filter(([, image]) => image === undefined)
        .map(([path]) => `\`${path}\``);
      if (missing.length === 0) continue;
      yield {
        origin: within(cluster.origin, 'spec', source.path[0]),
        at: 'key',
        message: `\`spec.${source.path[0]}\` needs ${missing.length === 1 ? 'an image' : 'images'}: ${missing.join(', ')}`,
        help: 'set `spec.release`, which knows them, or give them in the section',
      };
    }
  },
};
