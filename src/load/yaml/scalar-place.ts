import type { ParsedNode } from 'yaml';
import { isScalar } from 'yaml';

/** Offsets of a first and behind a last character. */
export type TextRange = readonly [start: number, end: number];

/** What to locate at a path: the key, its value, or a part of a value that is text. */
export type At = 'key' | 'value' | TextRange;

/** A line of a text in a block, and its offset in the source. */
interface BlockLine {
  readonly textStart: number;
  readonly sourceStart: number;
  /** Absent where the line is written in another way. */
  readonly indentation: number | undefined;
}

/**
 * What was found out about texts at earlier questions: where one begins that is written character by character on one line,
 * and the line of a block that was asked for last. Without it a thousand errors in one long text take a thousand times as long.
 */
export type ScalarPlaces = WeakMap<ParsedNode, number | undefined | BlockLine>;

/**
 * Where a part of a text stands in the source; `undefined` where the text is written in another way than character by
 * character: folded, with escapes, or over several lines. An offset behind the text means its last character.
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

/** Below the line with the `|` each line of the text has a line of its own, behind the indentation. */
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
    : indentationOf(lineAt(text, textStart), lineAt(source, sourceStart).replace(/\r$/, ''));
  known.set(node, { textStart, sourceStart, indentation });
  return indentation === undefined ? undefined : sourceStart + indentation + at - textStart;
}

function indentationOf(line: string, written: string): number | undefined {
  return written.endsWith(line) ? written.length - line.length : undefined;
}

/** Where the line begins that is above the one which begins at an offset. */
const lineBefore = (text: string, start: number): number => (start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1);

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}
