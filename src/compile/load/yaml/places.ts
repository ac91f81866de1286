import { fullBudget } from './budget.js';
import type { PathStep, TextRange } from '../../../shared/diagnostics/diagnostic.js';
import { documentTree, locateInDocument, type DocumentTree } from './locate.js';
import { composeChunk } from './parse.js';
import type { At } from './scalar-place.js';

/**
 * Characters of text whose syntax trees are cached, for rules that compare a few documents. A tree takes up to a
 * thousand times the memory of its text.
 */
const cachedLengthMax = 32 * 1024;

type Trees = ReadonlyMap<number, DocumentTree>;

/** The place of a path in one document of a text ({@link locateInDocument}), by the document's place in it. */
export type FindPlace = (text: string, index: number, path: readonly PathStep[], at: At) => TextRange;

/**
 * Finds places by parsing the text again. Only diagnostics need places, so syntax trees are not kept, to save memory.
 */
export function placeFinder(): FindPlace {
  const cache = new Map<string, Trees>();
  let cachedLength = 0;
  const remove = (text: string) => {
    if (cache.delete(text)) cachedLength -= text.length;
  };
  const treesOf = (text: string): Trees => {
    const known = cache.get(text);
    remove(text);
    // Before the text is parsed, so that at most one large tree is in memory.
    for (const oldest of cache.keys()) {
      if (cachedLength + text.length > cachedLengthMax) remove(oldest);
    }
    const trees = known ?? parseTrees(text);
    cache.set(text, trees);
    cachedLength += text.length;
    return trees;
  };
  return (text, index, path, at) => {
    const tree = treesOf(text).get(index);
    if (tree === undefined) {
      throw new Error('a document that was parsed before is not there any more');
    }
    return locateInDocument(tree, path, at, text);
  };
}

function parseTrees(text: string): Trees {
  const trees = new Map<number, DocumentTree>();
  // Without limits, because the text was read within them before.
  for (const [index, { contents }] of composeChunk({ offset: 0, text }, fullBudget()).documents.entries()) {
    if (contents !== null) {
      trees.set(index, documentTree(contents));
    }
  }
  return trees;
}
