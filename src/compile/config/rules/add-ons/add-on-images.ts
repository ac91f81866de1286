import type { Rule } from '../../../model/config.js';
import { imageSections } from '../images/used-images.js';

/** Pods without an image are refused by the API server. */
export const addOnImages: Rule = {
  code: 'WEFT0480',
  severity: 'error',
  title: 'an add-on has no image',
  *check(config) {
    for (const { key, origin, images } of imageSections(config)) {
      const missing = Object.entries(images)
        .filter(([, image]) => image === undefined)
        .map(([path]) => `\`${path}\``);
      if (missing.length === 0) continue;
      yield {
        origin,
        at: 'key',
        message: `\`spec.${key}\` needs ${missing.length === 1 ? 'an image' : 'images'}: ${missing.join(', ')}`,
        help: 'set `spec.release`, which knows them, or give them in the section',
      };
    }
  },
};
