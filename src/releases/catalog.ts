import v261 from './v26.1.json' with { type: 'json' };
import v264 from './v26.4.json' with { type: 'json' };
import v267 from './v26.7.json' with { type: 'json' };

/** The image of one component in one release. */
interface ReleaseImage {
  readonly image: string;
  readonly repository: string;
  readonly version: string;
}

/** A file at a commit that facts come from. `version` is its tag, or what `git describe --tags` says of the commit. */
interface Source {
  readonly project: string;
  readonly file: string;
  readonly version: string;
  readonly commit: string;
}

/** A published page that facts come from, where no repository has its text. */
interface PageSource {
  readonly page: string;
  readonly version: string;
}

/** Systems as the labels of the nodes name them: versions are `VERSION_ID`s, `os` is the `ID`. */
export interface DriverSystem {
  readonly os: string;
  readonly versions: readonly string[];
  /** Absent where the source names none. */
  readonly archs?: readonly string[];
}

/** The operating systems of a driver according to one source. */
interface DriverSystems {
  readonly source: Source | PageSource;
  readonly systems: readonly DriverSystem[];
}

/** The oldest version that a release is made for, and the file of the release's source that says so. */
interface Minimum {
  readonly version: string;
  readonly file: string;
}

/** The images of a release, by the operator's own names for them, what is known about them, and where the facts come from. */
export interface Release {
  readonly release: string;
  readonly source: Source;
  /** The version of its images, where that is no final release. */
  readonly preRelease?: string;
  /** Plain Kubernetes: the version that the operator's chart requires. OpenShift: the version that its bundle requires. */
  readonly minimum: { readonly kubernetes: Minimum; readonly openshift: Minimum };
  /**
   * Systems that the driver is known for: those that its images are built for, and those that it was validated on. Neither
   * list holds all of the other. Since OpenShift 4.19 nodes name the RHEL that they are made of, and no longer `rhcos`:
   * what a page says of such an OpenShift is a `rhel` here.
   */
  readonly driverSystems: { readonly built: DriverSystems; readonly validated: DriverSystems };
  /** Images that cannot run with the templates that Weft has, and why. */
  readonly incompatible: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, ReleaseImage>>;
}

/** Newest first. */
export const releases: readonly Release[] = [v267, v264, v261];

/** Names of the releases in the catalog. */
export const releaseNames: readonly string[] = releases.map(({ release }) => release);

/** The newest release that is no pre-release. */
export const newestRelease: Release = releases.find(({ preRelease }) => preRelease === undefined) ?? v264;

/** A release of the catalog; `undefined` where it is unknown. */
export function findRelease(name: string): Release | undefined {
  return releases.find(({ release }) => release === name);
}

/** The releases that have this version of an image, by the image's name in the catalog; newest first. */
export function releasesOfImage(key: string, version = ''): readonly Release[] {
  return version === '' ? [] : releases.filter(({ images }) => images[key]?.version === version);
}

/** The newest release that has this version of an image. */
export function releaseOfImage(key: string, version = ''): Release | undefined {
  return releasesOfImage(key, version)[0];
}
