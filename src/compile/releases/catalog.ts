import v2610 from './v26.10.json' with { type: 'json' };
import v264 from './v26.4.json' with { type: 'json' };
import v267 from './v26.7.json' with { type: 'json' };

/** The image of one component in one release. */
export interface ReleaseImage {
  readonly image: string;
  readonly repository: string;
  readonly version: string;
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

/** Another final version of a release than the one of its images. */
interface Patch {
  readonly version: string;
  readonly source: PageSource;
  /** Tag of its driver, where it is known. */
  readonly driver?: string;
}

/** The images of a release by the operator's names, with facts about them and their sources. */
export interface Release {
  readonly release: string;
  /** Of the images. */
  readonly source: Source | PageSource;
  /** The operator whose output Weft's was compared with, and which `minimum` is from. */
  readonly templates: Source;
  /** Fields of this file that lack something, each with what is not known and why. */
  readonly missing: Readonly<Record<string, string>>;
  /** Plain Kubernetes: the version that the operator's chart requires. OpenShift: the version that its bundle requires. */
  readonly minimum: { readonly kubernetes: Minimum; readonly openshift: Minimum };
  /**
   * Systems for which the driver has images, and systems on which it was validated. Neither list contains the other.
   * Since OpenShift 4.19 node labels have the RHEL version and no longer `rhcos`, so such an OpenShift in a page is a
   * `rhel` here.
   */
  readonly driverSystems?: { readonly built: DriverSystems; readonly validated: DriverSystems };
  readonly patches: readonly Patch[];
  readonly images: Readonly<Record<string, ReleaseImage>>;
}

/** Final releases, newest first. */
export const releases: readonly Release[] = [v2610, v267, v264];

/** Names of the releases in the catalog. */
export const releaseNames: readonly string[] = releases.map(({ release }) => release);

/** A Cluster without `release` is rendered like one of the newest. */
export const newestRelease: Release = v2610;

/** The driver's name in the catalog. */
const DRIVER = 'Mofed';

/** The newest release whose driver is known: the one that Weft writes where it has to choose. */
export const proposedRelease: Release = releases.find(({ images }) => Object.hasOwn(images, DRIVER)) ?? v264;

/** A release of the catalog; `undefined` if it is unknown. */
export function findRelease(name: string): Release | undefined {
  return releases.find(({ release }) => release === name);
}

/** The operator names the tags of its components after its own version (network-operator, hack/release.yaml). */
const COMPONENT_TAG = 'network-operator-';

/** An image in every final version of the releases that is known, by the image's name in the catalog; newest release first. */
export function versionsOfImage(key: string): readonly ReleaseImage[] {
  return releases.flatMap(({ images: { [key]: image }, patches }) => {
    if (image === undefined) return [];
    const tags = patches.flatMap(({ version, driver }) => {
      if (key === DRIVER) return driver ?? [];
      return image.version.startsWith(`${COMPONENT_TAG}v`) ? `${COMPONENT_TAG}${version}` : [];
    });
    return [image, ...tags.map((version) => ({ ...image, version }))];
  });
}

/** The releases that have this version of an image, by the image's name in the catalog; newest first. */
export function releasesOfImage(key: string, version = ''): readonly Release[] {
  return version === '' ? [] : releases.filter(({ images }) => images[key]?.version === version);
}

/** The newest release that has this version of an image. */
export function releaseOfImage(key: string, version = ''): Release | undefined {
  return releasesOfImage(key, version)[0];
}
