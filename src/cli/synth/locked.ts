import { join } from 'node:path';
import { LOCK_FILE } from '../../compile/load/lock-file.js';
import { imageUses } from '../../compile/image-list/list.js';
import { within } from '../../compile/model/config.js';
import { found } from '../../compile/model/found.js';
import { mirrored } from '../../compile/model/mirrors.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { pinned, type Pin } from '../../shared/kubernetes/image-pins.js';
import { compareText } from '../../shared/lib/json.js';
import type { Rendered } from '../compile/loaded.js';
import { unusedPin } from '../problems.js';

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

/**
 * An error for each pin that no object has: nobody sees what it does, until a later change names its image.
 *
 * @param folder that of the cluster, for messages
 */
export function unusedPins({ config: { cluster }, objects }: Rendered, folder: string): readonly Diagnostic[] {
  const { pins = new Map<string, Pin>(), spec } = cluster;
  if (pins.size === 0) return [];
  const used = new Set(objects.flatMap(({ object }) => imageUses(object).map(([image]) => image)));
  return [...pins.keys()]
    .filter((image) => !used.has(mirrored(pinned(image, pins), spec.mirrors)))
    .map((image) => unusedPin(image, join(folder, LOCK_FILE)));
}
