import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import { isObject } from '../../shared/lib/json.js';

/** What one folder has at a place of a document. */
export interface Part<Source> {
  readonly value: unknown;
  readonly source: Source;
  /** The place in the folder's own document. */
  readonly path: readonly PathStep[];
}

/** The key that says what happens to a document or to an entry of a list, as in the patches of kustomize. */
export const PATCH_KEY = '$patch';

/** Lists of a Cluster whose entries are merged by their names. All other lists are replaced. */
const NAMED_LISTS: readonly (readonly string[])[] = [
  ['spec', 'nodePools'],
  ['spec', 'upgrade', 'pools'],
];

interface Merging<Source> {
  /** Whether the document is a Cluster, which has lists whose entries are merged by their names. */
  readonly isCluster: boolean;
  /** Called for an entry of a list that is to be removed and that no folder before has. */
  readonly onIdle?: (part: Part<Source>) => void;
}

/**
 * The value that the parts make together; later ones win. Mappings are merged key by key, lists are replaced, `null` removes a
 * key. Returns `undefined` if the last part removes it.
 */
export function mergedValue<Source>(
  parts: readonly Part<Source>[],
  merging: Merging<Source>,
  path: readonly PathStep[] = [],
): unknown {
  const [only, ...others] = partsInEffect(parts, path, merging);
  if (only === undefined) return undefined;
  if (isNamedList(only.value, path, merging)) {
    return namedEntries([only, ...others], merging).map((entry) => mergedValue(entry, merging, [...path, 0]));
  }
  if (others.length === 0) return only.value;
  const keys = new Set([only, ...others].flatMap(({ value }) => Object.keys(value as object)));
  const entries = [...keys].flatMap((key): [string, unknown][] => {
    const inner = mergedValue(partsAt([only, ...others], key), merging, [...path, key]);
    return inner === undefined ? [] : [[key, inner]];
  });
  // Object.fromEntries defines properties, so that even `__proto__` becomes an ordinary one.
  return Object.fromEntries(entries);
}

/**
 * The part that has the value at a path of the merged document, as its own path. Where the path does not exist, it is the last
 * part that has what is above it, with the rest of the path.
 */
export function originOf<Source>(
  parts: readonly Part<Source>[],
  path: readonly PathStep[],
  merging: Merging<Source>,
): Pick<Part<Source>, 'source' | 'path'> | undefined {
  let inEffect = partsInEffect(parts, [], merging);
  for (const [depth, step] of path.entries()) {
    const last = inEffect.at(-1);
    if (last === undefined) return undefined;
    const above = path.slice(0, depth);
    const below = isNamedList(last.value, above, merging)
      ? (namedEntries(inEffect, merging)[Number(step)] ?? [])
      : partsAt(inEffect, step);
    const next = partsInEffect(below, [...above, step], merging);
    if (next.length === 0) return { source: last.source, path: [...last.path, ...path.slice(depth)] };
    inEffect = next;
  }
  return inEffect.at(-1);
}

/** The parts of which the value is made: the last one, and those before it if they are merged with it. None if it is removed. */
function partsInEffect<Source>(
  parts: readonly Part<Source>[],
  path: readonly PathStep[],
  merging: Merging<Source>,
): readonly Part<Source>[] {
  const last = parts.at(-1);
  if (last === undefined || (last.value === null && parts.length > 1)) return [];
  const isMergeable = ({ value }: Part<Source>) =>
    isObject(last.value) ? isObject(value) : isNamedList(last.value, path, merging) && Array.isArray(value);
  const replaced = parts.slice(0, -1).findLastIndex((part) => !isMergeable(part));
  return parts.slice(isMergeable(last) ? replaced + 1 : -1);
}

function partsAt<Source>(parts: readonly Part<Source>[], step: PathStep): readonly Part<Source>[] {
  return parts.flatMap(({ value, source, path }) => {
    const isThere = (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, step);
    return isThere ? [{ value: (value as Record<PathStep, unknown>)[step], source, path: [...path, step] }] : [];
  });
}

function isNamedList<Source>(value: unknown, path: readonly PathStep[], { isCluster }: Merging<Source>): boolean {
  return (
    isCluster &&
    Array.isArray(value) &&
    NAMED_LISTS.some((list) => list.length === path.length && list.every((step, depth) => step === path[depth]))
  );
}

/** The entries of a list, each with its parts. An entry without a name, or with one that its list has already, is one of its own. */
function namedEntries<Source>(
  lists: readonly Part<Source>[],
  { onIdle }: Merging<Source>,
): readonly (readonly Part<Source>[])[] {
  const entries = new Map<unknown, Part<Source>[]>();
  for (const list of lists) {
    const seen = new Set<unknown>();
    for (const [index, value] of (list.value as readonly unknown[]).entries()) {
      const part = { value, source: list.source, path: [...list.path, index] };
      const name = isObject(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
      const key = name === undefined || seen.has(name) ? part : name;
      seen.add(name);
      if (!isRemoval(value)) entries.set(key, [...(entries.get(key) ?? []), part]);
      else if (!entries.delete(key)) onIdle?.(part);
    }
  }
  return [...entries.values()];
}

/** Whether a document or an entry of a list removes the one of its name. */
export function isRemoval(value: unknown): boolean {
  return isObject(value) && value[PATCH_KEY] === 'delete';
}
