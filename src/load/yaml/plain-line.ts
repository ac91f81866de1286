import { lexemesMax } from './parse.js';
import type { PlainPlaces } from './plain-places.js';

/** Text on one line in double quotes, with no escapes but those that mean the same in JSON, or in single quotes. */
export const QUOTED = String.raw`"[^"\\\n]*(?:\\["\\/bfnrt][^"\\\n]*)*"|'[^'\n]*(?:''[^'\n]*)*'`;
/** Of the names that people give. Others are rare, and some are none: `<<`, `?`. */
export const PLAIN_KEY = String.raw`[\w./][\w./-]*`;

/** Text without quotes; inside brackets it may not hold the given characters either. */
export function plainPattern(excluded = ''): string {
  const inside = String.raw`[^\s:#${excluded}]`;
  const first = String.raw`(?:[^\s\-?:,[\]{}#&*!|>'"%@\x60]|-(?=${inside}))`;
  return `${first}${inside}*(?:(?: +|:+)${inside}+)*`;
}

const VALUE = String.raw`${QUOTED}|\|-?|[[{][^#\n]*[\]}]|${plainPattern()}`;

/**
 * Indentation, dash, key, colon, value, spaces, comment, line break; all but the first may be missing. No run of spaces may
 * be shared out among two of them: without `(?! )` a long run would be tried at each of its places.
 */
const LINE = new RegExp(
  String.raw`( *)(- +|-(?=\n|$))?(?! )(?:(${QUOTED}|${PLAIN_KEY})(: +|:(?=\n|$))(?! ))?` +
    String.raw`(?:(${VALUE})(?=[ \n]|$)( *))?(#[^\n]*)?(\n|$)`,
  'y',
);

/** YAML ends the search for the colon of a key after 1024 characters (YAML 1.2.2, 7.4.2), quotes included. */
const keyLengthMax = 1_000;

/** A text, and the line of it that is being read. */
export interface PlainLine {
  readonly text: string;
  /** Where the line begins, and the next one. */
  start: number;
  next: number;
  /** Columns before the first character, a dash included; -1 behind the last line. */
  indent: number;
  /** Columns before what stands behind a dash; -1 where there is none. */
  inner: number;
  /** As they are written. A line without a key has a dash. */
  key: string | undefined;
  value: string | undefined;
  /** Characters between them: the colon and spaces. */
  gap: number;
  /** Of the lines so far, as the library's Lexer would count them; whoever reads a value adds its own. */
  lexemes: number;
  /** False from the first thing on that the library must decide. */
  isPlain: boolean;
  /** Where things are, if somebody asks. */
  readonly places: PlainPlaces | undefined;
}

function end(line: PlainLine): void {
  line.next = line.text.length;
  line.indent = -1;
  line.inner = -1;
  line.key = undefined;
  line.value = undefined;
}

/** Leaves the text to the library: as if it ended here, so that whoever is reading stops. */
export function refuse(line: PlainLine): void {
  line.isPlain = false;
  end(line);
}

/** Goes on to the next line that is neither blank nor a comment. */
export function advance(line: PlainLine): void {
  const { text } = line;
  while (line.next < text.length) {
    LINE.lastIndex = line.next;
    const match = LINE.exec(text);
    if (match === null || line.lexemes > lexemesMax) return refuse(line);
    line.start = line.next;
    line.next = LINE.lastIndex;
    const indent = (match[1] as string).length;
    const dash = match[2];
    const key = match[3];
    const value = match[5];
    if (indent > 0) line.lexemes++;
    if (match[6]) line.lexemes++;
    if (match[7] !== undefined) line.lexemes++;
    if (match[8] !== '') line.lexemes++;
    if (dash !== undefined) line.lexemes += Math.min(dash.length, 2);
    if (key !== undefined) {
      if (key.length > keyLengthMax) return refuse(line);
      line.lexemes += isQuoted(key) ? 1 : 2;
      line.lexemes += Math.min((match[4] as string).length, 2);
    }
    if (dash === undefined && key === undefined) {
      // A value on a line of its own may go on with the next one.
      if (value !== undefined) return refuse(line);
      continue;
    }
    line.indent = indent;
    line.inner = dash === undefined ? -1 : indent + dash.length;
    line.key = key;
    line.value = value;
    line.gap = match[4]?.length ?? 0;
    return;
  }
  end(line);
}

const isQuoted = (text: string): boolean => text.startsWith('"') || text.startsWith("'");
