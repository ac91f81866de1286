import { DRIVER, type ReleaseImage, type ReleaseLine, type Version } from '../../src/compile/releases/catalog.js';
import { listedNames } from '../../src/shared/lib/listed.js';
import { sourceOf, type OperatorTree } from './operator.js';
import type { ImagesPage } from './page.js';

/** What an entry of a version is made from: a work tree of the operator, NVIDIA's page of images, or both. */
export interface Given {
  readonly version: string;
  readonly tree?: OperatorTree;
  readonly page?: ImagesPage;
  /** Address of the page. */
  readonly address: string;
}

/** The keys of images in the catalog by the names of the images. */
export type Keys = ReadonlyMap<string, string>;

/** The entry of a version. What is given counts; of an entry that the catalog has, what is not given stays. */
export function versionEntry(given: Given, before: Version | undefined, keys: Keys): Version {
  const { version, tree, page, address } = given;
  const fromPage = page && { page: address, version };
  const source = (tree && sourceOf(tree)) ?? before?.source ?? fromPage;
  if (source === undefined) throw new Error('neither a work tree nor a page is given');
  const found = { ...imagesOfPage(page, keys), ...imagesOfTree(tree, keys) };
  const images = withDigests({ ...before?.images, ...found }, page, before?.images ?? {});
  const digestSource = fromPage ?? before?.digestSource;
  const driverTags = page && page.driverTags.length > 0 ? page.driverTags : before?.driverTags;
  const facts = { images, ...(driverTags && { driverTags }) };
  // A note on one image says that its tag was not found.
  const notes = Object.entries(before?.missing ?? {}).filter(
    ([field]) => field.startsWith('images.') && !Object.hasOwn(found, field.slice('images.'.length)),
  );
  const missing = { ...Object.fromEntries(notes), ...missingOf(facts, before, keys) };
  return { version, source, ...(digestSource && { digestSource }), missing, ...facts };
}

function imagesOfPage(page: ImagesPage | undefined, keys: Keys): Readonly<Record<string, ReleaseImage>> {
  const rows = [...(page?.images ?? []), ...(page?.driver ? [page.driver] : [])];
  const known = rows.flatMap(({ image, repository, version }) => {
    const key = keys.get(image);
    return key === undefined ? [] : [[key, { image, repository, version }] as const];
  });
  return Object.fromEntries(known);
}

function imagesOfTree(tree: OperatorTree | undefined, keys: Keys): Readonly<Record<string, ReleaseImage>> {
  const known = new Set(keys.values());
  return Object.fromEntries(Object.entries(tree?.images ?? {}).filter(([key]) => known.has(key)));
}

/** A digest is one of a tag: a row of the page, or of the entry before, with another tag gives none. */
function withDigests(
  images: Version['images'],
  page: ImagesPage | undefined,
  before: Version['images'],
): Version['images'] {
  const rows = [...(page?.images ?? []), ...Object.values(before)];
  const filled = Object.entries(images).map(([key, image]) => {
    const row = rows.find((one) => one.image === image.image && one.version === image.version);
    return [key, row?.digest === undefined ? image : { ...image, digest: row.digest }] as const;
  });
  return Object.fromEntries(filled);
}

type Facts = Pick<Version, 'images' | 'driverTags'>;

/** Facts that the sources do not have. A reason that somebody wrote stays as long as the same facts are missing. */
function missingOf(facts: Facts, before: Version | undefined, keys: Keys): Version['missing'] {
  const lacks = [
    { field: 'images', of: (one: Facts) => [...keys.values()].filter((key) => !Object.hasOwn(one.images, key)) },
    { field: 'digests', of: (one: Facts) => withoutDigest(one.images) },
    { field: 'driverTags', of: (one: Facts) => (one.driverTags ? [] : [DRIVER]) },
  ];
  const rows = lacks.flatMap(({ field, of }) => {
    const names = of(facts);
    const written = before?.missing[field];
    const isAsBefore = before !== undefined && of(before).join(' ') === names.join(' ');
    const text = `the sources do not have ${field === 'driverTags' ? 'the tags of the driver' : listedNames(names, names.length)}`;
    return names.length === 0 ? [] : [[field, isAsBefore && written !== undefined ? written : text] as const];
  });
  return Object.fromEntries(rows);
}

/** The page has the digests of the driver's tags for each system. */
function withoutDigest(images: Version['images']): readonly string[] {
  return Object.entries(images).flatMap(([key, { digest }]) => (key === DRIVER || digest !== undefined ? [] : [key]));
}

/**
 * The entry of a release that the catalog does not have yet. Its output was not compared: `templates` are those of the release before it, until
 * somebody records its cases.
 */
export function lineEntry(given: Given, release: string, before: ReleaseLine): ReleaseLine {
  const { templates } = before;
  const driverSystems = builtSystems(given);
  const why = `the output of ${release} was not recorded: this is the commit of ${before.release}`;
  return {
    release,
    templates,
    missing: {
      templates: why,
      ...(given.tree ? {} : { minimum: `no work tree of ${given.version} was given: those of ${before.release}` }),
      ...(driverSystems
        ? { 'driverSystems.validated': 'the page of supported platforms was not read' }
        : { driverSystems: 'the sources have no tags of the driver' }),
    },
    minimum: given.tree?.minimum ?? before.minimum,
    ...(driverSystems && { driverSystems }),
  };
}

const SYSTEM = /-([a-z]+)(\d+\.\d+)-(amd64|arm64)$/;

/** The systems that the driver has images for, by the tags of the page. */
export function builtSystems({ page, address, version }: Given): ReleaseLine['driverSystems'] {
  const found = new Map<string, { os: string; version: string; archs: string[] }>();
  for (const tag of page?.driverTags.flatMap(({ tags }) => tags) ?? []) {
    const [, os = '', of = '', arch = ''] = SYSTEM.exec(tag) ?? [];
    const system = found.get(`${os} ${of}`) ?? { os, version: of, archs: [] };
    found.set(`${os} ${of}`, { ...system, archs: [...new Set([...system.archs, arch])].sort() });
  }
  const systems = [...found.values()].map(({ os, version: of, archs }) => ({ os, versions: [of], archs }));
  return systems.length === 0 ? undefined : { built: { source: { page: address, version }, systems } };
}
