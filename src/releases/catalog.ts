import v267 from './v26.7.json' with { type: 'json' };

/** The image of one component in one release. */
export interface ReleaseImage {
  readonly image: string;
  readonly repository: string;
  readonly version: string;
}

/** The images of a release, by the operator's own names for them, and where the facts come from. */
export interface Release {
  readonly release: string;
  readonly source: {
    readonly project: string;
    readonly file: string;
    readonly version: string;
    readonly commit: string;
  };
  readonly images: Readonly<Record<string, ReleaseImage>>;
}

const releases: readonly Release[] = [v267];

/** Names of the releases in the catalog. */
export const releaseNames: readonly string[] = releases.map(({ release }) => release);

/** A release of the catalog; `undefined` where it is unknown. */
export function findRelease(name: string): Release | undefined {
  return releases.find(({ release }) => release === name);
}
