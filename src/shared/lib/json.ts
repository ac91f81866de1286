import { isTooDeep, nestingMax } from './nesting.js';

/** A value that JSON can represent. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** True for a mapping: not null, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The value at a path of keys and indexes; `undefined` where there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}

/** The text at a path; `undefined` if there is none or it is empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The list at a path; empty if there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

/** Compares by UTF-16 code unit, so that an order never depends on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The keys of a mapping by UTF-16 code unit. Most mappings have them in order, and each sort of V8 takes memory of its own. */
export function sortedKeys(map: object): readonly string[] {
  const keys = Object.keys(map);
  return keys.every((key, index) => index === 0 || key > (keys[index - 1] ?? '')) ? keys : keys.sort();
}

/**
 * The value with the keys of every mapping sorted. Two texts of the same data become the same bytes. Keys such as
 * `__proto__` survive as ordinary keys.
 */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(sortedKeys(value).map((key) => [key, sortKeys(value[key])]));
}

/** Readable JSON: sorted keys, two spaces, a final newline. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(sortKeys(value), null, 2)}\n`;
}

/** Compact JSON: sorted keys, no white space. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}

/** The value of JSON text, which may begin with a byte order mark; or what is wrong with it. */
export function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The message of the engine has a part of the text.
    return { problem: 'it is no JSON' };
  }
  return isTooDeep(value) ? { problem: `it is nested more than ${nestingMax} levels deep` } : { value };
}

/** The value of JSON text; `undefined` if the text is not JSON, or too deep for recursive functions. */
export function parsedJson(text: string): unknown {
  const read = readJson(text);
  return 'value' in read ? read.value : undefined;
}

/** The object without keys whose value is `undefined`, an empty list, or an empty string. */
export function withoutEmpty<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Partial<T>;
}

/** Whether any value below this one that is no mapping and no list passes a test. */
export function hasScalar(value: unknown, test: (scalar: unknown) => boolean): boolean {
  if (Array.isArray(value)) return value.some((inner) => hasScalar(inner, test));
  return isObject(value) ? Object.values(value).some((inner) => hasScalar(inner, test)) : test(value);
}

/** The value without the keys whose value is `null`, at any depth: programs in Go read such a key as if it were not there. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(given.map(([key, inner]) => [key, withoutNulls(inner)]));
}
