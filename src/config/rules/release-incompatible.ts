import { allComponents } from '../../components/all.js';
import { releaseOfImage } from '../../releases/catalog.js';
import type { Rule } from '../../model/config.js';
import { imageOrigin } from '../../model/image-origin.js';
import { formatPath, valueAt } from '../../model/issues.js';
import type { ImageSpec } from '../../model/shapes/image-spec.js';

/** There is one set of templates; an older image may not fit it, whether the release filled it or the policy names it. */
export const releaseIncompatible: Rule = {
  code: 'WEFT0262',
  *check({ instances }) {
    for (const { id, imageKeys } of allComponents) {
      for (const instance of instances.get(id) ?? []) {
        for (const { path, release: key } of imageKeys) {
          const image = valueAt(instance.spec, path) as ImageSpec | undefined;
          const old = releaseOfImage(key, image?.version);
          const reason = old?.incompatible[key];
          if (!old || reason === undefined) continue;
          yield {
            origin: imageOrigin(instance, path, 'version'),
            at: 'key',
            message: `\`${formatPath([...instance.origin.path, ...path])}\` cannot run as of release ${old.release}: ${reason}`,
            help: 'choose a newer release, or give the section the `version` of a newer image',
          };
        }
      }
    }
  },
};
