import { freeze } from '../../../shared/lib/freeze.js';
import { placeFinder, type FindPlace } from './places.js';

/** The documents of one text that has no diagnostics. */
interface TextDocuments {
  readonly text: string;
  /** Each with its place among the documents of the text. */
  readonly documents: readonly { readonly index: number; readonly value: unknown }[];
  /** The lexemes that it uses of the budget. */
  readonly lexemes: number;
}

/**
 * The documents of the texts that a run read last. The clusters of a fleet have most texts in common, and equal texts give the
 * same frozen value.
 */
export interface TextCache {
  readonly find: (text: string) => TextDocuments | undefined;
  readonly add: (read: TextDocuments) => void;
  readonly findPlace: FindPlace;
}

/** Characters that the cache holds: the texts of eight clusters with all components. */
const CHARACTERS_MAX = 96 * 1024;

export function createTextCache(): TextCache {
  const cached = new Map<string, TextDocuments>();
  let length = 0;
  const drop = (text: string) => {
    if (cached.delete(text)) length -= text.length;
  };
  return {
    find(text) {
      const found = cached.get(text);
      if (found === undefined) return undefined;
      // A Map keeps the order of insertion: the text that was used last is dropped last.
      cached.delete(text);
      cached.set(text, found);
      return found;
    },
    add({ text, documents, lexemes }) {
      // A copy, because a substring keeps the whole text in memory.
      const own = Buffer.from(text).toString();
      cached.set(own, { text: own, documents: freeze(documents), lexemes });
      length += own.length;
      for (const oldest of cached.keys()) {
        if (length <= CHARACTERS_MAX) break;
        drop(oldest);
      }
    },
    findPlace: placeFinder(),
  };
}
