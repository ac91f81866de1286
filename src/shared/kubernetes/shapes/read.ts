import type * as z from 'zod';
import { isObject, textAt, valueAt } from '../../lib/json.js';
import { apiGroup } from '../names.js';
import type { NamedObject } from '../listed-object.js';
import { SHAPES, type ApiOf, type ShapedKind } from './kinds.js';
import { objectSchema } from './meta.js';

type Path = readonly (string | number)[];

/** Gets a sentence about a field that is not as the API has it, each time that its object is read. */
export type OnMalformed = (message: string) => void;

/**
 * What is wrong with an object that a file has: its first field that is not as the API has it. Undefined if there is none, and for kinds of which
 * nothing is read.
 */
export function shapeProblem(object: Readonly<Record<string, unknown>>): string | undefined {
  const kind = shapedKind(object);
  const issue = kind && SHAPES[kind].schema.safeParse(object).error?.issues[0];
  return kind && issue && `${nameOf(kind, object)}: ${issueText(object, issue)}`;
}

/** Whether an object has the name of a kind that is read, and is of another API group, such as the Jobs of Volcano. Nobody checks its shape. */
export function isNamesake(object: Readonly<Record<string, unknown>>): boolean {
  const kind = shapedKind(object);
  const { apiVersion } = object;
  // Items of a list have no `apiVersion`.
  if (kind === undefined || apiVersion === undefined) return false;
  return typeof apiVersion !== 'string' || apiGroup(apiVersion) !== apiGroup(SHAPES[kind].apiVersion);
}

/** Whether fields of the object are read. */
export function isShaped(object: Readonly<Record<string, unknown>>): boolean {
  return shapedKind(object) !== undefined;
}

function shapedKind({ kind }: Readonly<Record<string, unknown>>): ShapedKind | undefined {
  return typeof kind === 'string' && Object.hasOwn(SHAPES, kind) ? (kind as ShapedKind) : undefined;
}

/**
 * An object of an API server, with all its fields, and with those of its shape alone. A field of a wrong type counts as absent, and so does a member
 * of a list that lacks a field.
 */
function readAs(
  schema: z.ZodType,
  kind: string,
  given: object,
  onMalformed: OnMalformed,
): { readonly whole: object; readonly fields: object } {
  let whole = given;
  for (;;) {
    const { data: fields, error } = schema.safeParse(whole);
    if (error === undefined) return { whole, fields: fields as object };
    for (const issue of error.issues)
      onMalformed(`${nameOf(kind, whole)}: ${issueText(whole, issue)}, and counts as absent`);
    whole = without(
      whole,
      error.issues.map(({ path }) => presentPath(whole, path as Path)),
    );
  }
}

/** A function of objects of an API server, from one of what is read of them. */
export function checking<Kind extends ShapedKind, Item>(
  kind: Kind,
  reduce: (object: ApiOf<Kind>) => Item,
  onMalformed: OnMalformed,
): (object: object) => Item {
  return (object) => reduce(readAs(SHAPES[kind].schema, kind, withoutNulls(object), onMalformed).whole as ApiOf<Kind>);
}

/**
 * An object of a live cluster, whose kind and API version are known; undefined for one without a name. Of a kind without a shape the
 * metadata are checked, as those of every object.
 *
 * @param isReduced whether it has the fields of its shape only
 */
export function liveObject(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  given: object,
  isReduced: boolean,
): NamedObject | undefined {
  const named = { ...given, kind };
  const isRead = isShaped(named) && !isNamesake({ ...named, apiVersion });
  const schema = isRead ? SHAPES[kind as ShapedKind].schema : objectSchema;
  // A null in a custom resource may mean something.
  const { metadata } = given as { readonly metadata?: unknown };
  const object = isRead || !isObject(metadata) ? withoutNulls(given) : { ...given, metadata: withoutNulls(metadata) };
  const { whole, fields } = readAs(schema, kind, object, () => undefined);
  if (textAt(fields, 'metadata', 'name') === undefined) return undefined;
  return { ...(isRead && isReduced ? fields : whole), apiVersion, kind } as NamedObject;
}

/** The API server reads a field that is null as one that is absent. The same value where no field is. */
export function withoutNulls<Value>(value: Value): Value {
  return hasNull(value) ? (kept(value) as Value) : value;
}

/** Few objects have one, and copying the others would take most of the time of reading them. */
function hasNull(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasNull);
  for (const field of Object.values(value)) if (field == null || hasNull(field)) return true;
  return false;
}

function kept(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(kept);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field == null ? [] : [[key, kept(field)]])),
  );
}

/** The path, or that of what lacks the field. */
function presentPath(object: object, path: Path): Path {
  return valueAt(object, path) === undefined ? path.slice(0, -1) : path;
}

/** The value without those at the paths. */
function without<Value>(value: Value, paths: readonly Path[]): Value {
  const removed = new Set(paths.map((path) => JSON.stringify(path)));
  const copy = (inner: unknown, path: Path): unknown => {
    const isKept = (step: string | number) => !removed.has(JSON.stringify([...path, step]));
    if (Array.isArray(inner)) {
      return inner.flatMap((one, index) => (isKept(index) ? [copy(one, [...path, index])] : []));
    }
    if (!isObject(inner)) return inner;
    const entries = Object.entries(inner).filter(([key]) => isKept(key));
    return Object.fromEntries(entries.map(([key, one]) => [key, copy(one, [...path, key])]));
  };
  return copy(value, []) as Value;
}

function nameOf(kind: string, object: object): string {
  const namespace = textAt(object, 'metadata', 'namespace');
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${textAt(object, 'metadata', 'name') ?? ''}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  int: 'whole number',
  boolean: 'boolean',
  array: 'list',
  object: 'mapping',
  record: 'mapping',
};

function issueText(object: object, issue: z.core.$ZodIssue): string {
  const path = issue.path as Path;
  const field = `\`${pathText(path)}\``;
  if (valueAt(object, path) === undefined) return `${field} is missing`;
  const type = issue.code === 'invalid_type' ? TYPES[issue.expected] : undefined;
  return type === undefined ? `${field} is not ${issue.message}` : `${field} is no ${type}`;
}

/** Keys of others have any length. */
const PATH_CHARACTERS_MAX = 300;

function pathText(path: Path): string {
  const text = path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
  return text.length > PATH_CHARACTERS_MAX ? `${text.slice(0, PATH_CHARACTERS_MAX)}…` : text;
}
