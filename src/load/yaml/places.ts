import type { PathStep } from '../../diagnostics/diagnostic.js';
import { fullBudget } from './budget.js';
import { documentTree, locateInDocument, type DocumentTree } from './locate.js';
import { composeChunk } from './parse.js';
import { PlainPlaces } from './plain-places.js';
import { readPlain } from './plain.js';
import type { At, TextRange } from './scalar-place.js';

/**
 * How much text keeps what was found out about it after a question; rules that compare documents go back and forth between
 * a few. A tree takes up to a thousand times the memory of its text.
 */
const cachedLengthMax = 32 * 1024;

type Trees = ReadonlyMap<number, DocumentTree>;

/** What was found out about a text: where things are in it if it is plainly written, else its trees. */
interface ReadText {
  readonly plain: ((path: readonly PathStep[], at: At) => TextRange | undefined) | undefined;
  trees?: Trees;
}

/** The place of a path in one document of a text ({@link locateInDocument}), by the document's place in it. */
export type FindPlace = (text: string, index: number, path: readonly PathStep[], at: At) => TextRange;

/**
 * Places are needed for diagnostics only, so that trees are not kept: memory stays near the size of the data. A question
 * reads the text again, and the library does it only where the answer is not simple.
 */
export function placeFinder(): FindPlace {
  const cache = new Map<string, ReadText>();
  let cachedLength = 0;
  const forget = (text: string) => {
    if (cache.delete(text)) {
      cachedLength -= text.length;
    }
  };
  const readText = (text: string): ReadText => {
    const known = cache.get(text);
    forget(text);
    // Before the text is parsed, so that two large trees are never there at once.
    for (const oldest of cache.keys()) {
      if (cachedLength + text.length > cachedLengthMax) {
        forget(oldest);
      }
    }
    const read = known ?? { plain: plainPlaces(text) };
    cache.set(text, read);
    cachedLength += text.length;
    return read;
  };
  return (text, index, path, at) => {
    const read = readText(text);
    const found = read.plain?.(path, at);
    if (found !== undefined) return found;
    read.trees ??= parseTrees(text);
    const tree = read.trees.get(index);
    if (tree === undefined) {
      throw new Error('a document that was parsed before is not there any more');
    }
    return locateInDocument(tree, path, at, text);
  };
}

function plainPlaces(text: string): ReadText['plain'] {
  const places = new PlainPlaces();
  const [document] = readPlain(text, places)?.documents ?? [];
  return document && ((path, at) => places.locate(document.value, path, at));
}

function parseTrees(text: string): Trees {
  const trees = new Map<number, DocumentTree>();
  // It has been read before, so that it is not too much.
  for (const [index, { contents }] of composeChunk({ offset: 0, text }, fullBudget()).documents.entries()) {
    if (contents !== null) {
      trees.set(index, documentTree(contents));
    }
  }
  return trees;
}
