import type * as z from 'zod';
import { COMPANION_NODE_IMAGE } from '../../shared/contract/companion-env.js';
import { PUBLISHED_COMPANION_IMAGE } from './published-image.js';

/** What `companion` of the Cluster document says about the program. */
interface Settings {
  readonly program?: 'image' | 'configMap' | undefined;
  /** Empty for none. */
  readonly image: string;
  readonly nodeImage?: string | undefined;
}

/**
 * The image that the companion runs in, and whether it has the program.
 *
 * Who names an image of Node, perhaps the copy in a registry that the cluster reaches, keeps it when Weft begins to publish an image.
 *
 * @param published the image of this version of Weft; empty for none
 */
export function companionImageOf(
  { image, nodeImage, program }: Settings,
  published = PUBLISHED_COMPANION_IMAGE,
): { readonly companionImage: string; readonly isProgramInImage: boolean } {
  const place = program ?? (nodeImage === undefined ? 'image' : 'configMap');
  const own = image || (place === 'image' ? published : '');
  return { companionImage: own || (nodeImage ?? COMPANION_NODE_IMAGE), isProgramInImage: own !== '' };
}

/** Refuses a place of the program that the images cannot have. */
export function checkProgram({ image, program }: Settings, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['program'], message });
  if (program === 'configMap' && image !== '')
    refuse('must not be `configMap` beside an `image`, which has the program');
  if (program === 'image' && image === '' && PUBLISHED_COMPANION_IMAGE === '')
    refuse('must not be `image` without an `image`: this build of Weft names none');
}
