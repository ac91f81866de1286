import { resolvePlain, scalarToJson, scalarToKey } from './scalars.js';
import { nestingMax } from './parse.js';
import { PLAIN_KEY, plainPattern, QUOTED } from './plain-line.js';

/** A value, and how many lexemes the library's Lexer makes of its text. */
export interface PlainValue {
  readonly value: unknown;
  readonly lexemes: number;
}

/** The text between quotes; undefined where there are none. */
function quotedText(written: string): string | undefined {
  switch (written.charAt(0)) {
    case '"':
      return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
    case "'":
      return written.includes("''") ? written.slice(1, -1).replaceAll("''", "'") : written.slice(1, -1);
    default:
      return undefined;
  }
}

/** What a key means; undefined where it is none. */
export function readPlainKey(written: string): string | undefined {
  const quoted = quotedText(written);
  if (quoted !== undefined) return quoted;
  const key = scalarToKey(resolvePlain(written));
  return key.ok ? key.value : undefined;
}

/**
 * A value on one line: text with or without quotes, a list or a mapping in brackets. Undefined: the library must say.
 *
 * @param depth how many collections are around it
 */
export function readPlainValue(written: string, depth: number): PlainValue | undefined {
  if (!written.startsWith('{') && !written.startsWith('[')) return readScalar(written);
  const flow: Flow = { text: written, at: 0, lexemes: 0 };
  const value = readFlow(flow, depth);
  return value === undefined || flow.at < written.length ? undefined : { value, lexemes: flow.lexemes };
}

function readScalar(written: string): PlainValue | undefined {
  const quoted = quotedText(written);
  if (quoted !== undefined) return { value: quoted, lexemes: 1 };
  const value = scalarToJson(resolvePlain(written));
  return value.ok ? { value: value.value, lexemes: 2 } : undefined;
}

/** Text of brackets, and how far it was read. */
interface Flow {
  readonly text: string;
  at: number;
  lexemes: number;
}

const FLOW_KEY = new RegExp(String.raw`(${QUOTED}|${PLAIN_KEY}(?=: )):( *)`, 'y');
const FLOW_SCALAR = new RegExp(String.raw`(${QUOTED}|${plainPattern('[\\]{},')})( *)`, 'y');
const FLOW_SIGN = /([[\]{},])( *)/y;

/** What the pattern finds next, without the spaces behind it. */
function take(flow: Flow, pattern: RegExp): string | undefined {
  pattern.lastIndex = flow.at;
  const match = pattern.exec(flow.text);
  if (match === null) return undefined;
  flow.at = pattern.lastIndex;
  if (match[2]) flow.lexemes++;
  return match[1];
}

function takeSign(flow: Flow): string | undefined {
  flow.lexemes++;
  return take(flow, FLOW_SIGN);
}

function readFlow(flow: Flow, depth: number): unknown {
  const written = take(flow, FLOW_SCALAR);
  if (written !== undefined) {
    const scalar = readScalar(written);
    flow.lexemes += scalar?.lexemes ?? 0;
    return scalar?.value;
  }
  if (depth >= nestingMax) return undefined;
  const sign = takeSign(flow);
  if (sign === '[') return readFlowList(flow, depth + 1);
  return sign === '{' ? readFlowMap(flow, depth + 1) : undefined;
}

function readFlowList(flow: Flow, depth: number): unknown {
  const list: unknown[] = [];
  if (flow.text.startsWith(']', flow.at)) {
    takeSign(flow);
    return list;
  }
  for (;;) {
    const value = readFlow(flow, depth);
    if (value === undefined) return undefined;
    list.push(value);
    const sign = takeSign(flow);
    if (sign === ']') return list;
    if (sign !== ',') return undefined;
  }
}

function readFlowMap(flow: Flow, depth: number): unknown {
  const map: Record<string, unknown> = {};
  if (flow.text.startsWith('}', flow.at)) {
    takeSign(flow);
    return map;
  }
  for (;;) {
    const written = take(flow, FLOW_KEY);
    const key = written === undefined ? undefined : readPlainKey(written);
    if (written === undefined || key === undefined || key in map) return undefined;
    flow.lexemes += /^["']/.test(written) ? 2 : 3;
    const value = readFlow(flow, depth);
    if (value === undefined) return undefined;
    map[key] = value;
    const sign = takeSign(flow);
    if (sign === '}') return map;
    if (sign !== ',') return undefined;
  }
}
