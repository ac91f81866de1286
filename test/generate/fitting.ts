import { allAddOns } from '../../src/compile/addons/all.js';
import { allComponents } from '../../src/compile/components/all.js';
import { findRelease } from '../../src/compile/releases/catalog.js';
import { since } from '../../src/compile/releases/changes.js';
import { isObject, valueAt } from '../../src/shared/lib/json.js';
import type { Data } from './input.js';

const IMAGE = { image: 'some-image', repository: 'localhost:5000/a', version: '26.10-0.1.0.0-0' };

/** The documents with the images that their release does not have, without the fields that it does not know, and with `autoUpgrade` beside `safeLoad`. */
export function fitting(documents: readonly Data[]): readonly Data[] {
  const cluster = documents.find(({ kind }) => kind === 'Cluster');
  const release = String(valueAt(cluster, ['spec', 'release']));
  return documents.map((document) => {
    const { kind } = document;
    const spec = mapOf(document['spec']);
    if (kind === 'Cluster') return { ...document, spec: withoutAddOns(spec, release) };
    if (kind === 'NicClusterPolicy' || kind === 'NicNodePolicy')
      return { ...document, spec: withAutoUpgrade(withImages(spec, release)) };
    if (since({ spec: { release } }, 'meta-plugins') || !('metaPlugins' in spec)) return document;
    return { ...document, spec: Object.fromEntries(Object.entries(spec).filter(([key]) => key !== 'metaPlugins')) };
  });
}

const mapOf = (value: unknown): Data => (isObject(value) ? value : {});

const lacks = (release: string, key: string) => !Object.hasOwn(findRelease(release)?.images ?? {}, key);

function withImages(spec: Data, release: string): Data {
  const keys = allComponents.flatMap(({ source, imageKeys }) =>
    imageKeys.filter((key) => lacks(release, key.release)).map(({ path }) => [...source.path, ...path]),
  );
  return keys.reduce(imageAt, spec);
}

/** A safe load needs the companion. */
function withAutoUpgrade(spec: Data): Data {
  const section = mapOf(spec['ofedDriver']);
  const upgradePolicy = mapOf(section['upgradePolicy']);
  if (upgradePolicy['safeLoad'] !== true) return spec;
  return { ...spec, ofedDriver: { ...section, upgradePolicy: { ...upgradePolicy, autoUpgrade: true } } };
}

function imageAt(section: Data, [key, ...rest]: readonly string[]): Data {
  if (key === undefined) {
    const given = Object.fromEntries(
      Object.entries(section).filter(([name, value]) => !(name in IMAGE && value === '')),
    );
    return { ...IMAGE, ...given };
  }
  return isObject(section[key]) ? { ...section, [key]: imageAt(section[key], rest) } : section;
}

/** Where a release lacks images, add-ons are not deployed. */
function withoutAddOns(spec: Data, release: string): Data {
  const { images } = findRelease(release)?.missing ?? {};
  if (images === undefined) return spec;
  const keys = allAddOns.map(({ source }) => source.path[0]);
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !keys.some((one) => one === key)));
}
