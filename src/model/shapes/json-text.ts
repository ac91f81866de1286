import * as z from 'zod';
import { canonicalJson, prettyJson } from '../../lib/json.js';
import { jsonError } from '../../lib/json-error.js';
import { describeIssue } from '../issues.js';
import { placesInJson } from '../../load/json-place.js';

/** Where in JSON text unknown keys are left to the program that reads it; the path is that of the mapping. */
export type IsOpen = (path: readonly PropertyKey[]) => boolean;

/**
 * A configuration that upstream takes as JSON in a string: here it may also be an object. Both are checked by the same
 * schema, but a string may have keys that upstream ignores, because an existing policy must compile unchanged. A string is
 * kept as it is written, so that the operator's hash of it stays the same. Empty text is no configuration
 * ({@link jsonConfig}), as upstream says of Multus (network-operator b06827e0, api/v1alpha1 `MultusSpec`).
 */
export function jsonTextOr<S extends z.ZodType>(schema: S, isOpen: IsOpen = () => true) {
  const text = z.string().superRefine((value, context) => {
    if (value === '') return;
    const parsed = parseJson(value);
    if ('error' in parsed) {
      addProblem(context, { message: `is not valid JSON: ${parsed.error}`, offset: parsed.offset });
      return;
    }
    const placeOf = placesInJson(value);
    for (const issue of schema.safeParse(parsed.value).error?.issues ?? []) {
      if (issue.code === 'unrecognized_keys' && isOpen(issue.path)) continue;
      const { message, path } = describeIssue(issue, parsed.value);
      addProblem(context, { message: `: ${message}`, offset: placeOf(path) });
    }
  });
  return z.union([text, schema]);
}

/** What is wrong with a text, and where in it, if that is known. */
export interface TextProblem {
  readonly message: string;
  readonly offset?: number | undefined;
}

/** Reports a problem of the text that is checked; the offset goes on to who looks for its place in the file. */
export function addProblem(context: z.RefinementCtx<string>, { message, offset }: TextProblem): void {
  const params = offset === undefined ? {} : { params: { offset } };
  context.addIssue({ code: 'custom', message, input: context.value, ...params });
}

/** JSON text as data, or why it is none, and where it is none. */
export function parseJson(
  text: string,
): { readonly value: unknown } | { readonly error: string; readonly offset: number } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    const { message, offset } = jsonError(text) ?? { message: 'it cannot be read', offset: 0 };
    return { error: message, offset };
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

/** The same for a file that people review: an object over several lines. */
export function readableJson(value: unknown): string {
  return typeof value === 'string' ? value : prettyJson(value);
}
