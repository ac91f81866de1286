import { type Code, diagnostic, type Parts } from '../../../shared/diagnostics/codes.js';
import type { ParsedNode } from 'yaml';
import { isScalar } from 'yaml';
import { type Diagnostic, isError, type Location, type PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { isObject } from '../../../shared/lib/json.js';
import { nestingMax } from '../../../shared/lib/nesting.js';
import type { Ignore } from '../ignore-comments.js';
import { mayHoldIgnores, readIgnores } from '../ignore-comments.js';
import { resolveAliases, type AliasTargets } from './aliases.js';
import type { Budget } from './budget.js';
import { folderMax, fullBudget, isSpent } from './budget.js';
import { yamlComments } from './comments.js';
import { convertDocument } from './yaml-to-json.js';
import { untabJson } from '../json/place.js';
import type { Pins } from '../../../shared/kubernetes/image-pins.js';
import type { TextCache } from './text-cache.js';
import type { At } from './scalar-place.js';
import type { Chunk, ChunkProblem } from './parse.js';
import { documentLengthMax, lexemesMax } from './limits.js';
import { composeChunk, splitDocuments } from './parse.js';
import { syntaxDiagnostics } from './syntax.js';
import { templateNotRendered } from './template.js';
import type { TextPlaces } from './text.js';
import { checkCharacters, textPlaces } from './text.js';
import { placeFinder, type FindPlace } from './places.js';

/** One document of the input: plain data, and a function that locates its values in the file. */
export interface SourceDocument {
  /** Path relative to the working directory. */
  readonly file: string;
  /** Plain JSON data; a mapping at the top. */
  readonly value: unknown;
  /**
   * The place of the value (default) or the key at a path. A path that does not exist gives its nearest existing
   * ancestor. Values from an alias or a merge key are located where they are written. A range is a part of a text: its
   * place, or that of the whole text if it is not written literally.
   */
  readonly locate: (path: readonly PathStep[], at?: At) => Location;
}

export interface LoadedDocuments {
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
  /** The warnings that comments suppress; absent when there are none. */
  readonly ignores?: readonly Ignore[];
  /** Absolute paths of the folders that a cluster extends, also by others; absent where it extends none. */
  readonly bases?: readonly string[];
  /** Those of the `weft.lock` beside the Cluster document; absent without one. */
  readonly pins?: Pins;
}

/** What a file holds that cannot be read. */
export function failed(code: Code, parts: Parts): LoadedDocuments {
  return { documents: [], diagnostics: [diagnostic(code, parts)] };
}

/** The items of a List: of any kind, or of one, such as `NicClusterPolicyList`, whose items need not say their kind. */
function listItems(value: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const { apiVersion, kind, items, metadata } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return undefined;
  if (kind === 'List') return items as readonly unknown[];
  if (isObject(metadata) && metadata['name'] !== undefined) return undefined;
  const own = { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.map((item: unknown) => (isObject(item) ? { ...own, ...item } : item));
}

/** Flattens a List into its items, as kubectl does; the items keep their places. */
function expandLists(document: SourceDocument, depth = 0): LoadedDocuments {
  const value = document.value;
  if (!isObject(value)) {
    const message = 'a document is not a mapping';
    const help = 'a document begins with "apiVersion:" and "kind:"';
    return failed('WEFT0012', { message, location: document.locate([]), help });
  }
  const items = depth > nestingMax ? undefined : listItems(value);
  if (items === undefined) return { documents: [document], diagnostics: [] };
  const parts = items.map((item: unknown, index) => {
    const locate: SourceDocument['locate'] = (path, at) => document.locate(['items', index, ...path], at);
    return expandLists({ file: document.file, value: item, locate }, depth + 1);
  });
  return join(parts);
}

export function join(parts: readonly LoadedDocuments[]): LoadedDocuments {
  const ignores = parts.flatMap((part) => part.ignores ?? []);
  return {
    documents: parts.flatMap((part) => part.documents),
    diagnostics: parts.flatMap((part) => part.diagnostics),
    ...(ignores.length > 0 ? { ignores } : {}),
  };
}

/** A document that exceeds a limit. */
export function documentTooLarge(limit: string, location: Location): Diagnostic {
  return diagnostic('WEFT0011', { message: `the document holds more than ${limit}`, location, help: 'split it' });
}

function chunkProblem(type: Exclude<ChunkProblem, 'spent'>, location: Location): Diagnostic {
  switch (type) {
    case 'too-long':
      return documentTooLarge(`${documentLengthMax} ${limitNames.characters}`, location);
    case 'too-many-lexemes':
      return documentTooLarge(`${lexemesMax} ${limitNames.lexemes}`, location);
    case 'too-deep': {
      const message = `the document is nested more than ${nestingMax} levels deep`;
      return diagnostic('WEFT0006', { message, location, help: 'flatten it' });
    }
  }
}

const limitNames: Readonly<Record<keyof Budget, string>> = {
  documents: 'documents',
  lexemes: 'words and signs of YAML',
  characters: 'characters',
  errors: 'errors',
};

export function tooMuch(budget: Budget, location: Location): Diagnostic {
  const spent = (Object.keys(limitNames) as (keyof Budget)[]).find((limit) => budget[limit] < 0) ?? 'documents';
  const message = `the folder holds more than ${folderMax[spent]} ${limitNames[spent]}; the rest is not read`;
  const help = 'keep only the documents of the cluster there; copies of what is in a cluster belong elsewhere';
  return diagnostic('WEFT0029', { message, location, help });
}

/** The parameters for reading a chunk. */
interface Reading {
  readonly places: TextPlaces;
  readonly findPlace: FindPlace;
  readonly budget: Budget;
  readonly cache: TextCache | undefined;
}

/** Cached text is not parsed again, unless the budget may end in it. */
function loadChunk(chunk: Chunk, reading: Reading): LoadedDocuments {
  const { budget, cache } = reading;
  const found = cache?.find(chunk.text);
  const isWithin = found && found.lexemes <= budget.lexemes && found.documents.length <= budget.documents;
  if (!cache || !isWithin) return parseChunk(chunk, reading);
  budget.lexemes -= found.lexemes;
  const same = { offset: chunk.offset, text: found.text };
  const finding = { ...reading, findPlace: cache.findPlace };
  return join(found.documents.map(({ index, value }) => sourceDocuments(value, index, same, finding)));
}

/** The documents of one value, which may be a list of them. */
function sourceDocuments(value: unknown, index: number, chunk: Chunk, { places, findPlace }: Reading): LoadedDocuments {
  const locate: SourceDocument['locate'] = (path, at = 'value') => {
    const [start, end] = findPlace(chunk.text, index, path, at);
    return places.locate(chunk.offset + start, chunk.offset + end);
  };
  return expandLists({ file: places.file, value, locate });
}

const NO_TARGETS: AliasTargets = new Map();

function parseChunk(chunk: Chunk, reading: Reading): LoadedDocuments {
  const { places, budget } = reading;
  const lexemesBefore = budget.lexemes;
  const { documents, problem } = composeChunk(chunk, budget);
  // The caller reports it once for the folder.
  if (problem?.type === 'spent') return { documents: [], diagnostics: [] };
  const range = (start: number, end: number) => places.locate(chunk.offset + start, chunk.offset + end);
  const mayHoldAliases = chunk.text.includes('*');
  const values: { index: number; value: unknown }[] = [];
  const parts = documents.map((parsed, index): LoadedDocuments => {
    const { contents } = parsed;
    if (parsed.errors.length > 0) {
      return { documents: [], diagnostics: syntaxDiagnostics(parsed, chunk, places) };
    }
    if (contents === null || isEmpty(contents)) {
      return { documents: [], diagnostics: [] };
    }
    const targets = mayHoldAliases ? resolveAliases(contents) : NO_TARGETS;
    const locateNode = (node: ParsedNode) => range(node.range[0], node.range[1]);
    const { value, diagnostics } = convertDocument(contents, targets, locateNode);
    if (value === undefined) {
      return { documents: [], diagnostics };
    }
    values.push({ index, value });
    return join([{ documents: [], diagnostics }, sourceDocuments(value, index, chunk, reading)]);
  });
  if (problem !== undefined) {
    parts.push({ documents: [], diagnostics: [chunkProblem(problem.type, range(problem.offset, problem.offset + 1))] });
  }
  const loaded = join(parts);
  if (loaded.diagnostics.length === 0) {
    reading.cache?.add({ text: chunk.text, documents: values, lexemes: lexemesBefore - budget.lexemes });
  }
  return loaded;
}

/** An empty document, only comments, or `null`: kubectl skips it too. */
function isEmpty(root: ParsedNode): boolean {
  return isScalar(root) && root.type === 'PLAIN' && ['', '~', 'null'].includes(root.source);
}

/** JSON has no comments. Other files are lexed a second time if they may have `weft-ignore` comments. */
function loadIgnores(places: TextPlaces): LoadedDocuments {
  const isNeeded = !places.file.endsWith('.json') && mayHoldIgnores(places.text);
  return { documents: [], ...readIgnores(places, isNeeded ? yamlComments(places.text) : [], '#') };
}

/**
 * Reads the documents of one YAML or JSON file as `kubectl apply` would, with their diagnostics. A document that is not
 * valid YAML is left out; with other errors it is returned, to be checked further.
 *
 * @param file path for messages; a name that ends with `.json` may hold tabs
 * @param budget counted down; when it is spent there are no documents, and an error says so
 * @param cache documents that were read before; their values are frozen
 */
export function loadYaml(
  file: string,
  text: string,
  budget: Budget = fullBudget(),
  cache?: TextCache,
): LoadedDocuments {
  const places = textPlaces(file, text.startsWith('\uFEFF') ? text.slice(1) : text);
  const characters = checkCharacters(places);
  if (characters.length > 0) {
    return { documents: [], diagnostics: characters };
  }
  const parsed = file.endsWith('.json') ? untabJson(places.text) : places.text;
  const reading = { places, findPlace: placeFinder(), budget, cache };
  const parts: LoadedDocuments[] = [];
  for (const chunk of splitDocuments(parsed)) {
    const part = loadChunk(chunk, reading);
    parts.push(part);
    // Empty documents count too, because reading them takes time.
    budget.documents -= Math.max(1, part.documents.length);
    budget.characters -= chunk.text.length;
    budget.errors -= part.diagnostics.length;
    if (isSpent(budget)) {
      const stop = tooMuch(budget, places.locate(chunk.offset, chunk.offset + 1));
      return { documents: [], diagnostics: [...join(parts).diagnostics, stop] };
    }
  }
  const loaded = join([...parts, loadIgnores(places)]);
  const template = loaded.diagnostics.some(isError) ? templateNotRendered(places) : undefined;
  return template === undefined ? loaded : { ...loaded, diagnostics: [template] };
}
