import { formatPath } from '../../model/issues.js';
import type { JsonOperation, Patch } from '../../model/patch.js';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { didYouMean } from '../../../shared/diagnostics/suggest.js';
import { isObject } from '../../../shared/lib/json.js';
import { type FieldType, fieldType, kubernetesVersion } from '../../../shared/kubernetes/api/field-types.js';
import { inside, isDirective, misplacedDirectives, type Place, directiveProblems } from './directives.js';
import { stepsOf } from './json.js';
import type { ObjectProblem } from './problems.js';

/** Finds fields in a patch that the type of the object does not have, and values of the wrong type. */
export function* fieldProblems(type: FieldType, patch: Patch['patch']): Iterable<ObjectProblem> {
  if (!Array.isArray(patch)) {
    const place = { path: ['patch'], field: [] };
    yield* directiveProblems(patch, type, place);
    yield* valueProblems(patch, type, place);
    return;
  }
  for (const [index, operation] of patch.entries()) yield* operationProblems(operation, type, ['patch', index]);
}

function* valueProblems(value: unknown, type: FieldType, place: Place): Iterable<ObjectProblem> {
  // `null` removes a field.
  if (value === null) return;
  const expected = mismatch(value, type);
  if (expected !== undefined) {
    const messageFor = (objects: string) =>
      `does not fit ${objects}: \`${formatPath(place.field)}\` must be ${expected}`;
    yield { code: 'WEFT0244', path: place.path, messageFor };
  } else if (Array.isArray(value)) {
    if (type.is === 'list')
      for (const [index, inner] of value.entries()) {
        if (inner === null) yield nothing(inside(place, index));
        else yield* valueProblems(inner, type.of(), inside(place, index));
      }
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (isDirective(key, type)) continue;
      const known = fieldType(type, key);
      if (known === undefined) yield { ...unknownField(type, inside(place, key)), at: 'key' };
      else yield* valueProblems(inner, known, inside(place, key));
    }
  }
}

function nothing({ path, field }: Place): ObjectProblem {
  const messageFor = (objects: string) => `writes \`null\` into ${objects}: \`${formatPath(field)}\` must have a value`;
  return { code: 'WEFT0244', path, messageFor, help: 'leave the entry out; `op: remove` removes one' };
}

/** The first field that the type requires and the object lacks, because a patch took it away. */
export function lostField(value: unknown, type: FieldType, field: readonly PathStep[] = []): ObjectProblem | undefined {
  if (type.is === 'list' && Array.isArray(value))
    return firstOf(value.entries(), ([index, inner]) => lostField(inner, type.of(), [...field, index]));
  if (type.is !== 'mapping' || !isObject(value)) return undefined;
  const lost = type.required?.().find((key) => value[key] === undefined || value[key] === null);
  if (lost === undefined)
    return firstOf(Object.entries(type.fields()), ([key, inner]) => lostField(value[key], inner, [...field, key]));
  const messageFor = (objects: string) => `leaves ${objects} without \`${formatPath([...field, lost])}\``;
  return { code: 'WEFT0244', path: ['patch'], messageFor };
}

function firstOf<Item>(
  items: Iterable<Item>,
  find: (item: Item) => ObjectProblem | undefined,
): ObjectProblem | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

/** The expected type, as text. */
function mismatch(value: unknown, { is }: FieldType): string | undefined {
  switch (is) {
    case 'any':
      return undefined;
    case 'amount':
      return typeof value === 'number' || typeof value === 'string' ? undefined : 'a number or text';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : '`true` or `false`';
    case 'integer':
      return Number.isInteger(value) ? undefined : 'a whole number';
    case 'number':
      return typeof value === 'number' ? undefined : 'a number';
    case 'string':
      return typeof value === 'string' ? undefined : 'text';
    case 'list':
      return Array.isArray(value) ? undefined : 'a list';
    case 'map':
    case 'mapping':
      return isObject(value) ? undefined : 'a mapping';
  }
}

function unknownField(type: FieldType, { path, field }: Place): ObjectProblem {
  const messageFor = (objects: string) => `writes \`${formatPath(field)}\` into ${objects}: there is no such field`;
  const help =
    didYouMean(String(field.at(-1)), type.is === 'mapping' ? Object.keys(type.fields()) : []) ??
    `the fields are those of Kubernetes ${kubernetesVersion}; an older one has fewer, a newer one may have more`;
  return { code: 'WEFT0245', path, messageFor, help };
}

function* operationProblems(
  { op, path: pointer, value }: JsonOperation,
  root: FieldType,
  path: readonly PathStep[],
): Iterable<ObjectProblem> {
  if (op === 'remove' || op === 'test') return;
  let type = root;
  let field: readonly PathStep[] = [];
  for (const step of stepsOf(pointer)) {
    field = [...field, type.is === 'list' && /^\d+$/.test(step) ? Number(step) : step];
    const next = fieldType(type, step);
    if (next === undefined) {
      yield unknownField(type, { path: [...path, 'path'], field });
      return;
    }
    type = next;
  }
  // A value that is moved or copied is valid in the object, so only its new place can be wrong.
  const place = { path: [...path, op === 'move' || op === 'copy' ? 'path' : 'value'], field };
  if (value === null) {
    yield nothing(place);
    return;
  }
  yield* misplacedDirectives(value, type, place);
  yield* valueProblems(value, type, place);
}
