import * as z from 'zod';
import type { Diagnostic, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { askWhether } from '../../../shared/diagnostics/suggest.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import { found } from '../../model/found.js';
import { formatPath, type InText } from '../../model/issues.js';
import { openTexts, type TextProblem } from '../../model/shapes/json-text.js';
import { fieldsOf, unwrap } from './schema-walk.js';
import { keyElsewhere, keyHelp, meantHere } from './unknown-key.js';
import { valueHint } from './value-help.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';

type Hint = Pick<Diagnostic, 'label' | 'help'>;

/** Label and help for a problem in JSON text, the same as for a mapping. */
export function inTextHint({ help, inner }: InText, file: string): Hint {
  if (help !== undefined || inner === undefined) return help === undefined ? {} : { help };
  const { issue, data, schema } = inner;
  const path = issue.path as readonly PathStep[];
  if (issue.code !== 'unrecognized_keys') {
    return valueHint({ issue, value: valueAt(data, path), location: { file }, schema, path });
  }
  const meant = keyHelp({ schema, parent: path, key: issue.keys[0] ?? '', data });
  return meant === undefined ? {} : { help: meant };
}

/** Whether a value may be JSON text with keys. */
export const isJsonText = (value: unknown): boolean => typeof value === 'string' && value.includes('{');

/**
 * Finds misspelt keys in JSON text, and those that belong to another place of it. Other unknown keys are allowed, because the program
 * that reads the text ignores them and existing policies may have them.
 */
export function misspeltKeys(
  document: SourceDocument,
  schema: z.ZodType,
  value = document.value,
  path: readonly PathStep[] = [],
): readonly Diagnostic[] {
  if (typeof value === 'string') {
    return openText(schema)?.(value).flatMap((problem) => misspeltKey(document, path, problem) ?? []) ?? [];
  }
  if (!isObject(value)) return [];
  const fields = fieldsOf(unwrap(schema));
  return Object.entries(value).flatMap(([key, inner]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field ? misspeltKeys(document, field, inner, [...path, key]) : [];
  });
}

function openText(schema: z.ZodType) {
  const inner = unwrap(schema);
  const alternatives = inner instanceof z.ZodUnion ? (inner.options as readonly z.ZodType[]) : [];
  return alternatives.map((option) => openTexts.get(option)).find((known) => known !== undefined);
}

function misspeltKey(
  document: SourceDocument,
  path: readonly PathStep[],
  { message, range, inner }: TextProblem,
): Diagnostic | undefined {
  const [key = ''] = inner?.issue.code === 'unrecognized_keys' ? inner.issue.keys : [];
  const unknown = inner && { ...inner, parent: inner.issue.path as readonly PathStep[], key };
  const meant = unknown && (meantHere(unknown) ?? keyElsewhere(unknown));
  if (meant === undefined) return undefined;
  return found('WEFT0145', {
    message: `\`${formatPath(path)}\`${message}`,
    origin: { document, path },
    ...(range && { at: range }),
    help: askWhether(meant),
  });
}
