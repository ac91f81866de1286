import { imageUses } from '../../compile/image-list/list.js';
import { within } from '../../compile/model/config.js';
import { found } from '../../compile/model/found.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { compareText } from '../../shared/lib/json.js';
import type { Rendered } from '../compile/loaded.js';

/** An error for each image that the objects name without a digest. */
export function withoutPins({ config: { cluster }, objects }: Rendered): readonly Diagnostic[] {
  const users = new Map<string, string>();
  for (const { object } of objects) {
    for (const [image, { kind, name, at }] of imageUses(object)) {
      if (!image.includes('@') && !users.has(image)) users.set(image, `${at} of the ${kind} \`${name}\``);
    }
  }
  return [...users]
    .sort(([a], [b]) => compareText(a, b))
    .map(([image, user]) =>
      found('WEFT0076', {
        message: `the image \`${image}\` has no pin: ${user}`,
        origin: within(cluster.origin, 'metadata', 'name'),
        help: 'run `weft lock`, and commit `weft.lock`',
      }),
    );
}
