import * as z from 'zod';
import type { Diagnostic, Location, PathStep } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { isObject } from '../lib/json.js';
import { describeIssue, formatPath, meantIssues, valueAt } from './issues.js';
import type { SourceDocument } from './yaml.js';

/** A document as its schema gives it, defaults filled in; no value where it has errors. */
export interface Validated {
  readonly value?: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks a document against the schema of its kind; every problem is a diagnostic of its own. */
export function validate(document: SourceDocument, schema: z.ZodType): Validated {
  const input = withoutNulls(schema, document.value);
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data, diagnostics: [] };
  const issues = result.error.issues.flatMap((issue) => meantIssues(issue, input));
  return { diagnostics: issues.flatMap((issue) => toDiagnostics(issue, document, schema, input)) };
}

/**
 * The API server drops `null` before it fills in defaults (Kubernetes, "Defaulting and Nullable"). Where the field is required
 * it stays here, for an error that can point at it.
 */
function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  if (Array.isArray(value)) {
    const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
    return element ? value.map((inner) => withoutNulls(unwrap(element), inner)) : value;
  }
  if (!isObject(value) || !(schema instanceof z.ZodObject)) return value;
  const shape = schema.shape as Record<string, z.ZodType>;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!field) return [[key, inner]];
    if (inner === null && unwrap(field) !== field) return [];
    return [[key, withoutNulls(unwrap(field), inner)]];
  });
  return Object.fromEntries(entries);
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;
}

function toDiagnostics(
  found: z.core.$ZodIssue,
  document: SourceDocument,
  schema: z.ZodType,
  input: unknown,
): readonly Diagnostic[] {
  if (found.code === 'unrecognized_keys') {
    return found.keys.map((key) => unknownKey(document, found.path as readonly PathStep[], key, schema));
  }
  const text = describeIssue(found, input);
  const value = valueAt(input, text.path);
  const location = document.locate(text.path);
  const code = value === undefined ? 'WEFT0141' : isTypeIssue(found) ? 'WEFT0142' : 'WEFT0143';
  return [
    {
      code,
      severity: 'error',
      message: text.message,
      location,
      path: text.path,
      ...typeHint(found, value, location),
      ...valueHint(found, value),
    },
  ];
}

function isTypeIssue(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_union';
}

function unknownKey(document: SourceDocument, parent: readonly PathStep[], key: string, schema: z.ZodType): Diagnostic {
  const path = [...parent, key];
  const location = document.locate(path, 'key');
  const known = keysAt(schema, parent);
  const candidate = suggest(key, known);
  const where = parent.length === 0 ? 'the document' : `\`${formatPath(parent)}\``;
  return {
    code: 'WEFT0140',
    severity: 'error',
    message: `${where} has no key \`${key}\``,
    location,
    path,
    ...(candidate === undefined
      ? known.length === 0
        ? {}
        : { help: `known keys: ${known.map((name) => `\`${name}\``).join(', ')}` }
      : { help: `did you mean \`${candidate}\`?` }),
  };
}

/** The keys that the schema knows at a path. */
function keysAt(schema: z.ZodType, path: readonly PathStep[]): readonly string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) {
    return (inner.options as z.ZodType[]).flatMap((option) => keysAt(option, path));
  }
  const [step, ...rest] = path;
  if (step === undefined) return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  if (inner instanceof z.ZodArray) return keysAt(inner.element as z.ZodType, rest);
  if (inner instanceof z.ZodRecord) return keysAt(inner.valueType as z.ZodType, rest);
  if (!(inner instanceof z.ZodObject)) return [];
  const field = (inner.shape as Record<string, z.ZodType>)[step];
  return field ? keysAt(field, rest) : [];
}

/** YAML turns bare words into numbers and booleans; where text is wanted, the fix is a pair of quotes. */
function typeHint(issue: z.core.$ZodIssue, value: unknown, location: Location): Pick<Diagnostic, 'label' | 'help'> {
  if (issue.code !== 'invalid_type' || value === undefined) return {};
  // In a `cluster.ts` the place is that of the key, and nobody has read YAML.
  const isText = location.column !== undefined && !location.file.endsWith('.ts');
  const written = isText ? sourceText(location) : undefined;
  if (issue.expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    const label = `YAML reads this as the ${typeof value} ${String(value)}`;
    return { ...(isText ? { label } : {}), help: `write ${JSON.stringify(written ?? String(value))}` };
  }
  if (typeof value === 'string' && /^(?:number|int)$/.test(issue.expected) && /^-?\d+$/.test(value)) {
    return { label: 'this is text', help: `write ${value}, without quotes` };
  }
  return value === null ? { label: 'this is empty', help: 'give a value, or remove the key' } : {};
}

function sourceText({ sourceLine, column, endColumn }: Location): string | undefined {
  return sourceLine !== undefined && column !== undefined && endColumn !== undefined
    ? sourceLine.slice(column - 1, endColumn - 1)
    : undefined;
}

function valueHint(issue: z.core.$ZodIssue, value: unknown): Pick<Diagnostic, 'help'> {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return {};
  const candidate = suggest(value, issue.values.map(String));
  return candidate === undefined ? {} : { help: `did you mean \`${candidate}\`?` };
}
