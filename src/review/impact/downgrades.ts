import { imageUses } from '../../compile/image-list/list.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { groupBy } from '../../shared/lib/group-by.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';
import { isOlderDriver } from './driver-version.js';

/** How sentences call it. */
export const A_DOWNGRADE = 'a downgrade';

/** The version that a tag begins with, after what other tags of the image begin with, too: `network-operator-v26.4.0`. */
const VERSION = /^((?:[a-z]+-)*[a-z]*)(\d+(?:\.\d+)+)/;

/** Whether a tag is of an older version than another one; false where that cannot be told. */
function isOlderTag(tag: string, other: string): boolean {
  const [own, from] = [tag, other].map((one) => VERSION.exec(one));
  if (!own || !from || own[1] !== from[1]) return isOlderDriver(tag, other);
  const isAlike = tag.replace(/\d+/g, '0') === other.replace(/\d+/g, '0');
  const [numbers = [], others = []] = isAlike
    ? [tag, other].map((one) => one.match(/\d+/g)?.map(Number))
    : [own[2], from[2]].map((version = '') => version.split('.').map(Number));
  const differs = numbers.findIndex((number, index) => number !== (others[index] ?? 0));
  return differs >= 0 && (numbers[differs] ?? 0) < (others[differs] ?? 0);
}

/** The tags of the images of an object, by the name of the image: a registry may change. */
function tagsOf(object: KubernetesObject): ReadonlyMap<string, readonly string[]> {
  const images = imageUses(object).flatMap(([reference]) => {
    const [name, tag] = (reference.split('@')[0]?.split('/').at(-1) ?? '').split(':');
    return name === undefined || tag === undefined ? [] : [{ name, tag }];
  });
  return new Map([...groupBy(images, ({ name }) => name)].map(([name, all]) => [name, all.map(({ tag }) => tag)]));
}

/** Images of a changed object whose version goes down, as sentences without a full stop. */
export function downgradeNotes({ from, to }: Extract<ObjectChange, { readonly kind: 'changed' }>): readonly string[] {
  const before = tagsOf(from);
  return [...tagsOf(to)].flatMap(([name, tags]) => {
    const [[tag], [old]] = [tags, before.get(name) ?? []];
    if (tag === undefined || old === undefined || !isOlderTag(tag, old)) return [];
    return [`${A_DOWNGRADE}: \`${name}\` ${tag}, ${old} before`];
  });
}
