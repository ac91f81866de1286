import { isDigest, isTagOrDigest } from '../../../../shared/kubernetes/image-reference.js';
import { listedNames } from '../../../../shared/lib/listed.js';
import { valueAt } from '../../../../shared/lib/json.js';
import { within, type Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';
import { DRIVER, findRelease, versionsOfImage } from '../../../releases/catalog.js';
import { hasUnknownDrivers, systemOfTag } from '../../../releases/driver-systems.js';
import type { ImageSpec } from '../../../model/shapes/image-spec.js';
import { usedImages } from './used-images.js';

const HEXADECIMAL_DIGEST = /^[0-9a-f]{64}$/;

/** NVIDIA's driver image was called so before its tags began with `doca`. Own registries may have any name. */
const OLD_DRIVER_IMAGE = 'mofed';

function isNewTagOfOldImage(key: string, { image, repository, version }: ImageSpec): boolean {
  return (
    key === DRIVER &&
    image === OLD_DRIVER_IMAGE &&
    version.startsWith('doca') &&
    versionsOfImage(key).some((one) => one.repository === repository)
  );
}

/**
 * A tag that the registry does not have leaves nodes without their component: of a driver, after they were drained. Registries are not asked,
 * so the releases in the catalog count, and only where the image is the one of a release: mirrors and own builds have tags of their own.
 * Where a release has a version whose driver is not known, any driver of its series may be that one.
 */
export const tagKnown: Rule = {
  code: 'WEFT0308',
  severity: 'warning',
  title: 'no known release has the tag of an image',
  *check(config) {
    if (!findRelease(config.cluster.spec.release ?? '')) return;
    for (const { key, image, ...used } of usedImages(config)) {
      const origin = within(used.origin, 'version');
      // What is neither a tag nor a digest is an error already.
      if (isDigest(image.version) || !isTagOrDigest(image.version) || !valueAt(origin.document.value, origin.path))
        continue;
      const known = versionsOfImage(key.release)
        .filter((one) => one.image === image.image && one.repository === image.repository)
        .map(({ version }) => version);
      if (isNewTagOfOldImage(key.release, image)) {
        yield {
          origin: within(used.origin, 'image'),
          message: `\`${formatPath([...used.origin.path, 'version'])}\` is \`${image.version}\`, which is a tag of \`doca-driver\` and not of \`mofed\``,
          help: 'write `image: doca-driver`, or remove `image`: the release fills it',
        };
        continue;
      }
      if (known.length === 0 || known.includes(image.version)) continue;
      // A rule of the driver reports those.
      if (hasUnknownDrivers(image.version) || systemOfTag(image.version)) continue;
      yield {
        origin,
        message: `\`${formatPath(origin.path)}\` is no tag of \`${image.repository}/${image.image}\` in a release that Weft knows: \`${image.version}\``,
        help: HEXADECIMAL_DIGEST.test(image.version)
          ? `a digest has \`sha256:\` before it: write \`sha256:${image.version}\``
          : `the releases have ${listedNames([...new Set(known)], 5)}; if the registry has this one, write \`# weft-ignore WEFT0308: reason\` above it`,
      };
    }
  },
};
