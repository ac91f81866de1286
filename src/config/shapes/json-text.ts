import * as z from 'zod';
import { canonicalJson, prettyJson } from '../../lib/json.js';
import { describeIssue } from '../issues.js';

/** Where in JSON text unknown keys are left to the program that reads it; the path is that of the mapping. */
export type IsOpen = (path: readonly PropertyKey[]) => boolean;

/**
 * A configuration that upstream takes as JSON in a string: here it may also be an object. Both are checked by the same
 * schema, but a string may have keys that upstream ignores, because an existing policy must compile unchanged. A string is
 * kept as it is written, so that the operator's hash of it stays the same.
 */
export function jsonTextOr<S extends z.ZodType>(schema: S, isOpen: IsOpen = () => true) {
  const text = z.string().superRefine((value, context) => {
    const parsed = parseJson(value);
    if ('error' in parsed) {
      context.addIssue({ code: 'custom', message: `is not valid JSON: ${parsed.error}`, input: value });
      return;
    }
    for (const issue of schema.safeParse(parsed.value).error?.issues ?? []) {
      if (issue.code === 'unrecognized_keys' && isOpen(issue.path)) continue;
      context.addIssue({ code: 'custom', message: `: ${describeIssue(issue, parsed.value).message}`, input: value });
    }
  });
  return z.union([text, schema]);
}

/** JSON text as data, or why it is none. */
export function parseJson(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** A configuration as data, whichever way it was given. The text was checked when the document was read. */
export function jsonData(value: unknown): unknown {
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
