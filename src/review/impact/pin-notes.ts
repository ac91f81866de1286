import { knownDigest } from '../../compile/releases/digests.js';
import { imageUses } from '../../compile/image-list/list.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';

interface Named {
  readonly name: string;
  readonly digest: string | undefined;
}

/** What happens to images whose name is the same and whose digest is not, and digests that NVIDIA did not publish: a sentence each, without a full stop. */
export function pinNotes(change: ObjectChange): readonly string[] {
  if (change.kind === 'removed') return [];
  const before = change.kind === 'changed' ? imagesByPlace(change.from) : new Map<string, Named>();
  const notes = [...imagesByPlace(change.to)].flatMap(([place, next]) => {
    const old = before.get(place);
    if (old?.name === next.name && old.digest === next.digest) return [];
    const image = next.name.slice(next.name.lastIndexOf('/') + 1);
    return [
      ...(old?.name === next.name ? [pinNote(image, old.digest, next.digest)] : []),
      ...publishedNotes(image, next),
    ];
  });
  return [...new Set(notes)];
}

function publishedNotes(image: string, { name, digest }: Named): readonly string[] {
  const published = digest === undefined ? undefined : knownDigest(name);
  if (published === undefined || published.digest === digest) return [];
  return [`\`${image}\`: release \`${published.release}\` has \`${published.digest}\` for the tag, not \`${digest}\``];
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
