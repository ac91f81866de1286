import { lines, versions } from './entries.js';

/** The image of one component in one version. */
export interface ReleaseImage {
  readonly image: string;
  readonly repository: string;
  readonly version: string;
  /** Of the tag, for all architectures, where a source has it. */
  readonly digest?: string;
}

/**
 * A file at a commit that facts come from. `version` is its tag, or the output of `git describe --tags` for the commit.
 */
interface Source {
  readonly project: string;
  readonly file: string;
  readonly version: string;
  readonly commit: string;
}

/** A published page that facts come from, if no repository has its text. */
interface PageSource {
  readonly page: string;
  readonly version: string;
}

/** Systems with the names in node labels: versions are `VERSION_ID`s, `os` is the `ID`. */
export interface DriverSystem {
  readonly os: string;
  readonly versions: readonly string[];
  /** Absent if the source names none. */
  readonly archs?: readonly string[];
}

/** The operating systems of a driver according to one source. */
interface DriverSystems {
  readonly source: Source | PageSource;
  readonly systems: readonly DriverSystem[];
}

/** The minimum version for a release, and the file that has it. */
interface Minimum {
  readonly version: string;
  readonly file: string;
}

/** Images of the driver with one digest: for an OS and an architecture, and for one kernel where they are precompiled. */
interface DriverTags {
  readonly tags: readonly string[];
  readonly digest: string;
}

/** A final version of the operator. The catalog has a file for each. */
export interface Version {
  readonly version: string;
  /** Of the tags of images. */
  readonly source: Source | PageSource;
  /** Of digests, and of the tags of the driver for each system. */
  readonly digestSource?: PageSource;
  /** Facts of this file that lack something, each with what is not known and why. */
  readonly missing: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, ReleaseImage>>;
  readonly driverTags?: readonly DriverTags[];
}

/** Facts that all versions of a release have in common. The catalog has a file for each release. */
export interface ReleaseLine {
  readonly release: string;
  /** The operator whose output Weft's was compared with, and which `minimum` is from. */
  readonly templates: Source;
  /** Facts of this file that lack something, each with what is not known and why. */
  readonly missing: Readonly<Record<string, string>>;
  /** Plain Kubernetes: the version that the operator's chart requires. OpenShift: the version that its bundle requires. */
  readonly minimum: { readonly kubernetes: Minimum; readonly openshift: Minimum };
  /**
   * Systems for which the driver has images, and systems on which it was validated. Neither list contains the other.
   * Since OpenShift 4.19 node labels have the RHEL version and no longer `rhcos`, so such an OpenShift in a page is a
   * `rhel` here.
   */
  readonly driverSystems?: { readonly built: DriverSystems; readonly validated?: DriverSystems };
}

/** A release, with the version of it that a Cluster chooses. */
export interface Release extends ReleaseLine, Version {
  /** All versions that the catalog has, newest first. */
  readonly versions: readonly Version[];
}

/** The driver's name in the catalog. */
export const DRIVER = 'Mofed';

/** A release in all its versions, newest first. */
function versionsOf({ release }: ReleaseLine): readonly Version[] {
  return (versions as readonly Version[]).filter(({ version }) => version.startsWith(`${release}.`));
}

function inVersion(line: ReleaseLine, version: Version): Release {
  const missing = { ...line.missing, ...version.missing };
  return { ...line, ...version, missing, versions: versionsOf(line) };
}

/** A name without a patch is the newest version whose driver is known, or else the newest one. */
function inDefaultVersion(line: ReleaseLine): Release {
  const all = versionsOf(line);
  const version = all.find(({ images }) => Object.hasOwn(images, DRIVER)) ?? all[0];
  if (version === undefined) throw new Error(`the catalog has no version of ${line.release}`);
  return inVersion(line, version);
}

const allLines: readonly ReleaseLine[] = lines;

/** The releases, newest first, each in the version that its name alone chooses. */
export const releases: readonly Release[] = allLines.map(inDefaultVersion);

/** Names of the releases in the catalog. */
export const releaseNames: readonly string[] = releases.map(({ release }) => release);

/** A Cluster without `release` is rendered like one of the newest. */
export const newestRelease: Release = firstOf(releases);

/** The newest release whose driver is known: the one that Weft writes where it has to choose. */
export const proposedRelease: Release = firstOf(releases.filter(({ images }) => Object.hasOwn(images, DRIVER)));

function firstOf([first]: readonly Release[]): Release {
  if (first === undefined) throw new Error('the catalog has no release');
  return first;
}

const byName: ReadonlyMap<string, Release> = new Map([
  ...releases.map((one) => [one.release, one] as const),
  ...allLines.flatMap((line) => versionsOf(line).map((one) => [one.version, inVersion(line, one)] as const)),
]);

/** The release with this name (`v26.7`), or in this version (`v26.7.0`); `undefined` if the catalog does not have it. */
export function findRelease(name: string): Release | undefined {
  return byName.get(name);
}

/** The release that a Cluster renders: the one that it names, else the newest. */
export function renderedRelease(name = ''): Release {
  return findRelease(name) ?? newestRelease;
}

/** The tags of the driver without a system: those that a policy may name as its version. */
const DRIVER_VERSION = /^(?:doca[\d.]+-)?\d{2}\.\d{2}-[\d.]+-\d+/;

/** An image in every version of the releases, by its name in the catalog; newest release first, and in it the version that its name chooses. */
export function versionsOfImage(key: string): readonly ReleaseImage[] {
  return releases.flatMap((release) => {
    const all = [release, ...release.versions].flatMap((version) => tagsIn(version, key, release));
    return [...new Map(all.map((image) => [image.version, image])).values()];
  });
}

/** The operator names the tags of its components after its own version (network-operator, hack/release.yaml). */
const COMPONENT_TAG = 'network-operator-';

/** The image of one key in a version, with each tag that it has there; the tags of the driver without their systems. */
export function tagsIn(
  { version, images, driverTags = [] }: Version,
  key: string,
  release: Release,
): readonly ReleaseImage[] {
  const { [key]: image } = images;
  if (image === undefined) {
    // Of a release whose images are not all known the newest other one tells whether the tag is named after the version.
    const named = [release, ...releases].find((one) => Object.hasOwn(one.images, key));
    const { [key]: ofNamed } = named?.images ?? {};
    const isNamedAfterVersion = ofNamed?.version === `${COMPONENT_TAG}${named?.version ?? ''}`;
    return ofNamed && isNamedAfterVersion ? [{ ...ofNamed, version: `${COMPONENT_TAG}${version}` }] : [];
  }
  const tags = key === DRIVER ? driverTags.flatMap((one) => one.tags) : [];
  return [image, ...tags.map((tag) => ({ ...image, version: DRIVER_VERSION.exec(tag)?.[0] ?? tag }))];
}

/** The releases that have this version of an image, by the image's name in the catalog; newest first. */
export function releasesOfImage(key: string, version = ''): readonly Release[] {
  const hasIt = (one: Version, release: Release) =>
    tagsIn(one, key, release).some((image) => image.version === version);
  return version === '' ? [] : releases.filter((release) => release.versions.some((one) => hasIt(one, release)));
}

/** The newest release that has this version of an image. */
export function releaseOfImage(key: string, version = ''): Release | undefined {
  return releasesOfImage(key, version)[0];
}

/** The version that alone has an image with this digest. */
export function versionOfDigest(digest: string): string | undefined {
  const all = releases.flatMap(({ versions: ofRelease }) => ofRelease);
  const found = all.filter(({ images }) => Object.values(images).some((image) => image.digest === digest));
  return found.length === 1 ? found[0]?.version : undefined;
}
