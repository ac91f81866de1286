import type { JsonValue } from '../../lib/json.js';
import { toYaml } from './yaml.js';

/** Objects of Kubernetes need about 20. What is deeper is left to a parser that says where. */
const NESTING_MAX = 100;

/**
 * Reads what `toYaml` wrote, ten times as fast as a parser of YAML; `undefined` where the text is anything else. It may
 * guess, because what it read counts only where `toYaml` writes the very same text for it.
 */
export function readOwnYaml(text: string): JsonValue | undefined {
  const cursor: Cursor = { lines: text.split('\n'), line: 0 };
  try {
    const value = readNode(cursor, 0, 0);
    return toYaml(value) === text ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Cursor {
  readonly lines: readonly string[];
  line: number;
}

/** The node that begins in a column of the current line; the cursor goes behind its last line. */
function readNode(cursor: Cursor, column: number, depth: number): JsonValue {
  if (depth > NESTING_MAX) throw new SyntaxError('nested too deep');
  const { lines, line } = cursor;
  const text = lines[line] ?? '';
  if (text.startsWith('- ', column)) return readList(cursor, column, depth);
  return keyEnd(text, column) === -1 ? readScalar(cursor, column, column) : readMap(cursor, column, depth);
}

function readList(cursor: Cursor, column: number, depth: number): JsonValue {
  const list: JsonValue[] = [];
  do list.push(readNode(cursor, column + 2, depth + 1));
  while (begins(cursor, column) && cursor.lines[cursor.line]?.startsWith('- ', column));
  return list;
}

function readMap(cursor: Cursor, column: number, depth: number): JsonValue {
  const map: Record<string, JsonValue> = {};
  do {
    const text = cursor.lines[cursor.line] ?? '';
    const end = keyEnd(text, column);
    if (end === -1) throw new SyntaxError('no key');
    const key = parseScalar(text.slice(column, end));
    // Assigning this one sets the prototype.
    if (typeof key !== 'string' || key === '__proto__') throw new SyntaxError('not a key');
    if (end + 1 < text.length) {
      map[key] = readScalar(cursor, end + 2, column + 2);
    } else {
      cursor.line += 1;
      map[key] = readNode(cursor, column + 2, depth + 1);
    }
  } while (begins(cursor, column));
  return map;
}

/** Whether the current line is indented to the column, no less and no more. */
function begins({ lines, line }: Cursor, column: number): boolean {
  const text = lines[line] ?? '';
  return text.length > column && text.search(/[^ ]/) === column;
}

/** Where the colon behind a key is; -1 where there is no key. */
function keyEnd(text: string, column: number): number {
  const quote = text[column];
  if (quote === "'" || quote === '"') {
    const end = quoteEnd(text, column, quote) + 1;
    return text[end] === ':' && (end + 1 === text.length || text[end + 1] === ' ') ? end : -1;
  }
  const colon = text.indexOf(': ', column);
  return colon === -1 && text.endsWith(':') ? text.length - 1 : colon;
}

/** The quote that ends the text which begins with one; where there is none, the end of the line. */
function quoteEnd(text: string, column: number, quote: string): number {
  // Piece by piece: one regular expression for texts of ten million characters overflows.
  const piece = quote === "'" ? /[^']*'('?)/y : /[^"\\]*(?:"|\\(.))/y;
  piece.lastIndex = column + 1;
  for (let found = piece.exec(text); found; found = piece.exec(text)) {
    if (!found[1]) return piece.lastIndex - 1;
  }
  return text.length;
}

/** A scalar or an empty collection; the lines of a literal block are indented to `inner`. */
function readScalar(cursor: Cursor, column: number, inner: number): JsonValue {
  const text = (cursor.lines[cursor.line] ?? '').slice(column);
  cursor.line += 1;
  if (text !== '|' && text !== '|-' && text !== '|+') return parseScalar(text);
  const pad = ' '.repeat(inner);
  const start = cursor.line;
  // The last of the lines is the empty one behind the line break at the end of the text.
  const isInside = (line: string) => line === '' || line.startsWith(pad);
  while (cursor.line < cursor.lines.length - 1 && isInside(cursor.lines[cursor.line] ?? '')) cursor.line += 1;
  const content = cursor.lines.slice(start, cursor.line).map((line) => line.slice(inner));
  return `${content.join('\n')}${text === '|-' ? '' : '\n'}`;
}

function parseScalar(text: string): JsonValue {
  switch (text) {
    case '[]':
      return [];
    case '{}':
      return {};
    case 'null':
      return null;
    case 'true':
    case 'false':
      return text === 'true';
  }
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (text.startsWith('"')) return JSON.parse(text) as JsonValue;
  const number = /^-?\d/.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : text;
}
