import { freeze } from '../../lib/freeze.js';
import { placeFinder, type FindPlace } from './places.js';

/** The documents of one text that has no diagnostics. */
interface TextDocuments {
  readonly text: string;
  /** Each with its place among the documents of the text. */
  readonly documents: readonly { readonly index: number; readonly value: unknown }[];
  /** What it takes of the budget. */
  readonly lexemes: number;
}

/**
 * Documents that were read before in the same run, by their text: the clusters of a fleet have most of them in common. What
 * is found again is the same frozen value.
 */
export interface KnownTexts {
  readonly find: (text: string) => TextDocuments | undefined;
  readonly add: (known: TextDocuments) => void;
  readonly findPlace: FindPlace;
}

/** Characters of text that the cache holds: eight clusters with all components. */
const rememberedMax = 96 * 1024;

export function createKnownTexts(): KnownTexts {
  const known = new Map<string, TextDocuments>();
  let length = 0;
  const drop = (text: string) => {
    if (known.delete(text)) length -= text.length;
  };
  return {
    find(text) {
      const found = known.get(text);
      if (found === undefined) return undefined;
      // The text that was requested last is dropped last.
      known.delete(text);
      known.set(text, found);
      return found;
    },
    add({ text, documents, lexemes }) {
      // A copy: a piece of a text keeps the whole text in memory.
      const own = Buffer.from(text).toString();
      known.set(own, { text: own, documents: freeze(documents), lexemes });
      length += own.length;
      for (const oldest of known.keys()) {
        if (length <= rememberedMax) break;
        drop(oldest);
      }
    },
    findPlace: placeFinder(),
  };
}
