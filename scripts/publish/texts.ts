/** What a release is made from. */
export interface Release {
  /** Tag of git: `v0.1.0`. */
  readonly tag: string;
  /** Owner and name on GitHub. */
  readonly repository: string;
  /** Hash of the commit that is tagged. */
  readonly commit: string;
}

/** What the examples name as the repository and the commit of Weft before a release. */
const UNRELEASED = /platform\/weft((?:\/[\w./-]+)?)@0{40} # v\d+\.\d+\.\d+/g;

/** The text of an example that names the commit of the release. */
export function pinned(text: string, { tag, repository, commit }: Release): string {
  return text.replace(UNRELEASED, (_all, path: string) => `${repository}${path}@${commit} # ${tag}`);
}

/**
 * The source that names the companion's image, with the one of a release.
 *
 * @throws Error for an image without a tag or a digest
 */
export function companionImageSource(source: string, image: string): string {
  if (!/^[\w.:-]+(?:\/[\w.-]+)+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))
    throw new Error(`the image of the companion is ${image}: it needs a tag and a digest`);
  const written = source.replace("string = '';", `string = '${image}';`);
  if (written === source) throw new Error('the source names an image of the companion already, or in another way');
  return written;
}

/**
 * The part of the changelog about a version.
 *
 * @throws Error where there is none
 */
export function releaseNotes(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m);
  const part = parts.find((one) => one.split(/\s/, 1)[0] === version);
  const notes = part?.slice(part.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has nothing about ${version}: it needs a heading \`## ${version}\``);
  return `${notes}\n`;
}
