import type { Location, PathStep } from '../diagnostics/diagnostic.js';
import type { TextPlaces } from './yaml-text.js';

/** Data that other modules bring in has no place in this text; what a spread brings in has been written here before. */
const bringsDataIn = /^\s*import\s+(?!type\b)|\brequire\s*\(|\bimport\s*\(/m;

const escapeForRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The place of a key in a program's text, where it is certain: the word occurs once in the text, as a key. A path whose
 * last key is not in the text has the place of the key above it. Else the file alone is the place.
 */
export function locateKey(places: TextPlaces, path: readonly PathStep[]): Location {
  const { file, text } = places;
  if (bringsDataIn.test(text)) {
    return { file };
  }
  const keys = path.filter((step): step is string => typeof step === 'string');
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
