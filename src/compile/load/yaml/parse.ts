import type { Document, ParsedNode } from 'yaml';
import { Composer, Lexer, Parser } from 'yaml';
import type { Budget } from './budget.js';
import { nestingMax } from '../../../shared/lib/nesting.js';
import { documentLengthMax, lexemesMax } from './limits.js';

type Token = Parameters<Composer['next']>[0];
export type ParsedDocument = Document.Parsed;

/** A part of a file that is parsed separately: usually one document, with the `---` above it. */
export interface Chunk {
  readonly offset: number;
  readonly text: string;
}

/**
 * Splits as kubectl does (k8s.io/apimachinery pkg/util/yaml, decoder.go), before the text is parsed, so that an invalid
 * document does not affect others, and only one syntax tree is in memory. Directives belong to the document below their
 * `---`; they are rare enough that a file with one is not split.
 */
export function* splitDocuments(text: string): Generator<Chunk> {
  if (/^%/m.test(text)) {
    yield { offset: 0, text };
    return;
  }
  let offset = 0;
  for (const { index } of text.matchAll(/^---(?=[ \t\r\n]|$)/gm)) {
    if (index > 0) {
      yield { offset, text: text.slice(offset, index) };
      offset = index;
    }
  }
  yield { offset, text: text.slice(offset) };
}

/**
 * Scalars stay text and tags stay names here: `yaml-to-json.ts` interprets them. The parser's own check for equal keys
 * is off, because it compares each key with each other one.
 */
const options = {
  version: '1.1',
  schema: 'failsafe',
  uniqueKeys: false,
  merge: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

interface CstItem {
  readonly key?: unknown;
  readonly value?: unknown;
}
interface CstNode {
  readonly offset: number;
  readonly items: readonly CstItem[];
}

const isCollection = (value: unknown): value is CstNode =>
  typeof value === 'object' && value !== null && 'items' in value && value.items !== undefined;

/** The offset of the first collection below `nestingMax` others. The parser's tree may be deeper; the search is not. */
function findTooDeep(node: unknown, depth = 0): number | undefined {
  if (!isCollection(node)) return undefined;
  if (depth > nestingMax) return node.offset;
  for (const { key, value } of node.items) {
    const found = findTooDeep(key, depth + 1) ?? findTooDeep(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a document of the text is nested too deeply. */
export function hasTooDeepDocument(text: string): boolean {
  for (const token of new Parser().parse(text)) {
    if (token.type === 'document' && findTooDeep(token.value) !== undefined) return true;
  }
  return false;
}

/** Why a chunk was not read completely; `spent`: the budget of the folder ended in it. */
export type ChunkProblem = 'too-long' | 'too-many-lexemes' | 'too-deep' | 'spent';

interface Composed {
  readonly documents: readonly ParsedDocument[];
  readonly problem?: { readonly type: ChunkProblem; readonly offset: number };
}

/** Offsets in the result are relative to the chunk. If the budget is spent, one of its limits is below zero. */
export function composeChunk(chunk: Chunk, budget: Budget): Composed {
  if (chunk.text.length > documentLengthMax) {
    return { documents: [], problem: { type: 'too-long', offset: 0 } };
  }
  const parser = new Parser();
  const composer = new Composer<ParsedNode>(options);
  const documents: ParsedDocument[] = [];
  const problemIn = (tokens: Iterable<Token>): Composed['problem'] => {
    for (const token of tokens) {
      const offset = token.type === 'document' ? findTooDeep(token.value) : undefined;
      if (offset !== undefined) return { type: 'too-deep', offset };
      for (const document of composer.next(token)) documents.push(document);
      if (documents.length > budget.documents) return { type: 'spent', offset: 0 };
    }
    return undefined;
  };
  let count = 0;
  for (const lexeme of new Lexer().lex(chunk.text)) {
    count++;
    budget.lexemes--;
    if (count > lexemesMax) return { documents, problem: { type: 'too-many-lexemes', offset: 0 } };
    if (budget.lexemes < 0) return { documents, problem: { type: 'spent', offset: 0 } };
    const problem = problemIn(parser.next(lexeme));
    if (problem !== undefined) return withProblem(documents, problem, budget);
  }
  const problem = problemIn(parser.end());
  if (problem !== undefined) return withProblem(documents, problem, budget);
  documents.push(...composer.end());
  return { documents };
}

function withProblem(documents: ParsedDocument[], problem: NonNullable<Composed['problem']>, budget: Budget): Composed {
  if (problem.type !== 'spent') return { documents, problem };
  budget.documents -= documents.length;
  return { documents: [], problem };
}
