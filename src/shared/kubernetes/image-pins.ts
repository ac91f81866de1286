/** What an image is pinned to. */
export interface Pin {
  /** `sha256:…`, of the index where the tag has one. */
  readonly digest: string;
  /** Such as `linux/amd64`, sorted. Absent: they are not known. */
  readonly platforms?: readonly string[];
}

export function pinOf(digest: string, platforms?: readonly string[]): Pin {
  return { digest, ...(platforms !== undefined && { platforms }) };
}

/** The pins of images by their references before mirrors, as a `weft.lock` has them. */
export type Pins = ReadonlyMap<string, Pin>;

/** The reference with its digest, `repository:tag@digest`; as it is where nothing pins it. */
export function pinned(image: string, pins: Pins | undefined): string {
  const digest = pins?.get(image)?.digest;
  return digest === undefined ? image : `${image}@${digest}`;
}

/** The reference without the digest of its pin. */
export function withoutPin(reference: string, pins: Pins | undefined): string {
  const [image = ''] = reference.split('@');
  return pinned(image, pins) === reference ? image : reference;
}
