import { parse } from 'yaml';
import { withoutLiveFields } from '../../../shared/kubernetes/listed-object.js';
import { canonicalQuantity } from '../../../shared/kubernetes/quantity.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { canonicalJson, isObject, parsedJson } from '../../../shared/lib/json.js';
import { pairLists } from '../../../cluster/changes/lists.js';
import { isDefault, isOthersMark, isZero } from './left-out.js';
import { isOwnedByUs, ofField, ofMember, otherOwners, type ManagedFields } from './managed-fields.js';

/** A live object in the form of the rendered one. */
export interface Aligned {
  /** Where both say the same, it has the rendered value; fields that applying does not touch are left out. */
  readonly object: KubernetesObject;
  /** Other managers of fields that stay although they are not rendered. */
  readonly staying: readonly string[];
  /** Other managers of fields that applying changes. */
  readonly conflicts: readonly string[];
}

interface Place {
  readonly object: KubernetesObject;
  readonly path: readonly string[];
  readonly managed: ManagedFields;
}

interface Found {
  readonly staying: Set<string>;
  readonly conflicts: Set<string>;
}

/**
 * Brings a live object into the form of the rendered one, so that a comparison of both has only what applying changes.
 *
 * @param next what is rendered, or what the API server says that applying makes of it
 */
export function alignLive(live: KubernetesObject, next: KubernetesObject, managed: ManagedFields): Aligned {
  const found: Found = { staying: new Set(), conflicts: new Set() };
  const stripped = withoutLiveFields(live);
  // The server converts between the versions of an API group.
  const place: Place = { object: stripped, path: [], managed };
  const object = alignMap({ ...stripped, apiVersion: next.apiVersion }, next, place, found) as KubernetesObject;
  return { object, staying: [...found.staying], conflicts: [...found.conflicts].sort() };
}

function align(live: unknown, next: unknown, place: Place, found: Found): unknown {
  if (Array.isArray(live) && Array.isArray(next)) return alignList(live, next, place, found);
  if (isObject(live) && isObject(next)) return alignMap(live, next, place, found);
  if (live === next) return next;
  for (const manager of otherOwners(place.managed)) found.conflicts.add(manager);
  return isSame(live, next, place.path) ? next : live;
}

type Fields = Readonly<Record<string, unknown>>;

function alignMap(live: Fields, next: Fields, place: Place, found: Found): Fields {
  const aligned: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(live)) {
    const inner = at(place, key);
    if (isMark(inner.path)) continue;
    if (Object.hasOwn(next, key)) aligned[key] = align(value, next[key], inner, found);
    else if (isLeft(value, next, inner, found)) aligned[key] = value;
  }
  for (const [key, value] of Object.entries(next)) {
    const inner = at(place, key).path;
    if (isMark(inner) || (!Object.hasOwn(live, key) && isZero(value))) aligned[key] = value;
  }
  return aligned;
}

function at({ object, path, managed }: Place, key: string): Place {
  return { object, path: [...path, key], managed: ofField(managed, key) };
}

/** A label or an annotation of the object itself that others write. */
function isMark([first, field, key, ...more]: readonly string[]): boolean {
  const isMetadata = first === 'metadata' && more.length === 0 && key !== undefined;
  return isMetadata && (field === 'labels' || field === 'annotations') && isOthersMark(field, key);
}

/** Whether a field that only the live object has goes when the rendered one is applied. */
function isLeft(value: unknown, beside: Fields, place: Place, found: Found): boolean {
  const { object, path, managed } = place;
  if (isDefault({ object, path, value, beside })) return false;
  if (
    isObject(value) &&
    Object.keys(alignMap(value, {}, place, { staying: new Set(), conflicts: new Set() })).length === 0
  ) {
    return false;
  }
  const isOurs = isOwnedByUs(managed);
  if (managed.isKnown && !isOurs) {
    for (const manager of otherOwners(managed)) found.staying.add(manager);
    return false;
  }
  // Anybody may annotate and label an object. Without `managedFields` these are taken for theirs.
  return isOurs || path[0] !== 'metadata';
}

function alignList(
  given: readonly unknown[],
  next: readonly unknown[],
  place: Place,
  found: Found,
): readonly unknown[] {
  const live = next.some((member) => isObject(member) && member['protocol'] !== undefined) ? given : given.map(ofTcp);
  const { pairs, isReordered } = pairLists(place.path.at(-1) ?? '', live, next);
  const isKeyed = pairs.length > 0 && pairs.every(({ step }) => step.kind === 'item');
  const inner = (member: unknown): Place => ({ ...place, managed: ofMember(place.managed, member) });
  if (isKeyed) {
    const aligned = pairs.flatMap(({ from, to }): readonly (readonly [unknown, unknown])[] => {
      if (from && to) return [[from.value, align(from.value, to.value, inner(to.value), found)]];
      if (from && isLeft(from.value, {}, inner(from.value), found)) return [[from.value, from.value]];
      return [];
    });
    if (!isReordered) return aligned.map(([, value]) => value);
    const byMember = new Map(aligned);
    return live.flatMap((member) => (byMember.has(member) ? [byMember.get(member)] : []));
  }
  if (live.length !== next.length) {
    for (const manager of otherOwners(place.managed)) found.conflicts.add(manager);
    return live;
  }
  // A list that another manager owns as a whole is replaced as a whole.
  const aligned = live.map((member, index) => align(member, next[index], { ...place, managed: NOBODY }, found));
  if (canonicalJson(aligned) !== canonicalJson(next)) {
    for (const manager of otherOwners(place.managed)) found.conflicts.add(manager);
  }
  return aligned;
}

/** A port without its default protocol, which is a part of its key. */
function ofTcp(member: unknown): unknown {
  if (!isObject(member) || member['protocol'] !== 'TCP') return member;
  return Object.fromEntries(Object.entries(member).filter(([key]) => key !== 'protocol'));
}

const NOBODY: ManagedFields = { isKnown: false, ours: [], others: [] };

/** Two spellings of one value: quantities, and JSON or YAML in a text. */
function isSame(live: unknown, next: unknown, path: readonly string[]): boolean {
  if (isZero(live) && isZero(next)) return true;
  const isAmount = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
  if (!isAmount(live) || !isAmount(next)) return false;
  const parent = path.at(-2) ?? '';
  if (parent === 'limits' || parent === 'requests' || path.at(-1) === 'sizeLimit') {
    return canonicalQuantity(live) === canonicalQuantity(next);
  }
  if (typeof live !== 'string' || typeof next !== 'string') return false;
  const [a, b] = [dataOf(live, path), dataOf(next, path)];
  return a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b);
}

/** The data in a text: JSON, and YAML in the `*.conf` and `*.yaml` of a ConfigMap. */
function dataOf(text: string, [first, key = '']: readonly string[]): object | undefined {
  if (/^\s*[[{]/.test(text)) {
    const data = parsedJson(text);
    if (isObject(data) || Array.isArray(data)) return data;
  }
  if (first !== 'data' || !/\.(?:conf|ya?ml)$/.test(key)) return undefined;
  try {
    const data: unknown = parse(text, { logLevel: 'silent', prettyErrors: false });
    return isObject(data) || Array.isArray(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
