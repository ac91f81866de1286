import type { ReleaseImage, Version } from '../../src/compile/releases/catalog.js';

/** An image with its tag, as NVIDIA's page of images lists it. */
type Row = Required<ReleaseImage>;

/** What NVIDIA's page of images of one version has. */
export interface ImagesPage {
  /** Of the operator itself. */
  readonly version: string | undefined;
  readonly images: readonly Row[];
  /** Without a digest: the page has those of its tags. */
  readonly driver: Omit<ReleaseImage, 'digest'> | undefined;
  readonly driverTags: NonNullable<Version['driverTags']>;
}

const DRIVER = 'doca-driver';
const isDigest = (word: string) => /^sha256:[0-9a-f]{64}$/.test(word);
const isRepository = (word: string) => /^[\w.-]+\.[a-z]+\/[\w./-]+$/.test(word);
const isDriverTag = (word: string) => /^(?:doca[\d.]+-)?\d{2}\.\d{2}-.+-(?:amd64|arm64)$/.test(word);

/**
 * Reads the page as reStructuredText (network-operator-docs, docs/advanced/images-sha256.rst), as HTML or as a table of Markdown: the
 * cells are in the same order in all of them. Variants for STIG and FIPS are left out.
 */
export function readImagesPage(text: string): ImagesPage {
  const words = text
    .replace(/<[^>]*>/g, ' ')
    .split(/[\s|`]+/)
    .filter((word) => /\w/.test(word));
  const images: Row[] = [];
  const driverTags: { tags: readonly string[]; digest: string }[] = [];
  let driver: ImagesPage['driver'];
  let isOfDriver = false;
  let tags: string[] = [];
  for (const [index, word] of words.entries()) {
    const [repository = '', image = '', version = ''] = words.slice(index, index + 3);
    if (isRepository(repository) && image.startsWith(DRIVER)) {
      isOfDriver = image === DRIVER;
      if (isOfDriver) driver ??= { image, repository, version };
    }
    if (isDriverTag(word)) tags.push(word);
    if (!isDigest(word)) continue;
    const [of = '', name = '', tag = ''] = words.slice(index - 3, index);
    if (isRepository(of)) images.push({ image: name, repository: of, version: tag, digest: word });
    else if (isOfDriver && tags.length > 0) driverTags.push({ tags, digest: word });
    tags = [];
  }
  return { version: images.find(({ image }) => image === 'network-operator')?.version, images, driver, driverTags };
}
