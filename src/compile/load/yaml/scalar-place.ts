import type { TextRange } from '../../../shared/diagnostics/diagnostic.js';
import { lineFrom } from './text.js';
import type { ParsedNode } from 'yaml';
import { isScalar } from 'yaml';

/** What to locate at a path: the key, its value, or a part of a value that is text. */
export type At = 'key' | 'value' | TextRange;

/** A line of a block scalar, and its offset in the source. */
interface BlockLine {
  readonly textStart: number;
  readonly sourceStart: number;
  /** Absent if the line is written in another way. */
  readonly indentation: number | undefined;
}

/**
 * Results of earlier lookups: the start of texts that are written literally on one line, and the last line of a block
 * scalar. Without them a thousand errors in one long text would take quadratic time.
 */
export type ScalarPlaces = WeakMap<ParsedNode, number | undefined | BlockLine>;

/**
 * The place of a part of a text in the source; `undefined` if the text is not written literally: folded, with escapes,
 * or over several lines. An offset after the text means its last character.
 */
export function placeInScalar(
  node: ParsedNode | null,
  [from, to]: TextRange,
  source: string,
  known: ScalarPlaces,
): TextRange | undefined {
  if (!isScalar(node) || typeof node.value !== 'string') return undefined;
  const at = Math.max(0, Math.min(from, node.value.trimEnd().length - 1));
  const start = (node.type === 'BLOCK_LITERAL' ? inLiteral : inLine)(node, node.value, at, source, known);
  return start === undefined ? undefined : [start, start + Math.max(1, to - at)];
}

function inLine(node: ParsedNode, text: string, at: number, source: string, known: ScalarPlaces): number | undefined {
  if (!known.has(node)) {
    const [first, end] = node.range;
    const quote = /^["']/.test(source.slice(first, first + 1)) ? 1 : 0;
    const isVerbatim = source.slice(first + quote, end - quote) === text;
    known.set(node, isVerbatim ? first + quote : undefined);
  }
  const start = known.get(node);
  return typeof start === 'number' ? start + at : undefined;
}

/** Below the line with the `|`, each line of the text is one line of the source, after the indentation. */
function inLiteral(node: ParsedNode, text: string, at: number, source: string, known: ScalarPlaces) {
  const before = known.get(node);
  const first = { textStart: 0, sourceStart: source.indexOf('\n', node.range[0]) + 1 };
  let { textStart, sourceStart } = typeof before === 'object' ? before : first;
  while (at < textStart) {
    textStart = lineBefore(text, textStart);
    sourceStart = lineBefore(source, sourceStart);
  }
  for (let end = text.indexOf('\n', textStart); end !== -1 && end < at; end = text.indexOf('\n', textStart)) {
    textStart = end + 1;
    sourceStart = source.indexOf('\n', sourceStart) + 1;
  }
  const isKnown = typeof before === 'object' && before.textStart === textStart;
  const indentation = isKnown
    ? before.indentation
    : indentationOf(lineFrom(text, textStart), lineFrom(source, sourceStart).replace(/\r$/, ''));
  known.set(node, { textStart, sourceStart, indentation });
  return indentation === undefined ? undefined : sourceStart + indentation + at - textStart;
}

function indentationOf(line: string, written: string): number | undefined {
  return written.endsWith(line) ? written.length - line.length : undefined;
}

/** The start of the line before the line that starts at an offset. */
const lineBefore = (text: string, start: number): number => (start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1);
