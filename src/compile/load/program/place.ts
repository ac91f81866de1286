import type { Location, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { isObject } from '../../../shared/lib/json.js';
import { escapeForRegExp } from '../../../shared/lib/text.js';
import type { TextPlaces } from '../yaml/text.js';

/**
 * Values from other modules have no place in this text. Values from a spread are located where the text defines them.
 */
const bringsDataIn = /^[^\S\n\r\u2028\u2029]*import\s+(?!type\b)|\brequire\s*\(|\bimport\s*\(/m;

/**
 * The place of a key in a program's text, if it is certain: the word occurs once in the text, as a key. If the last key
 * of a path is not in the text, the place is the key above it. The same applies to a key that is not in the data,
 * because in the text it then belongs to another object. Otherwise the place is only the file.
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
