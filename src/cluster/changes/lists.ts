import { listKeys, type ListKeys as Keys } from '../../shared/kubernetes/api/field-types.js';
import { canonicalJson, isObject } from '../../shared/lib/json.js';

/**
 * Fields that identify the members of a list that Kubernetes replaces as a whole, by the name of the list. The last
 * three are lists of CNI and of the device plugins' configuration.
 */
const OTHER_LIST_KEYS: ReadonlyMap<string, Keys> = new Map<string, Keys>([
  ['items', ['key']],
  ['subjects', ['kind', 'namespace', 'name']],
  ['versions', ['name']],
  ['additionalPrinterColumns', ['name']],
  ['plugins', ['type']],
  ['configList', ['resourceName']],
  ['resourceList', ['resourceName']],
]);

/**
 * Sets of fields that identify the members of a list. The first set that is unique for all members counts; fields that
 * a member lacks are left out, except the first.
 */
function keysOf(name: string): readonly Keys[] {
  const other = OTHER_LIST_KEYS.get(name);
  return other ? [...listKeys(name), other] : listKeys(name);
}

/** Two members that match, and their name in a path; one side is absent if a member was added or removed. */
interface Pair {
  readonly step: { readonly kind: 'item'; readonly key: string } | { readonly kind: 'index'; readonly index: number };
  readonly from?: { readonly value: unknown };
  readonly to?: { readonly value: unknown };
}

interface PairedLists {
  readonly pairs: readonly Pair[];
  /** The common members are in another order. */
  readonly isReordered: boolean;
}

/**
 * Matches the members of two lists: by key if the list has one, else by position. Equal members at both ends are
 * skipped first, so that an inserted member is one change. Linear in the size of the lists.
 *
 * @param name field of the list
 */
export function pairLists(name: string, from: readonly unknown[], to: readonly unknown[]): PairedLists {
  for (const keys of keysOf(name)) {
    const [keyedFrom, keyedTo] = [byKey(from, keys), byKey(to, keys)];
    if (keyedFrom && keyedTo) return pairKeyed(keyedFrom, keyedTo);
  }
  return pairPlaces(from, to);
}

/** The index of the member with a key of `pairLists`; -1 if there is none. */
export function indexOfMember(name: string, list: readonly unknown[], key: string): number {
  const indexes = keysOf(name).map((keys) => list.findIndex((member) => keyOf(member, keys) === key));
  return indexes.find((index) => index !== -1) ?? -1;
}

/** The members by key; `undefined` if one has no key or two have the same. */
function byKey(list: readonly unknown[], keys: Keys): ReadonlyMap<string, unknown> | undefined {
  const members = new Map<string, unknown>();
  for (const member of list) {
    const key = keyOf(member, keys);
    if (key === undefined || members.has(key)) return undefined;
    members.set(key, member);
  }
  return members;
}

function keyOf(member: unknown, keys: Keys): string | undefined {
  if (!isObject(member) || member[keys[0]] === undefined) return undefined;
  const values = keys.map((key) => member[key]).filter((value) => value !== undefined);
  return values.every((value) => typeof value === 'string' || typeof value === 'number') ? values.join('/') : undefined;
}

function pairKeyed(from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): PairedLists {
  const gone = [...from].filter(([key]) => !to.has(key));
  const pairs = [
    ...gone.map(([key, value]): Pair => ({ step: { kind: 'item', key }, from: { value } })),
    ...[...to].map(([key, value]): Pair => ({
      step: { kind: 'item', key },
      ...(from.has(key) ? { from: { value: from.get(key) } } : {}),
      to: { value },
    })),
  ];
  const commonFrom = [...from.keys()].filter((key) => to.has(key));
  const commonTo = [...to.keys()].filter((key) => from.has(key));
  return { pairs, isReordered: commonFrom.some((key, index) => key !== commonTo[index]) };
}

function pairPlaces(from: readonly unknown[], to: readonly unknown[]): PairedLists {
  const [textsFrom, textsTo] = [from.map(canonicalJson), to.map(canonicalJson)];
  if (isPermutation(textsFrom, textsTo)) {
    return { pairs: [], isReordered: textsFrom.some((text, index) => text !== textsTo[index]) };
  }
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && textsFrom[head] === textsTo[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && textsFrom.at(-1 - tail) === textsTo.at(-1 - tail)) tail += 1;
  const [endFrom, endTo] = [from.length - tail, to.length - tail];
  const pairs: Pair[] = [];
  for (let index = head; index < Math.max(endFrom, endTo); index += 1) {
    pairs.push({
      step: { kind: 'index', index },
      ...(index < endFrom ? { from: { value: from[index] } } : {}),
      ...(index < endTo ? { to: { value: to[index] } } : {}),
    });
  }
  return { pairs, isReordered: false };
}

function isPermutation(from: readonly string[], to: readonly string[]): boolean {
  if (from.length !== to.length) return false;
  const [sortedFrom, sortedTo] = [[...from].sort(), [...to].sort()];
  return sortedFrom.every((text, index) => text === sortedTo[index]);
}
