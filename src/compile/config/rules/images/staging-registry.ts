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

function* ofRelease({ origin, image }: UsedImage, { cluster }: Config): Iterable<Violation> {
  const { release } = findRelease(cluster.spec.release ?? '') ?? {};
  if (release === undefined) return;
  const message = `release ${release} fills \`${formatPath(origin.path)}\` with an image of a staging registry: \`${image.repository}\``;
  yield { ...violation(origin, message), at: 'key' };
}

function* ofCluster({ cluster }: Config): Iterable<Violation> {
  const { driver, companion, openshift } = cluster.spec;
  const toolkits = Object.entries(openshift.driverToolkitImages);
  const images: readonly (readonly [readonly string[], string])[] = [
    [['driver', 'initContainerImage'], driver.initContainerImage ?? ''],
    [['companion', 'image'], companion.image],
    [['companion', 'nodeImage'], companion.nodeImage ?? ''],
    ...toolkits.map(([version, image]) => [['openshift', 'driverToolkitImages', version], image] as const),
  ];
  for (const [path, image] of images) {
    const origin: Origin = within(cluster.origin, 'spec', ...path);
    if (STAGING.test(image)) yield ofStaging(origin, image);
  }
}

/** An image that the document writes is at its key in the section or, where it has several of one kind, below `images`. */
function* ofAddOns(config: Config): Iterable<Violation> {
  for (const { key: section, origin, images } of imageSections(config)) {
    for (const [key, rendered = ''] of Object.entries(images)) {
      const places = [key.split('.'), ['images', key]].map((place) => within(origin, ...place));
      const written = places.map((place) => ({ place, texts: textsOf(valueAt(place.document.value, place.path)) }));
      const found = written.flatMap(({ place, texts }) =>
        texts.filter((text) => STAGING.test(text)).map((text) => ofStaging(place, text)),
      );
      if (found.length > 0) yield* found.slice(0, 1);
      else if (STAGING.test(rendered)) yield ofReleaseInAddOn(origin, section, rendered, config);
    }
  }
}

function ofReleaseInAddOn(origin: Origin, section: string, image: string, { cluster }: Config): Violation {
  const message = `release ${cluster.spec.release ?? ''} fills \`spec.${section}\` with an image of a staging registry: \`${image}\``;
  return { ...violation(origin, message), at: 'key' };
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
