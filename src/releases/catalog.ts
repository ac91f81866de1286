import v261 from './v26.1.json' with { type: 'json' };
import v264 from './v26.4.json' with { type: 'json' };
import v267 from './v26.7.json' with { type: 'json' };

/** The image of one component in one release. */
export interface ReleaseImage {
  readonly image: string;
  readonly repository: string;
  readonly version: string;
}

/** Where facts come from. */
interface Source {
  readonly project: string;
  readonly file: string;
  readonly version: string;
  readonly commit: string;
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
  /** Plain Kubernetes is what the operator's chart asks for, OpenShift what its bundle does. */
  readonly minimum: { readonly kubernetes: Minimum; readonly openshift: Minimum };
  /** Systems that the driver was validated on: `VERSION_ID`s by `ID`. Absent where no public page of the release lists them. */
  readonly driverSystems?: {
    readonly source: Source;
    readonly versions: Readonly<Record<string, readonly string[]>>;
  };
  /** Images that cannot run with the templates that Weft has, and why. */
  readonly incompatible: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, ReleaseImage>>;
}

/** Newest first. */
const releases: readonly Release[] = [v267, v264, v261];

/** Names of the releases in the catalog. */
export const releaseNames: readonly string[] = releases.map(({ release }) => release);

/** A release of the catalog; `undefined` where it is unknown. */
export function findRelease(name: string): Release | undefined {
  return releases.find(({ release }) => release === name);
}

/** Systems that some release was validated on: all `VERSION_ID`s by `ID`. */
export const driverSystems: ReadonlyMap<string, readonly string[]> = new Map(
  releases.flatMap(({ driverSystems: systems }) => Object.entries(systems?.versions ?? {})).reverse(),
);

/** The newest release that has this version of an image, by the image's name in the catalog. */
export function releaseOfImage(key: string, version = ''): Release | undefined {
  return version === '' ? undefined : releases.find(({ images }) => images[key]?.version === version);
}
