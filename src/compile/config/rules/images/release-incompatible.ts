import { releaseOfImage } from '../../../releases/catalog.js';
import type { Rule } from '../../../model/config.js';
import { imageOrigin } from '../../../model/image-origin.js';
import { formatPath } from '../../../model/issues.js';
import { usedImages } from './used-images.js';

/**
 * There is one set of templates. Older images may not work with it, whether they come from the release or from the
 * policy.
 */
export const releaseIncompatible: Rule = {
  code: 'WEFT0262',
  severity: 'error',
  title: 'a component of an older release cannot run with the current templates',
  *check(config) {
    for (const { key, origin, image } of usedImages(config)) {
      const name = key.release;
      const old = releaseOfImage(name, image.version);
      const reason = old?.incompatible[name];
      if (!old || reason === undefined) continue;
      yield {
        origin: imageOrigin(origin, 'version'),
        at: 'key',
        message: `\`${formatPath(origin.path)}\` cannot run as of release ${old.release}: ${reason}`,
        help: 'choose a newer release, or give the section the `version` of a newer image',
      };
    }
  },
};
