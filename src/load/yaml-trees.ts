import { fullBudget } from './yaml-budget.js';
import { documentTree, type DocumentTree } from './yaml-locate.js';
import { composeChunk } from './yaml-parse.js';

/**
 * How much text keeps its trees after a question; rules that compare documents go back and forth between a few. A tree
 * takes up to a thousand times the memory of its text.
 */
const cachedLengthMax = 32 * 1024;

type Trees = ReadonlyMap<number, DocumentTree>;

/** The tree of one document of a text, by its place in it. */
export type ReadTree = (text: string, index: number) => DocumentTree;

/**
 * Places are needed for diagnostics only, so that trees are not kept: memory stays near the size of the data. A question
 * parses the text again.
 */
export function treeReader(): ReadTree {
  const cache = new Map<string, Trees>();
  let cachedLength = 0;
  const forget = (text: string) => {
    if (cache.delete(text)) {
      cachedLength -= text.length;
    }
  };
  return (text, index) => {
    const known = cache.get(text);
    forget(text);
    // Before the text is parsed, so that two large trees are never there at once.
    for (const oldest of cache.keys()) {
      if (cachedLength + text.length > cachedLengthMax) {
        forget(oldest);
      }
    }
    const trees = known ?? parseTrees(text);
    cache.set(text, trees);
    cachedLength += text.length;
    const tree = trees.get(index);
    if (tree === undefined) {
      throw new Error('a document that was parsed before is not there any more');
    }
    return tree;
  };
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
