import type * as z from 'zod';
import type { PathStep, TextRange } from '../../shared/diagnostics/diagnostic.js';
import { valueAt } from '../../shared/lib/json.js';
import { counted } from '../../shared/lib/listed.js';

/** A validation issue in the configuration's own terms. */
interface IssueText {
  readonly path: readonly PathStep[];
  /** Whether the key itself is wrong, or its value. */
  readonly at: 'key' | 'value';
  readonly message: string;
  readonly label?: string;
  readonly help?: string;
}

type Issue = z.core.$ZodIssue;

/** A path as text: `spec.nodePools[0].labels["a/b"]`. */
export function formatPath(path: readonly PathStep[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

/**
 * The issues to report. For a union these are the issues of the alternative with the value's type: for an object in the
 * place of JSON text the issues of its fields are reported, and not that it must be a string. If no alternative has the
 * type, or there is no value, it is the issue of the union itself.
 */
export function meantIssues(issue: Issue, input: unknown): readonly Issue[] {
  if (issue.code !== 'invalid_union' || valueAt(input, issue.path as readonly PathStep[]) === undefined) return [issue];
  const fitting = issue.errors.find((issues) => issues.length > 0 && !issues.some(isWrongType));
  if (!fitting) return [issue];
  return fitting.flatMap((inner) => meantIssues({ ...inner, path: [...issue.path, ...inner.path] }, input));
}

function isWrongType({ code, path }: Issue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

/** The message for an issue of `input`. Unknown keys have their own diagnostics and are not handled here. */
export function describeIssue(issue: Issue, input: unknown): IssueText {
  const path = issue.path as readonly PathStep[];
  const name = nameOf(path);
  const value = valueAt(input, path);
  const about = (fact: string): IssueText => ({
    path,
    at: 'value',
    message: fact.startsWith(':') ? `${name}${fact}` : `${name} ${fact}`,
  });
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? missing(path, name) : about(`must be ${article(issue.expected)}`);
    case 'invalid_value':
      return value === undefined ? missing(path, name) : about(`must be ${oneOf(issue.values)}`);
    case 'too_small':
      return about(`must ${bound(issue.origin, 'at least', issue.minimum)}`);
    case 'too_big':
      return about(`must ${bound(issue.origin, 'at most', issue.maximum)}`);
    case 'unrecognized_keys':
      return about(`has unknown keys: ${issue.keys.map((key) => `\`${key}\``).join(', ')}`);
    case 'invalid_union': {
      const [meant = issue] = meantIssues(issue, input);
      if (meant !== issue) return describeIssue(meant, input);
      return value === undefined ? missing(path, name) : about(`must be ${typesOf(issue)}`);
    }
    case 'custom':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_element':
      return about(issue.message);
    case 'invalid_key': {
      const [inner] = issue.issues;
      return { ...(inner ? describeIssue({ ...inner, path: issue.path }, input) : about(issue.message)), at: 'key' };
    }
  }
}

const nameOf = (path: readonly PathStep[]): string => (path.length === 0 ? 'the document' : `\`${formatPath(path)}\``);

/** The message about a key that the schema of a mapping does not have. */
export function noSuchKey(parent: readonly PathStep[], key: string): string {
  return `${nameOf(parent)} has no key \`${key}\``;
}

/** Data of a problem in JSON text, in addition to its message (`addProblem`). */
export interface InText {
  /** The place of the problem in the text. */
  readonly range?: TextRange | undefined;
  /** The issue in the data of the text, and the schema of that data. */
  readonly inner?: { readonly issue: Issue; readonly data: unknown; readonly schema: z.ZodType } | undefined;
  readonly help?: string | undefined;
}

/** Empty if the problem is not in a text. */
export function inTextOf(issue: Issue): InText {
  return issue.code === 'custom' ? ((issue.params?.['inText'] as InText | undefined) ?? {}) : {};
}

function missing(path: readonly PathStep[], name: string): IssueText {
  return { path, at: 'value', message: `${name} is missing` };
}

/** The types of a union's alternatives. */
function typesOf({ errors }: Extract<Issue, { code: 'invalid_union' }>): string {
  const types = errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [article(inner.expected)] : []));
  return [...new Set(types)].join(' or ');
}

function article(type: string): string {
  switch (type) {
    case 'int':
      return 'a whole number';
    case 'object':
    case 'record':
      return 'a mapping';
    case 'array':
      return 'a list';
    case 'boolean':
      return '`true` or `false`';
    default:
      return `a ${type}`;
  }
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== '').map((value) => `\`${String(value)}\``);
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1) ?? ''}`;
}

function bound(origin: string, relation: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${relation} ${limit} characters`;
  if (origin === 'array') return `have ${relation} ${counted(Number(limit), 'entry', 'entries')}`;
  return `be ${relation} ${limit}`;
}
