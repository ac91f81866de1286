import { diagnostic } from '../../../shared/diagnostics/codes.js';
import * as z from 'zod';
import type { Diagnostic, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { hasScalar, isObject, valueAt } from '../../../shared/lib/json.js';
import { describeIssue, formatPath, inTextOf, meantIssues } from '../../model/issues.js';
import { found } from '../../model/found.js';
import { createDiagnosticSink } from '../diagnostic-sink.js';
import { acceptedPart, type AcceptedPart } from './accepted-part.js';
import { isJsonText, misspeltKeys, inTextHint } from './in-text.js';
import { fieldsOf, unwrap } from './schema-walk.js';
import { meantHere, unknownKey } from './unknown-key.js';
import { valueHint } from './value-help.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';

/** A validated document with defaults; no value if it has errors. */
export interface Validated {
  readonly value?: unknown;
  /** What its schema accepts of a document with errors, if anything. */
  readonly part?: AcceptedPart | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks a document against the schema of its kind; each problem has its own diagnostic. */
export function validate(document: SourceDocument, schema: z.ZodType): Validated {
  const empty: EmptySection[] = [];
  const input = hasScalar(document.value, (value) => value === null)
    ? withoutNulls(schema, document.value, (section) => empty.push(section))
    : document.value;
  const sink = createDiagnosticSink();
  for (const section of empty) sink.report('warning', () => emptySection(document, section));
  const misspelt = hasScalar(document.value, isJsonText) ? misspeltKeys(document, schema) : [];
  for (const one of misspelt) sink.report('warning', () => one);
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data, diagnostics: sink.all };
  const issues = result.error.issues.flatMap((issue) => meantIssues(issue, input));
  const problems = issues.flatMap((issue) => problemsOf(issue, document, schema, input));
  const isOneMissing = problems.some(({ missing }) => missing !== undefined);
  const replaced = new Set(isOneMissing ? problems.flatMap(({ meant }) => meant?.() ?? []) : []);
  for (const { missing, diagnostic } of problems) {
    if (missing === undefined || !replaced.has(missing)) sink.report('error', diagnostic);
  }
  return { part: acceptedPart(schema, input), diagnostics: sink.all };
}

interface EmptySection {
  readonly path: readonly PathStep[];
  /** Whether the schema accepts an empty mapping. */
  readonly mayBeEmpty: boolean;
}

/**
 * The API server drops `null` before it fills in defaults (Kubernetes, "Defaulting and Nullable"). If the field is
 * required, `null` stays, so that an error can point at it. `onEmpty` is called for keys of sections without a value.
 */
function withoutNulls(
  schema: z.ZodType,
  value: unknown,
  onEmpty: (section: EmptySection) => void,
  path: readonly PathStep[] = [],
): unknown {
  if (Array.isArray(value)) {
    const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
    if (!element) return value;
    return value.map((inner, index) => withoutNulls(unwrap(element), inner, onEmpty, [...path, index]));
  }
  if (!isObject(value) || !(schema instanceof z.ZodObject)) return value;
  const fields = fieldsOf(schema);
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!field) return [[key, inner]];
    const known = unwrap(field);
    if (inner === null && known !== field) {
      const isSection = field instanceof z.ZodOptional && known instanceof z.ZodObject;
      if (isSection) onEmpty({ path: [...path, key], mayBeEmpty: known.safeParse({}).success });
      return [];
    }
    return [[key, withoutNulls(known, inner, onEmpty, [...path, key])]];
  });
  return Object.fromEntries(entries);
}

function emptySection(document: SourceDocument, { path, mayBeEmpty }: EmptySection): Diagnostic {
  const key = String(path.at(-1));
  return found('WEFT0144', {
    message: `\`${formatPath(path)}\` is empty and ignored`,
    origin: { document, path },
    at: 'key',
    help: mayBeEmpty
      ? `write \`${key}: {}\`, or remove the key; what belongs to it must be indented deeper`
      : 'give it its keys, indented deeper, or remove it',
  });
}

/** An error whose message is built when it is reported. */
interface Problem {
  readonly diagnostic: () => Diagnostic;
  /** The path of a required key that is missing. */
  readonly missing?: string;
  /** The path of the key that is probably meant by an unknown one. */
  readonly meant?: () => string | undefined;
}

function problemsOf(
  found: z.core.$ZodIssue,
  document: SourceDocument,
  schema: z.ZodType,
  input: unknown,
): readonly Problem[] {
  const path = found.path as readonly PathStep[];
  if (found.code !== 'unrecognized_keys') {
    const isMissing = valueAt(input, path) === undefined;
    const diagnostic = () => refused(found, document, schema, input);
    return [{ diagnostic, ...(isMissing && { missing: formatPath(path) }) }];
  }
  return found.keys.map((key) => ({
    diagnostic: () => unknownKey(document, path, key, schema),
    meant: () => {
      const meant = meantHere({ schema, parent: path, key });
      return meant && formatPath([...path, meant]);
    },
  }));
}

function refused(found: z.core.$ZodIssue, document: SourceDocument, schema: z.ZodType, input: unknown): Diagnostic {
  const text = describeIssue(found, input);
  const { path } = text;
  const value = valueAt(input, path);
  const inText = inTextOf(found);
  const location = document.locate(path, inText.range ?? text.at);
  const code = value === undefined ? 'WEFT0141' : isTypeIssue(found) ? 'WEFT0142' : 'WEFT0143';
  const hint = inText.inner || inText.help ? inTextHint(inText, document.file) : undefined;
  const { label, help } = hint ?? valueHint({ issue: found, value, location, schema, path });
  return diagnostic(code, {
    message: text.message,
    location,
    path,
    label,
    help,
  });
}

function isTypeIssue(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_union';
}
