import type { ParsedNode } from 'yaml';
import { isScalar } from 'yaml';

/** Offsets of a first and behind a last character. */
export type TextRange = readonly [start: number, end: number];

/**
 * Where a character of a text stands in the source; `undefined` where the text is written in another way than character by
 * character: folded, with escapes, or over several lines. An offset behind the text means its last character.
 */
export function placeInScalar(node: ParsedNode | null, offset: number, source: string): TextRange | undefined {
  if (!isScalar(node) || typeof node.value !== 'string') return undefined;
  const text = node.value;
  const at = Math.max(0, Math.min(offset, text.trimEnd().length - 1));
  const start =
    node.type === 'BLOCK_LITERAL' ? inLiteral(node.range[0], text, at, source) : inLine(node, text, at, source);
  return start === undefined ? undefined : [start, start + 1];
}

function inLine({ range }: ParsedNode, text: string, at: number, source: string): number | undefined {
  const quote = /^["']/.test(source.slice(range[0], range[0] + 1)) ? 1 : 0;
  const isVerbatim = source.slice(range[0] + quote, range[1] - quote) === text;
  return isVerbatim ? range[0] + quote + at : undefined;
}

/** Below the line with the `|` each line of the text has a line of its own, behind the indentation. */
function inLiteral(header: number, text: string, at: number, source: string): number | undefined {
  const before = text.slice(0, at).split('\n');
  const line = text.split('\n')[before.length - 1] ?? '';
  let lineStart = header;
  for (let count = 0; count < before.length; count++) lineStart = source.indexOf('\n', lineStart) + 1;
  const lineEnd = source.indexOf('\n', lineStart);
  const written = source.slice(lineStart, lineEnd < 0 ? source.length : lineEnd).replace(/\r$/, '');
  const indentation = written.length - line.length;
  return written.endsWith(line) ? lineStart + indentation + (before.at(-1) ?? '').length : undefined;
}
