import * as z from 'zod';
import { canonicalJson, prettyJson, withoutNulls } from '../../../shared/lib/json.js';
import { jsonError } from '../../load/json/error.js';
import type { PathStep, TextRange } from '../../../shared/diagnostics/diagnostic.js';
import { placesInJson, type PlaceInJson } from '../../load/json/place.js';
import { unusualIntegers } from '../../load/json/spelling.js';
import { describeIssue, formatPath, noSuchKey, type InText } from '../issues.js';
import { asGoReads, isIntAt } from './go-json.js';

/**
 * A configuration that upstream takes as JSON in a string: here it may also be an object. Both are checked by the same
 * schema, but a string may have keys that upstream ignores, keys in another case, and `null` for a key that is not there, because an existing policy must compile unchanged. A string is
 * kept as it is written, so that the operator's hash of it stays the same. Empty text is no configuration
 * ({@link jsonConfig}), as upstream says of Multus (network-operator b06827e0, api/v1alpha1 `MultusSpec`).
 */
export function jsonTextOr<S extends z.ZodType>(schema: S) {
  const text = z.string().superRefine((value, context) => {
    if (value === '') return;
    for (const problem of textProblems(value, schema)) addProblem(context, problem);
  });
  openTexts.set(text, (value) => unknownKeys(value, schema));
  return z.union([text, schema]);
}

/** By the schema of a text: finds the unknown keys that it may have. */
export const openTexts = new WeakMap<z.ZodType, (text: string) => readonly TextProblem[]>();

function textProblems(text: string, schema: z.ZodType): readonly TextProblem[] {
  const parsed = parseJson(text);
  if ('error' in parsed) return [notRead('is not valid JSON', parsed)];
  const data = asGoReads(withoutNulls(parsed.value), schema);
  const placeOf = placesInJson(text);
  const issues = schema.safeParse(data).error?.issues ?? [];
  const ofValues = issues.flatMap((issue): TextProblem | readonly TextProblem[] => {
    if (issue.code === 'unrecognized_keys') return [];
    const { message, path, at } = describeIssue(issue, data);
    return { message: `: ${message}`, range: placeOf(path, at), inner: { issue, data, schema } };
  });
  return [...ofValues, ...refusedNumbers(text, schema)];
}

/** Go reads no whole number that has a fraction or an exponent (`encoding/json`, decode.go `literalStore`). */
function refusedNumbers(text: string, schema: z.ZodType): readonly TextProblem[] {
  return unusualIntegers(text)
    .filter(({ path }) => isIntAt(schema, path))
    .map(({ path, token, value, range }) => ({
      message: `: \`${formatPath(path)}\` must be written without fraction and exponent: the program cannot read \`${token}\``,
      help: `write \`${value}\``,
      range,
    }));
}

/** The unknown keys that a text may have, as problems for those that look misspelt. */
function unknownKeys(text: string, schema: z.ZodType): readonly TextProblem[] {
  const parsed = text === '' ? { error: text } : parseJson(text);
  if ('error' in parsed) return [];
  const data = asGoReads(parsed.value, schema);
  const reading = { data, schema, placeOf: placesInJson(text) };
  const issues = schema.safeParse(data).error?.issues ?? [];
  return issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? keysOf(issue, reading) : []));
}

interface Reading {
  readonly data: unknown;
  readonly schema: z.ZodType;
  readonly placeOf: PlaceInJson;
}

function keysOf(issue: z.core.$ZodIssueUnrecognizedKeys, { data, schema, placeOf }: Reading): readonly TextProblem[] {
  const parent = issue.path as readonly PathStep[];
  return issue.keys.map((key) => ({
    message: `: ${noSuchKey(parent, key)}`,
    range: placeOf([...parent, key], 'key'),
    inner: { issue: { ...issue, keys: [key] }, data, schema },
  }));
}

/** A problem in a text: its message, and data about it. */
export interface TextProblem extends InText {
  readonly message: string;
}

/** Reports a problem in the text, with its place in the text, from which `validate` finds the place in the file. */
export function addProblem(context: z.RefinementCtx<string>, { message, ...inText }: TextProblem): void {
  context.addIssue({ code: 'custom', message, input: context.value, params: { inText } });
}

/** More values than any program's configuration has; each value of a text may have an error. */
const VALUES_MAX = 20_000;

/** Deeper than any program's configuration, and not too deep for recursive functions. */
const DEPTH_MAX = 100;

/**
 * The offset at which text that may be JSON exceeds a limit of values or depth. Counts brackets and commas outside of
 * quoted text.
 */
function limitProblem(text: string): NotRead | undefined {
  // A value and the separator before it have at least two characters.
  if (text.length <= DEPTH_MAX) return undefined;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character !== ',') continue;
    values += character === ',' || character === '{' || character === '[' ? 1 : 0;
    if (values > VALUES_MAX) return { error: `holds more than ${VALUES_MAX} values`, range: [0, 1], help: SHORTER };
    if (depth > DEPTH_MAX)
      return { error: `is nested more than ${DEPTH_MAX} levels deep`, range: [at, at + 1], help: SHORTER };
  }
  return undefined;
}

const SHORTER = 'keep only what the program needs that reads it';

/** The offset of the quotation mark that ends a text. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Why and where a text cannot be read as JSON; with `help` if it may still be valid. */
interface NotRead {
  readonly error: string;
  readonly range: TextRange;
  readonly help?: string;
}

/** @param fact the message where the text is not valid */
export function notRead(fact: string, { error, range, help }: NotRead): TextProblem {
  return { message: help === undefined ? `${fact}: ${error}` : error, range, help };
}

/** JSON text as data, or why it is not read. */
export function parseJson(text: string): { readonly value: unknown } | NotRead {
  const limit = limitProblem(text);
  if (limit !== undefined) return limit;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    const { message, offset } = jsonError(text) ?? { message: 'it cannot be read', offset: 0 };
    return { error: message, range: [offset, offset + 1] };
  }
}

/** A configuration in its input form; `undefined` if there is none. */
export function jsonConfig<T>(value: T): T | undefined {
  return value === '' ? undefined : value;
}

/**
 * A configuration as data, from either input form. The text was checked when the document was read.
 *
 * @param schema of the data: keys of a text become those of the schema; absent: they stay as they are written
 */
export function jsonData(value: unknown, schema?: z.ZodType): unknown {
  if (value === '') return undefined;
  if (typeof value !== 'string') return value;
  const data = JSON.parse(value) as unknown;
  return schema ? asGoReads(data, schema) : data;
}

/** A configuration as text: a string unchanged, an object as canonical JSON. */
export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

/** JSON on several lines, for files that are reviewed. */
export function readableJson(value: unknown): string {
  return typeof value === 'string' ? value : prettyJson(value);
}
