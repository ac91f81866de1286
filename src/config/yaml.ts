import type { ParsedNode } from 'yaml';
import { isScalar } from 'yaml';
import type { Diagnostic, Location, PathStep } from '../diagnostics/diagnostic.js';
import { isObject } from '../lib/json.js';
import type { LoadCode } from './load-codes.js';
import { loadCodes } from './load-codes.js';
import { resolveAliases } from './yaml-aliases.js';
import { convertDocument } from './yaml-convert.js';
import type { DocumentTree } from './yaml-locate.js';
import { documentTree, locateInDocument } from './yaml-locate.js';
import type { Chunk } from './yaml-parse.js';
import { composeChunk, nestingMax, splitDocuments } from './yaml-parse.js';
import { syntaxDiagnostics } from './yaml-syntax.js';
import type { TextPlaces } from './yaml-text.js';
import { checkCharacters, textPlaces } from './yaml-text.js';

/** One document of the input, as plain data that remembers where it was written. */
export interface SourceDocument {
  /** Path as the user would type it. */
  readonly file: string;
  /** Plain JSON data; a mapping at the top. */
  readonly value: unknown;
  /**
   * The place of the value (default) or the key at a path. A path that leads nowhere gives its nearest existing ancestor.
   * What came in by an alias or a merge key is placed where it is written.
   */
  readonly locate: (path: readonly PathStep[], at?: 'key' | 'value') => Location;
}

export interface LoadedDocuments {
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

function failure(code: LoadCode, location: Location, message: string, help: string): Diagnostic {
  return { code: loadCodes[code].code, severity: 'error', message, location, help };
}

/** kubectl flattens a List into its items; so do we, and the items keep their places. */
function expandLists(document: SourceDocument, depth = 0): LoadedDocuments {
  const value = document.value;
  if (!isObject(value)) {
    const shown = document.locate([]);
    const message = 'a document is not a mapping';
    const help = 'a document begins with "apiVersion:" and "kind:"';
    return { documents: [], diagnostics: [failure('notMapping', shown, message, help)] };
  }
  if (value['kind'] !== 'List' || !Array.isArray(value['items']) || depth > nestingMax) {
    return { documents: [document], diagnostics: [] };
  }
  const parts = value['items'].map((item: unknown, index) => {
    const locate: SourceDocument['locate'] = (path, at) => document.locate(['items', index, ...path], at);
    return expandLists({ file: document.file, value: item, locate }, depth + 1);
  });
  return join(parts);
}

export function join(parts: readonly LoadedDocuments[]): LoadedDocuments {
  return {
    documents: parts.flatMap((part) => part.documents),
    diagnostics: parts.flatMap((part) => part.diagnostics),
  };
}

/** How many chunks keep their trees after a question; rules that compare documents go back and forth between a few. */
const cachedChunksMax = 16;

type Trees = ReadonlyMap<number, DocumentTree>;

/**
 * Places are needed for diagnostics only, so that trees are not kept: memory stays near the size of the data. A question
 * parses the chunk again.
 */
function treeReader(): (chunk: Chunk, index: number) => DocumentTree {
  const cache = new Map<Chunk, Trees>();
  return (chunk, index) => {
    const trees = cache.get(chunk) ?? parseTrees(chunk);
    cache.delete(chunk);
    cache.set(chunk, trees);
    const [oldest] = cache.keys();
    if (cache.size > cachedChunksMax && oldest !== undefined) {
      cache.delete(oldest);
    }
    const tree = trees.get(index);
    if (tree === undefined) {
      throw new Error('a document that was parsed before is not there any more');
    }
    return tree;
  };
}

function parseTrees(chunk: Chunk): Trees {
  const trees = new Map<number, DocumentTree>();
  for (const [index, { contents }] of composeChunk(chunk).documents.entries()) {
    if (contents !== null) {
      trees.set(index, documentTree(contents));
    }
  }
  return trees;
}

function chunkProblem(type: 'too-large' | 'too-deep', location: Location): Diagnostic {
  switch (type) {
    case 'too-large':
      return failure('documentSize', location, 'the document is too large to be a Kubernetes object', 'split it');
    case 'too-deep':
      return failure('nesting', location, `the document is nested more than ${nestingMax} levels deep`, 'flatten it');
  }
}

function loadChunk(chunk: Chunk, places: TextPlaces, readTree: ReturnType<typeof treeReader>): LoadedDocuments {
  const { documents, problem } = composeChunk(chunk);
  const range = (start: number, end: number) => places.locate(chunk.offset + start, chunk.offset + end);
  const parts = documents.map((parsed, index): LoadedDocuments => {
    const { contents } = parsed;
    if (parsed.errors.length > 0) {
      return { documents: [], diagnostics: syntaxDiagnostics(parsed, chunk, places) };
    }
    if (contents === null || isEmpty(contents)) {
      return { documents: [], diagnostics: [] };
    }
    const locateNode = (node: ParsedNode) => range(node.range[0], node.range[1]);
    const { value, diagnostics } = convertDocument(contents, resolveAliases(contents), locateNode);
    if (value === undefined) {
      return { documents: [], diagnostics };
    }
    const locate: SourceDocument['locate'] = (path, at = 'value') =>
      range(...locateInDocument(readTree(chunk, index), path, at));
    const expanded = expandLists({ file: places.file, value, locate });
    return join([{ documents: [], diagnostics }, expanded]);
  });
  if (problem !== undefined) {
    parts.push({ documents: [], diagnostics: [chunkProblem(problem.type, range(problem.offset, problem.offset + 1))] });
  }
  return join(parts);
}

/** Nothing, comments only, or a null: kubectl skips such a document. */
function isEmpty(root: ParsedNode): boolean {
  return isScalar(root) && root.type === 'PLAIN' && ['', '~', 'null'].includes(root.source);
}

/** JSON allows tabs for indentation, YAML does not; a space in their place keeps every column. */
function untabJson(text: string): string {
  return text.replace(/^[ \t]*\t[ \t]*/gm, (indent) => ' '.repeat(indent.length));
}

/**
 * Reads the documents of one file, YAML or JSON, as `kubectl apply` would, and everything that is wrong with them. A
 * document that is not valid YAML is left out; other errors leave the document in, to be checked further.
 *
 * @param file path for messages; a name that ends with `.json` may hold tabs
 */
export function loadYaml(file: string, text: string): LoadedDocuments {
  const places = textPlaces(file, text.startsWith('\uFEFF') ? text.slice(1) : text);
  const characters = checkCharacters(places);
  if (characters.length > 0) {
    return { documents: [], diagnostics: characters };
  }
  const parsed = file.endsWith('.json') ? untabJson(places.text) : places.text;
  const readTree = treeReader();
  return join(splitDocuments(parsed).map((chunk) => loadChunk(chunk, places, readTree)));
}
