import { findRelease } from '../../../releases/catalog.js';
import { within, type Config, type Violation, type Origin, type Rule } from '../../../model/config.js';
import { imageOrigin } from '../../../model/image-origin.js';
import { formatPath } from '../../../model/issues.js';
import { isObject, valueAt } from '../../../../shared/lib/json.js';
import { imageSections, usedImages, type UsedImage } from './used-images.js';

/** A part of a registry or a path that means staging, such as in `nvcr.io/nvstaging/mellanox`. */
const STAGING = /(?:^|[./_-])(?:nv)?staging(?=$|[./:_-])/;

/** Images in registries for tests are replaced or removed without notice, and need other rights. */
export const stagingRegistry: Rule = {
  code: 'WEFT0311',
  severity: 'warning',
  title: 'an image is of a staging registry',
  *check(config) {
    const reported = new Set<string>();
    for (const violation of [...ofPolicies(config), ...ofCluster(config), ...ofAddOns(config)]) {
      const { document, path } = violation.origin;
      const key = `${document.file} ${formatPath(path)}`;
      if (!reported.has(key)) yield violation;
      reported.add(key);
    }
  },
};

function* ofPolicies(config: Config): Iterable<Violation> {
  for (const used of usedImages(config)) {
    const { key, image } = used;
    if (!STAGING.test(image.repository) || (key.isHandedOn && image.version === '')) continue;
    const origin = imageOrigin(used.origin, 'repository');
    if (valueAt(origin.document.value, origin.path)) {
      yield violation(origin, `\`${formatPath(origin.path)}\` is a staging registry: \`${image.repository}\``);
    } else yield* ofRelease(used, config);
  }
}

/** Pre-releases have their own warning for all of their images. */
function* ofRelease({ origin, image }: UsedImage, { cluster }: Config): Iterable<Violation> {
  const { release, preRelease } = findRelease(cluster.spec.release ?? '') ?? {};
  if (release === undefined || preRelease !== undefined) return;
  const message = `release ${release} fills \`${formatPath(origin.path)}\` with an image of a staging registry: \`${image.repository}\``;
  yield { ...violation(origin, message), at: 'key' };
}

function* ofCluster({ cluster }: Config): Iterable<Violation> {
  const { driver, companion, openshift } = cluster.spec;
  const toolkits = Object.entries(openshift.driverToolkitImages);
  const images: readonly (readonly [readonly string[], string])[] = [
    [['driver', 'initContainerImage'], driver.initContainerImage ?? ''],
    [['companion', 'image'], companion.image],
    [['companion', 'nodeImage'], companion.nodeImage],
    ...toolkits.map(([version, image]) => [['openshift', 'driverToolkitImages', version], image] as const),
  ];
  for (const [path, image] of images) {
    const origin: Origin = within(cluster.origin, 'spec', ...path);
    if (STAGING.test(image)) yield ofStaging(origin, image);
  }
}

/** What the document itself writes. An image is at its key in the section or, where it has several of one kind, below `images`. */
function* ofAddOns(config: Config): Iterable<Violation> {
  for (const { origin, images } of imageSections(config)) {
    for (const place of Object.keys(images).flatMap((key) => [key.split('.'), ['images', key]])) {
      const written = within(origin, ...place);
      const image = textsOf(valueAt(written.document.value, written.path)).find((text) => STAGING.test(text));
      if (image !== undefined) yield ofStaging(written, image);
    }
  }
}

/** Of a whole reference, or of one in parts: `{repository, tag}`. */
function textsOf(value: unknown): readonly string[] {
  return (isObject(value) ? Object.values(value) : [value]).filter((one) => typeof one === 'string');
}

function ofStaging(origin: Origin, image: string): Violation {
  return violation(origin, `\`${formatPath(origin.path)}\` is of a staging registry: \`${image}\``);
}

function violation(origin: Origin, message: string): Violation {
  return { origin, message, help: 'name a registry of released images, or a mirror of your own' };
}
