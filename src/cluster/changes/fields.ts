import { canonicalJson, isObject, parsedJson } from '../../shared/lib/json.js';
import { jsonProblem } from '../../compile/networks/cni/json-limits.js';
import { HIDDEN, isSecret, isSecretField, withoutSecrets } from './hide-secrets.js';
import { pairLists } from './lists.js';
import { pathText, type FieldStep } from './path.js';

/** One difference between two values. Paths are text, as `pathText` writes them; empty for the value itself. */
export type FieldChange =
  | { readonly kind: 'added'; readonly path: string; readonly to: unknown }
  | { readonly kind: 'removed'; readonly path: string; readonly from: unknown }
  | { readonly kind: 'changed'; readonly path: string; readonly from: unknown; readonly to: unknown }
  /** A list: the common members are in another order. */
  | { readonly kind: 'reordered'; readonly path: string }
  /** JSON in a string: the same data with another format. */
  | { readonly kind: 'reformatted'; readonly path: string };

/**
 * The differences between two values of JSON data, field by field. The order of keys is ignored; members of lists are
 * matched by `pairLists`; two strings with a JSON object or list are compared as data. What Secrets hold is hidden.
 */
export function fieldChanges(from: unknown, to: unknown): readonly FieldChange[] {
  return placedChanges(from, to).map(({ change }) => change);
}

/** A difference, and the steps to it. */
interface PlacedChange {
  readonly change: FieldChange;
  readonly steps: readonly FieldStep[];
}

/** The same, with their steps. */
export function placedChanges(from: unknown, to: unknown): readonly PlacedChange[] {
  const changes: PlacedChange[] = [];
  compare(from, to, [], (change, steps) =>
    changes.push({ change: withValues(change, (value) => withoutSecrets(value)), steps }),
  );
  return changes;
}

/** The change with other values. */
function withValues(change: FieldChange, of: (value: unknown) => unknown): FieldChange {
  switch (change.kind) {
    case 'added':
      return { ...change, to: of(change.to) };
    case 'removed':
      return { ...change, from: of(change.from) };
    case 'changed':
      return { ...change, from: of(change.from), to: of(change.to) };
    case 'reordered':
    case 'reformatted':
      return change;
  }
}

/** A change of what a Secret holds. */
function hidden(change: FieldChange): FieldChange {
  return { ...withValues(change, () => HIDDEN), path: change.path.replace(/<json>.*$/s, '') };
}

type Emit = (change: FieldChange, steps: Path) => void;
type Path = readonly FieldStep[];

function compare(from: unknown, to: unknown, path: Path, emit: Emit, isInSecret = false): void {
  if (from === to) return;
  if (Array.isArray(from) && Array.isArray(to)) {
    compareLists(from, to, path, emit);
  } else if (isObject(from) && isObject(to)) {
    compareMaps(from, to, path, emit, isInSecret || isSecret(from) || isSecret(to));
  } else if (typeof from === 'string' && typeof to === 'string') {
    compareTexts(from, to, path, emit);
  } else {
    emit({ kind: 'changed', path: pathText(path), from, to }, path);
  }
}

function compareMaps(
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
  path: Path,
  emit: Emit,
  isInSecret: boolean,
): void {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  for (const key of keys) {
    const inner: Path = [...path, { kind: 'key', key }];
    const report: Emit = isInSecret && isSecretField(key) ? (change, steps) => emit(hidden(change), steps) : emit;
    if (!Object.hasOwn(to, key)) report({ kind: 'removed', path: pathText(inner), from: from[key] }, inner);
    else if (!Object.hasOwn(from, key)) report({ kind: 'added', path: pathText(inner), to: to[key] }, inner);
    else compare(from[key], to[key], inner, report, isInSecret && key === 'metadata');
  }
}

function compareLists(from: readonly unknown[], to: readonly unknown[], path: Path, emit: Emit): void {
  const last = path.at(-1);
  const { pairs, isReordered } = pairLists(last?.kind === 'key' ? last.key : '', from, to);
  if (isReordered) emit({ kind: 'reordered', path: pathText(path) }, path);
  for (const pair of pairs) {
    const inner = [...path, pair.step];
    if (pair.from && pair.to) compare(pair.from.value, pair.to.value, inner, emit);
    else if (pair.from) emit({ kind: 'removed', path: pathText(inner), from: pair.from.value }, inner);
    else if (pair.to) emit({ kind: 'added', path: pathText(inner), to: pair.to.value }, inner);
  }
}

function compareTexts(from: string, to: string, path: Path, emit: Emit): void {
  const dataFrom = jsonData(from);
  const dataTo = dataFrom === undefined ? undefined : jsonData(to);
  if (dataFrom === undefined || dataTo === undefined || Array.isArray(dataFrom) !== Array.isArray(dataTo)) {
    emit({ kind: 'changed', path: pathText(path), from, to }, path);
  } else if (canonicalJson(dataFrom) === canonicalJson(dataTo)) {
    emit({ kind: 'reformatted', path: pathText(path) }, path);
  } else {
    compare(dataFrom, dataTo, [...path, { kind: 'json' }], emit);
  }
}

/** The JSON object or list in a text; `undefined` if JavaScript cannot represent it exactly. */
function jsonData(text: string): object | undefined {
  const data = /^\s*[[{]/.test(text) ? parsedJson(text) : undefined;
  return typeof data === 'object' && data !== null && jsonProblem(text) === undefined ? data : undefined;
}
