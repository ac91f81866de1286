import { sortedKeys, type JsonObject, type JsonValue } from '../../../shared/lib/json.js';
import { UNPRINTABLE_IN_BLOCK, singleLineText } from './scalar.js';

/** YAML ends a one-line key's search for its colon after 1024 characters (YAML 1.2.2, 7.4.2); longer keys are marked. */
const MAX_IMPLICIT_KEY_LENGTH = 1000;

/** Keys that come first in an object, and in any mapping that has a name. */
const LEADING_KEYS = ['apiVersion', 'kind', 'metadata', 'name', 'namespace'];

/**
 * The keys of a mapping in output order, which does not depend on the order in which they were added: first
 * `apiVersion`, `kind` and `metadata` of an object, or `name` and `namespace` of a mapping with a name, then the others
 * by code unit.
 */
export function orderKeys(map: JsonObject): readonly string[] {
  const keys = sortedKeys(map);
  if (keys.length < 2) return keys;
  const isObject = isText(map, 'apiVersion') && isText(map, 'kind');
  const isNamed = isText(map, 'name');
  if (!isObject && !isNamed) return keys;
  const leading = LEADING_KEYS.slice(isObject ? 0 : 3, isNamed ? 5 : 3).filter((key) => Object.hasOwn(map, key));
  return [...leading, ...keys.filter((key) => !leading.includes(key))];
}

/**
 * One YAML document, with a line break at its end, that YAML 1.1 and 1.2 parsers read back as the given value. The
 * result does not depend on the order of keys.
 *
 * @throws TypeError when something in the value is not JSON (undefined, NaN, a bigint, a Date): a bug of the caller.
 */
export function toYaml(value: JsonValue): string {
  try {
    return nodeText(value, '') + '\n';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`${error.message}, at ${pathOfFault(value) ?? 'an unknown place'}`);
  }
}

/** A value's text. Its first line continues the current line, and the others start with `pad`. */
function nodeText(value: JsonValue, pad: string): string {
  if (isList(value)) return value.length === 0 ? '[]' : listText(value, pad);
  if (isMap(value)) {
    const keys = orderKeys(value);
    return keys.length === 0 ? '{}' : mapText(value, keys, pad);
  }
  return scalarText(value, pad === '' ? '  ' : pad);
}

function listText(list: readonly JsonValue[], pad: string): string {
  const inner = pad + '  ';
  // `map` would leave out the holes of a sparse list.
  return Array.from(list, (item) => `- ${nodeText(item, inner)}`).join(`\n${pad}`);
}

function mapText(map: JsonObject, keys: readonly string[], pad: string): string {
  const inner = pad + '  ';
  // Joined, not concatenated one by one: V8 keeps the parts of a concatenated text until it is read, in several times
  // the memory.
  return keys.map((key) => entryText(key, map[key] as JsonValue, pad, inner)).join(`\n${pad}`);
}

function entryText(key: string, value: JsonValue, pad: string, inner: string): string {
  return keyText(key, pad) + (isNonEmptyCollection(value) ? `\n${inner}` : ' ') + nodeText(value, inner);
}

function keyText(key: string, pad: string): string {
  const text = singleLineText(key);
  return text.length <= MAX_IMPLICIT_KEY_LENGTH ? `${text}:` : `? ${text}\n${pad}:`;
}

function scalarText(value: JsonValue, pad: string): string {
  if (typeof value === 'string') return literalBlock(value, pad) ?? singleLineText(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  throw new TypeError(`not a JSON value: ${describe(value)}`);
}

/** JSON's spelling, except that an exponent always follows a fraction: YAML 1.1 reads `1e+21` as text. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`not a JSON value: ${String(value)}`);
  return JSON.stringify(value).replace(/^(-?\d+)e/, '$1.0e');
}

/**
 * Text of several lines as `|`, or undefined if a quoted string is safer: a first line that is empty or indented
 * misleads the detection of the indentation, trailing blanks get lost in editors, and a carriage return or another
 * character that must be escaped cannot be written at all.
 */
export function literalBlock(text: string, pad: string): string | undefined {
  if (!text.includes('\n') || /^[\n \t]/.test(text) || /[ \t](?:\n|$)/.test(text)) return undefined;
  if (text.search(UNPRINTABLE_IN_BLOCK) >= 0) return undefined;
  const chomping = !text.endsWith('\n') ? '-' : text.endsWith('\n\n') ? '+' : '';
  const lines = text.replace(/\n$/, '').split('\n');
  return `|${chomping}\n` + lines.map((line) => (line === '' ? '' : pad + line)).join('\n');
}

function isNonEmptyCollection(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isList(value) ? value.length > 0 : Object.keys(value).length > 0;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Only plain objects: a Date or a Map has no keys and would be written as `{}`. */
function isMap(value: JsonValue): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isText(map: JsonObject, key: string): boolean {
  return Object.hasOwn(map, key) && typeof map[key] === 'string';
}

function describe(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value) : typeof value;
}

/** The path of the first value that cannot be written. Searched only after a failure, so that writing stays fast. */
function pathOfFault(value: JsonValue, path = '$'): string | undefined {
  const children: [string, JsonValue][] = isList(value)
    ? Array.from(value, (item, index) => [`${path}[${index}]`, item])
    : isMap(value)
      ? Object.keys(value).map((key) => [`${path}.${key}`, value[key] as JsonValue])
      : [];
  for (const [childPath, child] of children) {
    const found = pathOfFault(child, childPath);
    if (found !== undefined) return found;
  }
  if (isList(value) || isMap(value)) return undefined;
  try {
    scalarText(value, '');
    return undefined;
  } catch {
    return path;
  }
}
