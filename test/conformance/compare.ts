import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { Allowance, FieldPath, ObjectPattern } from './differences.js';
import type { RecordedCase, RecordedObject, Refusal } from './recorded.js';
import { crdNames, readCrd } from './recorded.js';
import type { Printed } from '../kit/run-weft.js';
import { takeGate, type GatedCase } from './gate.js';

export type Outcome = 'equal' | 'different' | 'laxer' | 'stricter' | 'unclear' | 'crash';

export interface Comparison {
  readonly name: string;
  readonly outcome: Outcome;
  /** The differences, a line for each field. */
  readonly details: readonly string[];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Absent, null, {} and [] mean the same to the API server, except that an `emptyDir` is an empty map. */
function normalized(value: unknown, key = ''): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.length > 0 ? value.map((inner) => normalized(inner)) : undefined;
  if (!isFields(value)) return value;
  const entries = Object.entries(value)
    .map(([name, inner]) => [name, normalized(inner, name)] as const)
    .filter(([, inner]) => inner !== undefined);
  return entries.length > 0 || key === 'emptyDir' ? Object.fromEntries(entries) : undefined;
}

function matches(object: RecordedObject, { kinds, name, label }: ObjectPattern): boolean {
  return (
    (kinds === undefined || kinds.includes(object.kind)) &&
    (name === undefined || name.test(object.metadata.name)) &&
    (label === undefined || object.metadata.labels?.[label[0]] === label[1])
  );
}

function fieldAt(object: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), object);
}

/** Calls `change` with each map that holds the last key of the path, and that key. */
function atPath(value: unknown, path: FieldPath, change: (holder: Fields, key: string) => void): void {
  const [first = '', ...rest] = path;
  if (!isFields(value)) return;
  const keys = first === '*' ? Object.keys(value) : [first];
  for (const key of keys) {
    if (rest.length > 0) atPath(value[key], rest, change);
    else change(value, key);
  }
}

function parsedText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return { json: JSON.parse(value) as unknown };
  } catch {
    return value;
  }
}

function allow(object: RecordedObject, allowance: Allowance): void {
  switch (allowance.kind) {
    case 'ignored': {
      const { path, keys, beside } = allowance;
      if (beside && fieldAt(object, beside) === undefined) return;
      return atPath(object, keys ? [...path, '*'] : path, (holder, key) => {
        if (!keys || keys.test(key)) Reflect.deleteProperty(holder, key);
      });
    }
    case 'default':
      return atPath(object, allowance.path, (holder, key) => (holder[key] ??= allowance.value));
    case 'json':
      return atPath(object, allowance.path, (holder, key) => {
        if (key in holder) holder[key] = parsedText(holder[key]);
      });
    case 'yaml':
      return atPath(object, allowance.path, (holder, key) => {
        if (typeof holder[key] === 'string') holder[key] = { yaml: parse(holder[key]) as unknown };
      });
    case 'extra':
    case 'given':
    case 'program-refuses':
    case 'webhook-refuses':
    case 'unknown-fields':
    case 'gate':
      return;
  }
}

/** The object without what the allowances leave out. */
function canonical(object: RecordedObject, allowances: readonly Allowance[]): RecordedObject {
  const copy = structuredClone(object);
  for (const allowance of allowances) {
    if ('objects' in allowance && matches(copy, allowance.objects)) allow(copy, allowance);
  }
  return normalized(copy) as RecordedObject;
}

/** The fields that differ, as `path: operator …  ours …`. */
export function fieldDifferences(expected: unknown, actual: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(expected, actual)) return [];
  if (isFields(expected) && isFields(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.flatMap((key) => fieldDifferences(expected[key], actual[key], `${path}.${key}`));
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((one, at) => fieldDifferences(one, actual[at], `${path}[${at}]`));
  }
  const shown = (value: unknown) => (value === undefined ? '(absent)' : JSON.stringify(value).slice(0, 160));
  return [`${path}: operator ${shown(expected)}  ours ${shown(actual)}`];
}

function identityOf({ apiVersion, kind, metadata }: RecordedObject): string {
  return [apiVersion, kind, metadata.namespace ?? '', metadata.name].join(' ');
}

const isCrd = ({ kind }: RecordedObject) => kind === 'CustomResourceDefinition';

/** Descriptions are our own; `description` may also be the name of a field. */
export function withoutDescriptions(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutDescriptions(inner));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isProperties || key !== 'description')
      .map(([key, inner]) => [key, withoutDescriptions(inner, !isProperties && key === 'properties')]),
  );
}

const recordedCrds = new Set(crdNames());

