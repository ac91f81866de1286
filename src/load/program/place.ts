import type { Location, PathStep } from '../../diagnostics/diagnostic.js';
import { isObject } from '../../lib/json.js';
import type { TextPlaces } from '../yaml/text.js';

/** Data that other modules bring in has no place in this text; what a spread brings in has been written here before. */
const bringsDataIn = /^\s*import\s+(?!type\b)|\brequire\s*\(|\bimport\s*\(/m;

const escapeForRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The place of a key in a program's text, where it is certain: the word occurs once in the text, as a key. A path whose
 * last key is not in the data, or not in the text, has the place of the key above it: where the data has no such key, the
 * word in the text is another object's. Else the file alone is the place.
 */
export function locateKey(places: TextPlaces, data: unknown, path: readonly PathStep[]): Location {
  const { file, text } = places;
  if (bringsDataIn.test(text)) {
    return { file };
  }
  const keys = existing(data, path).filter((step): step is string => typeof step === 'string');
  for (const key of keys.reverse()) {
    const word = new RegExp(`(?<![\\w$-])${escapeForRegExp(key)}(?![\\w$-])`, 'g');
    const found = [...text.matchAll(word)];
    const first = found[0];
    if (first !== undefined) {
      const end = first.index + key.length;
      const isKey = /^['"]?\s*:/.test(text.slice(end, end + 100));
      return found.length === 1 && isKey ? places.locate(first.index, end) : { file };
    }
  }
  return { file };
}

/** The part of a path that is in the data. */
function existing(data: unknown, path: readonly PathStep[]): readonly PathStep[] {
  let inner = data;
  const end = path.findIndex((step) => {
    if (!(isObject(inner) || Array.isArray(inner)) || !Object.hasOwn(inner, step)) return true;
    inner = (inner as Readonly<Record<PathStep, unknown>>)[step];
    return false;
  });
  return end === -1 ? path : path.slice(0, end);
}
