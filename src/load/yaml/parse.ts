import type { Document, ParsedNode } from 'yaml';
import { Composer, Lexer, Parser } from 'yaml';
import type { Budget } from './budget.js';
import { documentLengthMax, lexemesMax, nestingMax } from './limits.js';

type Token = Parameters<Composer['next']>[0];
export type ParsedDocument = Document.Parsed;

/** A piece of a file that is parsed by itself: usually one document, with the `---` above it. */
export interface Chunk {
  readonly offset: number;
  readonly text: string;
}

/**
 * Splits as kubectl does (k8s.io/apimachinery pkg/util/yaml, decoder.go), before the text is parsed: one broken
 * document hides no other, and only one is in memory as a tree. Directives belong to the document below their `---`;
 * they are rare enough that a file with one is not split.
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
 * Scalars stay text and tags stay names here: what they mean is for `yaml-convert.ts`. The parser's own check for equal
 * keys compares each key with each other one.
 */
const options = {
  version: '1.1',
  schema: 'failsafe',
  uniqueKeys: false,
  merge: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

function* lexemesOf(chunk: Chunk, budget: Budget): Generator<Token, 'complete' | 'too-many-lexemes' | 'spent'> {
  const parser = new Parser();
  let count = 0;
  for (const lexeme of new Lexer().lex(chunk.text)) {
    count++;
    budget.lexemes--;
    if (count > lexemesMax) return 'too-many-lexemes';
    if (budget.lexemes < 0) return 'spent';
    yield* parser.next(lexeme);
  }
  yield* parser.end();
  return 'complete';
}

interface CstItem {
  readonly key?: unknown;
  readonly value?: unknown;
}
interface CstNode {
  readonly offset: number;
  readonly items?: readonly CstItem[];
}

const isNode = (value: unknown): value is CstNode => typeof value === 'object' && value !== null && 'offset' in value;

/** The offset of the first collection below `nestingMax` others; a loop, because the parser's tree may be any deep. */
function findTooDeep(root: unknown): number | undefined {
  let level: CstNode[] = isNode(root) ? [root] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > nestingMax) {
      return level[0]?.offset;
    }
    level = level
      .flatMap((node) => node.items ?? [])
      .flatMap((item) => [item.key, item.value])
      .filter((node): node is CstNode => isNode(node) && node.items !== undefined);
  }
  return undefined;
}

/** Why a chunk is not read to its end; `spent`: what the folder may hold ended within it, which is not the chunk's fault. */
export type ChunkProblem = 'too-long' | 'too-many-lexemes' | 'too-deep' | 'spent';

interface Composed {
  readonly documents: readonly ParsedDocument[];
  readonly problem?: { readonly type: ChunkProblem; readonly offset: number };
}

/** Offsets of the result count from the chunk's start. Where the budget is spent, one of its limits is below zero. */
export function composeChunk(chunk: Chunk, budget: Budget): Composed {
  if (chunk.text.length > documentLengthMax) {
    return { documents: [], problem: { type: 'too-long', offset: 0 } };
  }
  const composer = new Composer<ParsedNode>(options);
  const documents: ParsedDocument[] = [];
  const tokens = lexemesOf(chunk, budget);
  for (;;) {
    const next = tokens.next();
    if (next.done === true) {
      if (next.value !== 'complete') {
        return { documents, problem: { type: next.value, offset: 0 } };
      }
      break;
    }
    if (next.value.type === 'document') {
      const offset = findTooDeep(next.value.value);
      if (offset !== undefined) {
        return { documents, problem: { type: 'too-deep', offset } };
      }
    }
    documents.push(...composer.next(next.value));
    if (documents.length > budget.documents) {
      budget.documents -= documents.length;
      return { documents: [], problem: { type: 'spent', offset: 0 } };
    }
  }
  documents.push(...composer.end());
  return { documents };
}
