import type { Diagnostic, Location } from '../diagnostics/diagnostic.js';
import { loadCodes } from './load-codes.js';

/** Turns offsets of one text into places; the line table is made at the first question. */
export interface TextPlaces {
  readonly file: string;
  readonly text: string;
  /** A range that goes on after its first line ends with the line. */
  readonly locate: (start: number, end: number) => Location;
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
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
  return low;
}

export function textPlaces(file: string, text: string): TextPlaces {
  let starts: readonly number[] | undefined;
  const locate = (start: number, end: number): Location => {
    starts ??= findLineStarts(text);
    const line = lineAt(starts, Math.min(start, text.length));
    const lineStart = starts[line] ?? 0;
    const next = starts[line + 1];
    const sourceLine = text.slice(lineStart, next === undefined ? text.length : next - 1).replace(/\r$/, '');
    const column = Math.min(start - lineStart, sourceLine.length);
    const shown = sourceLine.slice(column, Math.max(column, end - lineStart)).trimEnd();
    return {
      file,
      line: line + 1,
      column: column + 1,
      endColumn: column + 1 + Math.max(1, shown.length),
      sourceLine,
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
    found.push({
      code: loadCodes.character.code,
      severity: 'error',
      message: `${name} is not allowed in YAML`,
      location: places.locate(match.index, match.index + match[0].length),
      help: `remove it, or write it as "\\${code < 256 ? `x${hex(code, 2)}` : `u${hex(code, 4)}`}" inside double quotes`,
    });
    if (found.length === reportedCharactersMax) {
      break;
    }
  }
  return found;
}

const hex = (code: number, width: number): string => code.toString(16).padStart(width, '0');
