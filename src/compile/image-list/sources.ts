import type { ImageKey } from '../components/component.js';
import { imageSections, usedImages, type UsedImage } from '../config/rules/images/used-images.js';
import { within, type Config, type NodePool, type Origin } from '../model/config.js';
import { imageOrigin } from '../model/image-origin.js';
import { formatPath } from '../model/issues.js';
import { renderedRelease } from '../releases/catalog.js';
import { imageReference } from '../../shared/kubernetes/image-reference.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { hasScalar, valueAt } from '../../shared/lib/json.js';
import { mapImages } from '../images/places.js';

/** Who chose an image: a field of a document, a version of the release, or Weft where neither names one. */
export type ImageSource =
  | { readonly kind: 'field'; readonly file: string; readonly field: string }
  | { readonly kind: 'release'; readonly release: string }
  | { readonly kind: 'default' };

/** The sources of the images of a configuration, by their references before mirrors. An image of a program's object has none. */
export function imageSources(config: Config): (image: string) => ImageSource {
  const known = new Map<string, ImageSource>();
  // The first source of an image counts: policies come before what is derived from them.
  for (const [image, source] of [...ofPolicies(config), ...ofCluster(config), ...ofObjects(config)]) {
    if (image !== '' && !known.has(image)) known.set(image, source);
  }
  return (image) => known.get(image) ?? ofPatch(config, image) ?? { kind: 'default' };
}

type Entry = readonly [image: string, source: ImageSource];

function fieldAt({ document, path }: Origin): ImageSource {
  return { kind: 'field', file: document.file, field: formatPath(path) };
}

const isWritten = ({ document, path }: Origin): boolean => Boolean(valueAt(document.value, path));

function releaseOf({ cluster }: Config): ImageSource {
  const { release } = cluster.spec;
  return release === undefined ? { kind: 'default' } : { kind: 'release', release: renderedRelease(release).version };
}

function* ofPolicies(config: Config): Iterable<Entry> {
  for (const used of usedImages(config)) {
    const parts = (['version', 'image', 'repository'] as const).map((part) => imageOrigin(used.origin, part));
    const written = parts.find(isWritten);
    const source = written === undefined ? releaseOf(config) : fieldAt(written);
    for (const image of referencesOf(used, config)) yield [image, source];
  }
}

function referencesOf({ key, image, component, origin }: UsedImage, { cluster, instances }: Config): readonly string[] {
  const { ofPool }: ImageKey = key;
  if (ofPool === undefined) return [imageReference(image)];
  const own = (instances.get(component.id) ?? []).filter((one) => isWithin(origin, one.origin));
  return own.flatMap(({ spec, pools }) => pools.map((pool: NodePool) => ofPool(spec, pool, cluster)));
}

const isWithin = (inner: Origin, outer: Origin): boolean =>
  inner.document === outer.document && outer.path.every((step, index) => step === inner.path[index]);

function* ofCluster(config: Config): Iterable<Entry> {
  const { cluster } = config;
  const { driver, openshift } = cluster.spec;
  const own = within(cluster.origin, 'spec', 'driver', 'initContainerImage');
  yield [cluster.initContainerImage, driver.initContainerImage === undefined ? releaseOf(config) : fieldAt(own)];
  for (const [version, image] of Object.entries(openshift.driverToolkitImages)) {
    yield [image, fieldAt(within(cluster.origin, 'spec', 'openshift', 'driverToolkitImages', version))];
  }
  const released = new Set(Object.values(cluster.releaseImages).map(imageReference));
  for (const { key: section, images } of imageSections(config)) {
    for (const [key, image = ''] of Object.entries(images)) {
      // An image is at its key in the section or, where the section has several of one kind, below `images`.
      const places = [key.split('.'), ['images', key], ['nodeImage']].map((path) =>
        within(cluster.origin, 'spec', section, ...path),
      );
      const written = places.find(isWritten);
      const filled: ImageSource = released.has(image) ? releaseOf(config) : { kind: 'default' };
      yield [image, written === undefined ? filled : fieldAt(written)];
    }
  }
}

function ofObjects({ passthrough }: Config): readonly Entry[] {
  return passthrough.flatMap(({ object, origin }) => {
    const images: string[] = [];
    mapImages(object as KubernetesObject, (image) => {
      images.push(image);
      return image;
    });
    return images.map((image): Entry => [image, fieldAt(within(origin, ...placeOf(object, image)))]);
  });
}

/** The path of the first text that is the image. */
function placeOf(value: unknown, image: string): readonly (string | number)[] {
  if (typeof value !== 'object' || value === null) return [];
  for (const [key, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    if (inner === image) return [step];
    const found = placeOf(inner, image);
    if (found.length > 0) return [step, ...found];
  }
  return [];
}

function ofPatch({ cluster }: Config, image: string): ImageSource | undefined {
  const index = cluster.spec.patches.findIndex(({ patch }) => hasScalar(patch, (scalar) => scalar === image));
  return index < 0 ? undefined : fieldAt(within(cluster.origin, 'spec', 'patches', index));
}
