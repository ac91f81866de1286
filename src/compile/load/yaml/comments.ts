import { Lexer } from 'yaml';
import type { CommentRange } from '../ignore-comments.js';

/** Lexemes of the parser (yaml 2.9, parse/cst.ts) without text: document, flow error, scalar. */
const MARKS = new Set(['\x02', '\x18', '\x1f']);
const SCALAR_MARK = '\x1f';

/** The comments of a YAML text, without `#` in quoted text and in block scalars. */
export function yamlComments(text: string): readonly CommentRange[] {
  const comments: CommentRange[] = [];
  let offset = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (MARKS.has(lexeme)) {
      isScalar = lexeme === SCALAR_MARK;
      continue;
    }
    if (!isScalar && lexeme.startsWith('#')) comments.push([offset, offset + lexeme.length]);
    offset += lexeme.length;
    isScalar = false;
  }
  return comments;
}
