import * as z from 'zod';
import { canonicalJson, prettyJson } from '../../lib/json.js';
import { jsonError } from '../../load/json/error.js';
import type { PathStep } from '../../diagnostics/diagnostic.js';
import { placesInJson, type PlaceInJson } from '../../load/json/place.js';
import type { TextRange } from '../../load/yaml/scalar-place.js';
import { describeIssue, noSuchKey, type InText } from '../issues.js';

/** Where in JSON text unknown keys are left to the program that reads it; the path is that of the mapping. */
type IsOpen = (path: readonly PropertyKey[]) => boolean;

/**
 * A configuration that upstream takes as JSON in a string: here it may also be an object. Both are checked by the same
 * schema, but a string may have keys that upstream ignores, because an existing policy must compile unchanged. A string is
 * kept as it is written, so that the operator's hash of it stays the same. Empty text is no configuration
 * ({@link jsonConfig}), as upstream says of Multus (network-operator b06827e0, api/v1alpha1 `MultusSpec`).
 */
export function jsonTextOr<S extends z.ZodType>(schema: S, isOpen: IsOpen = () => true) {
  const text = z.string().superRefine((value, context) => {
    if (value === '') return;
    for (const problem of textProblems(value, schema, isOpen)) addProblem(context, problem);
  });
  openTexts.set(text, (value) => unknownKeys(value, schema, isOpen));
  return z.union([text, schema]);
}

/** By the schema of a text, how to find keys in it that are left to the program that reads it. */
export const openTexts = new WeakMap<z.ZodType, (text: string) => readonly TextProblem[]>();

function textProblems(text: string, schema: z.ZodType, isOpen: IsOpen): readonly TextProblem[] {
  const parsed = parseJson(text);
  if ('error' in parsed) return [notRead('is not valid JSON', parsed)];
  const data = parsed.value;
  const placeOf = placesInJson(text);
  const issues = schema.safeParse(data).error?.issues ?? [];
  return issues.flatMap((issue): TextProblem | readonly TextProblem[] => {
    if (issue.code === 'unrecognized_keys') return isOpen(issue.path) ? [] : keysOf(issue, { data, schema, placeOf });
    const { message, path, at } = describeIssue(issue, data);
    return { message: `: ${message}`, range: placeOf(path, at), inner: { issue, data, schema } };
  });
}

/** The keys that are left to the program that reads the text. */
function unknownKeys(text: string, schema: z.ZodType, isOpen: IsOpen): readonly TextProblem[] {
  const parsed = text === '' ? { error: text } : parseJson(text);
  if ('error' in parsed) return [];
  const data = parsed.value;
  const reading = { data, schema, placeOf: placesInJson(text) };
  const issues = schema.safeParse(data).error?.issues ?? [];
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && isOpen(issue.path) ? keysOf(issue, reading) : [],
  );
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

/** A problem of a text: its message, and other data about it. */
export interface TextProblem extends InText {
  readonly message: string;
}

/** Reports a problem of the text that is checked, with its place in the text, from which `validate` finds the place in the file. */
export function addProblem(context: z.RefinementCtx<string>, { message, ...inText }: TextProblem): void {
  context.addIssue({ code: 'custom', message, input: context.value, params: { inText } });
}

/** More than any program's configuration has; each value of a text may have an error. */
const VALUES_MAX = 20_000;

/** Deeper than any program's configuration, and shallow enough for functions that walk the data recursively. */
const DEPTH_MAX = 100;

/** Where text that may be JSON has more values, or deeper ones, than it may. Counts brackets and commas outside of text in quotes. */
function limitProblem(text: string): NotRead | undefined {
  // A value and what is before it are two characters.
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

/** Why a text is not read as JSON, and where; with `help` where it may be valid all the same. */
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

/** A configuration as it was given; `undefined` where there is none. */
export function jsonConfig<T>(value: T): T | undefined {
  return value === '' ? undefined : value;
}

/** A configuration as data, whichever way it was given. The text was checked when the document was read. */
export function jsonData(value: unknown): unknown {
  if (value === '') return undefined;
  return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
}

/** A configuration as text: a string as it was written, an object as canonical JSON. */
export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

/** JSON for a file that people review: an object over several lines. */
export function readableJson(value: unknown): string {
  return typeof value === 'string' ? value : prettyJson(value);
}
