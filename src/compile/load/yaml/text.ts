import { diagnostic } from '../../../shared/diagnostics/codes.js';
import type { Diagnostic, Location } from '../../../shared/diagnostics/diagnostic.js';
import { holdsSecret } from '../../../shared/kubernetes/secret-text.js';

/** Finds the places of offsets in one text; the line table is built on first use. */
export interface TextPlaces {
  readonly file: string;
  readonly text: string;
  /** A range over several lines ends with its first line. No line of a text with a Secret is shown: diagnostics are logged and uploaded. */
  readonly locate: (start: number, end: number) => Location;
}

/**
 * The table has the start of every n-th line; with all lines, text that has only line breaks would take eight times its
 * size.
 */
const tableStep = 64;

function findLineStarts(text: string): number[] {
  const starts = [0];
  let line = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    line++;
    if (line % tableStep === 0) {
      starts.push(at + 1);
    }
  }
  return starts;
}

/** The line that holds an offset, counted from 0, and where it begins. */
function lineAt(
  text: string,
  starts: readonly number[],
  offset: number,
): { readonly line: number; readonly start: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  let line = low * tableStep;
  let start = starts[low] ?? 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < offset; at = text.indexOf('\n', start)) {
    line++;
    start = at + 1;
  }
  return { line, start };
}

export function textPlaces(file: string, text: string): TextPlaces {
  let starts: readonly number[] | undefined;
  let isShown: boolean | undefined;
  const locate = (start: number, end: number): Location => {
    starts ??= findLineStarts(text);
    isShown ??= !holdsSecret(text);
    const { line, start: lineStart } = lineAt(text, starts, Math.min(start, text.length));
    const lineEnd = text.indexOf('\n', lineStart);
    const behind = lineEnd === -1 ? text.length : lineEnd;
    // A slice, not a copy: a line may have megabytes, and may be requested a thousand times.
    const sourceLine = text.slice(lineStart, text.charAt(behind - 1) === '\r' ? behind - 1 : behind);
    const column = Math.min(start - lineStart, sourceLine.length);
    const shown = sourceLine.slice(column, Math.max(column, end - lineStart)).trimEnd();
    return {
      file,
      line: line + 1,
      column: column + 1,
      endColumn: column + 1 + Math.max(1, shown.length),
      ...(isShown && { sourceLine }),
    };
  };
  return { file, text, locate };
}

/**
 * Characters that goyaml's reader refuses (go.yaml.in/yaml/v2 v2.4.2, readerc.go), and those that it takes for line
 * breaks and our parser does not: a carriage return by itself, next line, line and paragraph separator. A byte order
 * mark in the middle comes from files that were put together.
 */
const forbidden =
  /\r(?!\n)|[^\t\n\r\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu;

const characterNames: Readonly<Record<string, string>> = {
  '\0': 'a NUL character',
  '\r': 'a carriage return without a line feed',
  '\x1b': 'an escape character',
  '\ufeff': 'a byte order mark in the middle of the text',
};

const reportedCharactersMax = 10;

export function checkCharacters(places: TextPlaces): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const match of places.text.matchAll(forbidden)) {
    const code = match[0].codePointAt(0) ?? 0;
    const name = characterNames[match[0]] ?? `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    found.push(
      diagnostic('WEFT0007', {
        message: `${name} is not allowed in YAML`,
        location: places.locate(match.index, match.index + match[0].length),
        help: `remove it, or write it as "\\${code < 256 ? `x${hex(code, 2)}` : `u${hex(code, 4)}`}" inside double quotes`,
      }),
    );
    if (found.length === reportedCharactersMax) {
      break;
    }
  }
  return found;
}

const hex = (code: number, width: number): string => code.toString(16).padStart(width, '0');

/** The text from an offset to the end of its line. */
export function lineFrom(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.slice(start) : text.slice(start, end);
}