/** Checks that the output has the CRDs that the case needs, equal to the recorded ones except descriptions. */
function crdDifferences({ crds, release }: RecordedCase, ours: readonly RecordedObject[]): readonly string[] {
  const byName = new Map(ours.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
  return crds.flatMap((name) => {
    const crd = byName.get(name);
    if (!crd) return [`missing CRD: ${name}`];
    if (!recordedCrds.has(name)) return [`the CRD ${name} is not recorded`];
    const spec = normalized(withoutDescriptions(crd['spec']));
    return fieldDifferences(normalized(withoutDescriptions(readCrd(name, release).spec)), spec, `CRD ${name} .spec`);
  });
}

/** The differences of two lists of objects, a line for each field. */
export function objectDifferences(
  recorded: readonly RecordedObject[],
  ours: readonly RecordedObject[],
  allowances: readonly Allowance[],
): readonly string[] {
  const index = (list: readonly RecordedObject[]) =>
    new Map(list.map((object) => canonical(object, allowances)).map((object) => [identityOf(object), object]));
  const expected = index(recorded);
  const actual = index(ours);
  const unequal = [...expected].flatMap(([id, object]) => {
    const other = actual.get(id);
    if (!other) return [`missing: ${id}`];
    return fieldDifferences(object, other).map((line) => `${id} ${line}`);
  });
  const more = [...actual.keys()].filter((id) => !expected.has(id)).map((id) => `not the operator's: ${id}`);
  const shared = actual.size === ours.length ? [] : ['two objects share an identity'];
  return [...shared, ...unequal, ...more];
}

/** What our error messages lack: a position, or a word that the operator's error mentions. */
function lacks(errors: readonly Refusal[], stderr: string): readonly string[] {
  const text = stderr.toLowerCase();
  const lastKey = (path = '') => path.split(/[.[\]]/).filter((word) => word !== '' && !/^\d+$/.test(word));
  const unnamed = errors
    .map(({ mentions, path }) => mentions ?? lastKey(path).slice(-1))
    .filter((words) => words.length > 0 && !words.some((word) => text.includes(word.toLowerCase())))
    .map((words) => `stderr does not mention ${words.join(' or ')}`);
  return /\.ya?ml:\d+:\d+/.test(stderr) ? unnamed : ['no file:line:column on stderr', ...unnamed];
}

/** What the operator misses in an input without a release, and the release fills. */
function isFilledByRelease({ release, errors }: RecordedCase): boolean {
  return (
    release !== undefined &&
    errors.every(({ message }) => /Required value|\b(?:version|repository|image) is required/.test(message))
  );
}

/** Our objects that are compared with the operator's. */
function comparable(
  { files }: RecordedCase,
  items: readonly RecordedObject[],
  allowances: readonly Allowance[],
): readonly RecordedObject[] {
  const input = Object.values(files).join('\n---\n');
  const isGiven = (object: RecordedObject) =>
    new RegExp(`^kind: ${object.kind}$`, 'm').test(input) && input.includes(`name: ${object.metadata.name}`);
  const isLeftOut = (object: RecordedObject) =>
    allowances.some((allowance) => {
      if (allowance.kind === 'extra') return matches(object, allowance.objects);
      return allowance.kind === 'given' && matches(object, allowance.objects) && isGiven(object);
    });
  return items.filter((object) => !isLeftOut(object));
}

/**
 * Compares the output of the command for a case with that of the operator. With `gated` the objects are those that the
 * operator would create if it had our driver gate.
 */
export function compareCase(
  recorded: RecordedCase,
  printed: Printed,
  allowances: readonly Allowance[],
  gated?: GatedCase,
): Comparison {
  const { name, accepted, errors, unknownFields } = recorded;
  const { exit, stdout, stderr } = printed;
  const result = (outcome: Outcome, details: readonly string[]): Comparison => ({ name, outcome, details });
  if (exit !== 0 && exit !== 2) return result('crash', [`exit ${exit}`, stderr.slice(0, 600)]);
  if (!accepted && exit === 2) {
    const lacking = lacks(errors, stderr);
    return result(lacking.length > 0 ? 'unclear' : 'equal', lacking);
  }
  if (!accepted && isFilledByRelease(recorded)) return result('equal', []);
  const isAllowed = (allowed: 'program-refuses' | 'webhook-refuses', text: string) =>
    allowances.some((allowance) => allowance.kind === allowed && allowance.text.test(text));
  if (!accepted && errors.every(({ stage, message }) => stage === 'webhook' && isAllowed('webhook-refuses', message))) {
    return result('equal', []);
  }
  if (!accepted) {
    return result(
      'laxer',
      errors.map(({ stage, path = '', message }) => `${stage} ${path}: ${message.slice(0, 200)}`),
    );
  }
  if (exit === 2) {
    const isUnknown = unknownFields.length > 0 && allowances.some(({ kind }) => kind === 'unknown-fields');
    const isMeant = isUnknown || isAllowed('program-refuses', stderr);
    return result(isMeant ? 'equal' : 'stricter', [stderr.slice(0, 600)]);
  }
  const { items } = JSON.parse(stdout) as { readonly items: readonly RecordedObject[] };
  const ours = comparable(recorded, gated ? items.map(takeGate) : items, allowances);
  const details = [
    ...objectDifferences(gated?.objects ?? recorded.objects, ours, allowances),
    ...crdDifferences(recorded, items),
  ];
  return result(details.length > 0 ? 'different' : 'equal', details);
}
