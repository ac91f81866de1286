import { DRIVER, releases, type Version } from './catalog.js';
import { imageReference } from '../../shared/kubernetes/image-reference.js';

let known: ReadonlyMap<string, KnownDigest> | undefined;

/** What NVIDIA published about a tag. */
interface KnownDigest {
  readonly digest: string;
  /** The version of the operator whose page has it. */
  readonly release: string;
}

/** The digest of a reference with a tag, by the pages of the releases; `undefined` if none of them has it. */
export function knownDigest(reference: string): KnownDigest | undefined {
  known ??= new Map(releases.flatMap(({ versions }) => versions.flatMap(digestsOf)));
  return known.get(reference);
}

function digestsOf({
  version: release,
  images,
  driverTags = [],
}: Version): readonly (readonly [string, KnownDigest])[] {
  const { [DRIVER]: driver } = images;
  const ofImages = Object.values(images).flatMap(({ digest, ...image }) =>
    digest === undefined ? [] : [[imageReference(image), { digest, release }] as const],
  );
  const ofDriver = driverTags.flatMap(({ tags, digest }) =>
    driver === undefined
      ? []
      : tags.map((version) => [imageReference({ ...driver, version }), { digest, release }] as const),
  );
  return [...ofImages, ...ofDriver];
}
