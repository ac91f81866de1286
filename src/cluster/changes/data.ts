import { isObject, listAt, parsedJson, valueAt } from '../../shared/lib/json.js';

/** The configuration of a network and of each of its plugins, from CNI JSON; empty if the JSON is invalid. */
export function cniParts(config: string): readonly unknown[] {
  const data = parsedJson(config);
  return data === undefined ? [] : [data, ...listAt(data, 'plugins')];
}

/** The entries of the mapping at a path whose values are text, such as labels. */
export function textsAt(value: unknown, ...path: readonly string[]): ReadonlyMap<string, string> {
  const found = valueAt(value, path);
  const entries = isObject(found) ? Object.entries(found) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
