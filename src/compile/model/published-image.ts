/**
 * The image of the companion that a release of Weft publishes, with its digest. It is empty in the sources, because an image cannot be named before it is
 * built: `npm run publish:prepare` writes it before the package is packed.
 */
export const PUBLISHED_COMPANION_IMAGE: string = '';
