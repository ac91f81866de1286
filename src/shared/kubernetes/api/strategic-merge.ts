import { isObject } from '../../lib/json.js';
import { type FieldType, fieldType } from './field-types.js';

/** The key of the directive for the mapping or list that contains it. */
export const DIRECTIVE = '$patch';

const ANY: FieldType = { is: 'any' };

/**
 * A strategic merge patch, as the API server applies it (k8s.io/apimachinery v0.36.3, pkg/util/strategicpatch): mappings are
 * merged, `null` removes a key, and the type says which lists are merged, entry by entry or as a set. Others are replaced, and so
 * are all lists of custom resources, for which the API server has no such patch. `$patch: delete` removes the mapping or the
 * entry that it stands in; `$patch: replace` replaces the mapping that it stands in, or the list whose entry it is.
 *
 * New entries come last. The API server puts them first, and a container that is added would become the one that kubectl takes
 * when it is told none.
 */
export function strategicMerge(target: unknown, patch: unknown, type: FieldType): unknown {
  if (Array.isArray(patch)) return mergeList(target, patch, type);
  if (!isObject(patch)) return patch;
  const isReplaced = patch[DIRECTIVE] === 'replace' || (type.is === 'mapping' && type.isReplaced === true);
  const base = isObject(target) && !isReplaced ? target : {};
  const written: [string, unknown][] = [];
  const removed = new Set<string>();
  for (const [key, value] of Object.entries(patch)) {
    if (key === DIRECTIVE) continue;
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    if (value === null || hasDirective(value, 'delete')) removed.add(key);
    else written.push([key, strategicMerge(before, value, fieldType(type, key) ?? ANY)]);
  }
  // Spreading is several times as fast as a Map of entries, and `__proto__` stays an ordinary key in it, too.
  const merged = { ...base, ...Object.fromEntries(written) };
  if (removed.size === 0) return merged;
  return Object.fromEntries(Object.entries(merged).filter(([key]) => !removed.has(key)));
}

/** Whether a value is a mapping with this directive. */
export function hasDirective(value: unknown, directive: 'delete' | 'replace'): value is Record<string, unknown> {
  return isObject(value) && value[DIRECTIVE] === directive;
}

function mergeList(target: unknown, patch: readonly unknown[], type: FieldType): readonly unknown[] {
  const { of, merge } = type.is === 'list' ? type : { of: () => ANY, merge: undefined };
  const isReplaced = !merge || !Array.isArray(target) || patch.some((entry) => hasDirective(entry, 'replace'));
  const entries = patch.filter((entry) => !hasDirective(entry, 'replace') && !hasDirective(entry, 'delete'));
  if (isReplaced) return entries.map((entry) => strategicMerge(undefined, entry, of()));
  const before = target as readonly unknown[];
  const { key } = merge;
  if (key === undefined) return [...new Set([...before, ...entries])];
  const keyOf = (entry: unknown) => (isObject(entry) ? entry[key] : undefined);
  const removed = new Set(patch.filter((entry) => hasDirective(entry, 'delete')).map(keyOf));
  const merged = before.filter((entry) => !removed.has(keyOf(entry)));
  // One after the other: the API server merges the second of two new entries with one key into the first.
  for (const entry of entries) {
    const index = merged.findIndex((other) => keyOf(other) === keyOf(entry));
    if (index < 0) merged.push(strategicMerge(undefined, entry, of()));
    else merged[index] = strategicMerge(merged[index], entry, of());
  }
  return merged;
}
