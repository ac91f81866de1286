import { imageUses } from '../../compile/image-list/list.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';

interface Named {
  readonly name: string;
  readonly digest: string | undefined;
}

/** What happens to images whose name is the same and whose digest is not: a sentence each, without a full stop. */
export function pinNotes(change: ObjectChange): readonly string[] {
  if (change.kind !== 'changed') return [];
  const before = imagesByPlace(change.from);
  const notes = [...imagesByPlace(change.to)].flatMap(([place, { name, digest }]) => {
    const old = before.get(place);
    if (old?.name !== name || old.digest === digest) return [];
    return [pinNote(name.slice(name.lastIndexOf('/') + 1), old.digest, digest)];
  });
  return [...new Set(notes)];
}

function pinNote(image: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `\`${image}\` is pinned to \`${after ?? ''}\``;
  if (after === undefined)
    return `\`${image}\` is not pinned to \`${before}\` any more: its content is what the tag has`;
  return `\`${image}\`: the same tag with other content, \`${after}\`; before: \`${before}\``;
}

/** The image of each place of an object. */
function imagesByPlace(object: KubernetesObject): ReadonlyMap<string, Named> {
  return new Map(
    imageUses(object).map(([image, { at }]) => {
      const [name = '', digest] = image.split('@');
      return [at, { name, digest }];
    }),
  );
}
