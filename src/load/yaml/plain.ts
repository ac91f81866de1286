import { documentLengthMax, lexemesMax, nestingMax } from './parse.js';
import { advance, refuse, type PlainLine } from './plain-line.js';
import { placeOf, type PlainPlaces } from './plain-places.js';
import { readPlainKey, readPlainValue } from './plain-value.js';

/** What one text was found to hold, without anything to say about it. */
export interface TextDocuments {
  readonly text: string;
  /** Each with its place among the documents of the text. */
  readonly documents: readonly { readonly index: number; readonly value: unknown }[];
  /** What it takes of the budget. */
  readonly lexemes: number;
}

/** A document may begin with three dashes, and a comment behind them. */
const MARK = /---(?=[ \n]|$)( *)(#[^\n]*)?(\n|$)/y;

/**
 * Reads a document that is plainly written, as nearly all are: mappings and lists by indentation, keys and values on one
 * line, text below a `|`. It only saves time: what it reads is what the library would read without anything to say, and the
 * same count of lexemes. For all else, and whatever may be wrong, the answer is `undefined`: the library decides.
 *
 * @param text of one chunk, without characters that YAML forbids
 * @param places is told where things are; that takes a little longer
 */
export function readPlain(text: string, places?: PlainPlaces): TextDocuments | undefined {
  if (text.length > documentLengthMax || /[\r\t]/.test(text)) return undefined;
  const line: PlainLine = {
    text,
    start: 0,
    next: 0,
    indent: -1,
    inner: -1,
    key: undefined,
    value: undefined,
    gap: 0,
    lexemes: 0,
    isPlain: true,
    places,
  };
  const isMarked = text.startsWith('---');
  if (isMarked) skipMark(line);
  advance(line);
  if (line.inner !== -1) refuse(line);
  const isEmpty = line.indent === -1;
  // Without a mark the Lexer has a sign of its own for the begin of a document.
  if (!isEmpty && !isMarked) line.lexemes++;
  const documents = isEmpty ? [] : [{ index: 0, value: readMapping(line, line.indent, 1) }];
  // Whatever stands at a column where nothing can go on is left over.
  const isRead = line.isPlain && line.indent === -1 && line.lexemes <= lexemesMax;
  return isRead ? { text, documents, lexemes: line.lexemes } : undefined;
}

function skipMark(line: PlainLine): void {
  MARK.lastIndex = 0;
  const match = MARK.exec(line.text);
  if (match === null) return refuse(line);
  line.next = MARK.lastIndex;
  line.lexemes += 2;
  for (let group = 1; group <= 3; group++) if (match[group]) line.lexemes++;
}

/** The collection that begins with the line. */
function readBlock(line: PlainLine, depth: number): unknown {
  if (depth >= nestingMax) refuse(line);
  return line.inner === -1 ? readMapping(line, line.indent, depth) : readList(line, line.indent, depth);
}

/** The entries from the line on whose keys begin at a column; the first may stand behind a dash. */
function readMapping(line: PlainLine, column: number, depth: number): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  const places = line.places?.of(map);
  do {
    const key = line.key === undefined ? undefined : readPlainKey(line.key);
    // What every object inherits is refused as well, `__proto__` above all.
    if (key === undefined || key in map) {
      refuse(line);
      break;
    }
    places?.set(key, placeOf(line));
    map[key] = readEntry(line, column, depth);
  } while (line.indent === column && line.inner === -1);
  return map;
}

/** The value of a key. A list may begin at the column of its key. */
function readEntry(line: PlainLine, column: number, depth: number): unknown {
  if (line.value !== undefined) return readValue(line, column, depth);
  advance(line);
  const isBelow = line.indent > column || (line.indent === column && line.inner !== -1);
  return isBelow ? readBlock(line, depth + 1) : null;
}

function readList(line: PlainLine, column: number, depth: number): readonly unknown[] {
  const list: unknown[] = [];
  const places = line.places?.of(list);
  do {
    places?.set(String(list.length), line.key === undefined ? placeOf(line) : {});
    list.push(readItem(line, column, depth));
  } while (line.indent === column && line.inner !== -1);
  return list;
}

function readItem(line: PlainLine, column: number, depth: number): unknown {
  if (line.key !== undefined) return readMapping(line, line.inner, depth + 1);
  if (line.value !== undefined) return readValue(line, column, depth);
  advance(line);
  return line.indent > column ? readBlock(line, depth + 1) : null;
}

function readValue(line: PlainLine, column: number, depth: number): unknown {
  const written = line.value ?? '';
  if (written.startsWith('|')) return readLiteral(line, column, written === '|' ? '\n' : '');
  const read = readPlainValue(written, depth);
  if (read === undefined) return refuse(line);
  line.lexemes += read.lexemes;
  advance(line);
  return read.value;
}

/**
 * The text below a `|`: the lines that are indented as far as its first one, and empty ones between. Lines with spaces at their
 * end are the library's, because those of nothing but spaces are hard to tell.
 *
 * @param column of what holds the text
 * @param ending what the text ends with
 */
function readLiteral(line: PlainLine, column: number, ending: string): unknown {
  const { text } = line;
  const start = line.next;
  let indent = start;
  while (text.charCodeAt(indent) === SPACE) indent++;
  indent -= start;
  if (indent <= column) return refuse(line);
  const pad = ' '.repeat(indent);
  let end = start;
  for (let at = start; at < text.length;) {
    let behind = text.indexOf('\n', at);
    if (behind === -1) behind = text.length;
    if (behind > at) {
      if (text.charCodeAt(behind - 1) === SPACE) return refuse(line);
      if (!text.startsWith(pad, at)) break;
      end = behind;
    }
    at = behind + 1;
  }
  line.lexemes += 3;
  line.next = Math.min(end + 1, text.length);
  const content = text.slice(start + indent, end).replaceAll(`\n${pad}`, '\n') + ending;
  advance(line);
  return content;
}

const SPACE = 0x20;
