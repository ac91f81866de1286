/** The `sha256:` digests of images by their references before mirrors, as a `weft.lock` has them. */
export type Pins = ReadonlyMap<string, string>;

/** The reference with its digest, `repository:tag@digest`; as it is where nothing pins it. */
export function pinned(image: string, pins: Pins | undefined): string {
  const digest = pins?.get(image);
  return digest === undefined ? image : `${image}@${digest}`;
}

/** The reference without the digest of its pin. */
export function withoutPin(reference: string, pins: Pins | undefined): string {
  const [image = ''] = reference.split('@');
  return pinned(image, pins) === reference ? image : reference;
}
