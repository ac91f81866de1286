import { isDeepStrictEqual } from 'node:util';
import { applyPatch, type Operation } from 'rfc6902';
import { documentLengthMax } from '../../load/yaml/limits.js';
import type { JsonOperation } from '../../model/patch.js';
import { askWhether, suggest } from '../../../shared/diagnostics/suggest.js';
import { isObject } from '../../../shared/lib/json.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { counted, listedNames } from '../../../shared/lib/listed.js';
import type { ObjectProblem } from './problems.js';

/** The patched object, and the operations of the JSON patch with the value that each writes. */
interface Applied {
  readonly patched: KubernetesObject;
  readonly written: JsonOperation[];
}

/** Applies a JSON patch (RFC 6902), or returns the first operation that cannot be applied. */
export function applyOperations(
  object: KubernetesObject,
  operations: readonly JsonOperation[],
): Applied | { readonly finding: ObjectProblem } {
  const patched = structuredClone(object);
  const written: JsonOperation[] = [];
  let characters = operations.some(({ op }) => op === 'copy') ? JSON.stringify(patched).length : 0;
  for (const [index, operation] of operations.entries()) {
    const finding = misfit(patched, operation, index);
    if (finding) return { finding };
    const { from } = operation;
    const value = from === undefined ? undefined : follow(patched, stepsOf(from)).value;
    // Each copy can double the object.
    if (operation.op === 'copy') characters += JSON.stringify(value).length;
    if (characters > documentLengthMax) return { finding: tooLong(index) };
    written.push(from === undefined ? operation : { ...operation, value });
    // The operations were checked before, so this does not throw.
    applyPatch(patched, [operation as Operation]);
  }
  return { patched, written };
}

function tooLong(index: number): ObjectProblem {
  const messageFor = (objects: string) => `makes ${objects} longer than ${documentLengthMax} characters`;
  return { code: 'WEFT0244', path: ['patch', index], messageFor };
}

/** The steps of a JSON pointer (RFC 6901). */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function misfit(object: unknown, operation: JsonOperation, index: number): ObjectProblem | undefined {
  const { op, path, from = '' } = operation;
  switch (op) {
    case 'remove':
    case 'replace':
      return missing(object, path, ['patch', index, 'path']);
    case 'test':
      return missing(object, path, ['patch', index, 'path']) ?? otherValue(object, operation, index);
    case 'move':
    case 'copy':
      return missing(object, from, ['patch', index, 'from']) ?? noRoom(object, operation, index);
    case 'add':
      return noRoom(object, operation, index);
  }
}

function missing(object: unknown, pointer: string, path: ObjectProblem['path']): ObjectProblem | undefined {
  const steps = stepsOf(pointer);
  const { found, value } = follow(object, steps);
  return found === steps.length ? undefined : nothingAt(pointer, steps, { found, value, path });
}

/** The place of a new value: a key of a mapping, an index of a list, or `-` for its end. */
function noRoom(
  object: unknown,
  { op, path: pointer, from = '' }: JsonOperation,
  index: number,
): ObjectProblem | undefined {
  const path = ['patch', index, 'path'];
  const steps = stepsOf(pointer);
  const parents = steps.slice(0, -1);
  const last = steps.at(-1) ?? '';
  const { found, value } = follow(object, parents);
  if (found < parents.length) return nothingAt(pointer, steps, { found, value, path });
  if (op === 'move' && pointer.startsWith(`${from}/`)) {
    return {
      code: 'WEFT0244',
      path,
      messageFor: (objects) => `does not fit ${objects}: \`${from}\` cannot go into itself`,
    };
  }
  const isPlace = Array.isArray(value)
    ? last === '-' || (isIndex(last) && Number(last) <= value.length)
    : isObject(value);
  return isPlace ? undefined : nothingAt(pointer, steps, { found, value, path });
}

function otherValue(
  object: unknown,
  { path: pointer, value: wanted }: JsonOperation,
  index: number,
): ObjectProblem | undefined {
  const { value } = follow(object, stepsOf(pointer));
  if (isDeepStrictEqual(value, wanted)) return undefined;
  const messageFor = (objects: string) =>
    `does not fit ${objects}: \`${pointer}\` is ${brief(value)}, not ${brief(wanted)}`;
  return { code: 'WEFT0244', path: ['patch', index, 'value'], messageFor };
}

const BRIEF = 60;

function brief(value: unknown): string {
  const text = JSON.stringify(value);
  return `\`${text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text}\``;
}

interface Followed {
  /** Number of steps that exist. */
  readonly found: number;
  /** The value at the last of them. */
  readonly value: unknown;
}

function follow(object: unknown, steps: readonly string[]): Followed {
  let value = object;
  for (const [found, step] of steps.entries()) {
    const next = Array.isArray(value)
      ? isIndex(step)
        ? (value[Number(step)] as unknown)
        : undefined
      : isObject(value) && Object.hasOwn(value, step)
        ? value[step]
        : undefined;
    if (next === undefined) return { found, value };
    value = next;
  }
  return { found: steps.length, value };
}

const isIndex = (step: string): boolean => /^(?:0|[1-9]\d*)$/.test(step);

function nothingAt(
  pointer: string,
  steps: readonly string[],
  { found, value, path }: Followed & Pick<ObjectProblem, 'path'>,
): ObjectProblem {
  const messageFor = (objects: string) => `does not fit ${objects}: there is nothing at \`${pointer}\``;
  const help = instead(steps, found, value);
  return { code: 'WEFT0244', path, messageFor, ...(help === undefined ? {} : { help }) };
}

const LISTED = 12;

function instead(steps: readonly string[], found: number, value: unknown): string | undefined {
  const above = pointerOf(steps.slice(0, found)) || '/';
  if (Array.isArray(value)) return `\`${above}\` has ${counted(value.length, 'entry', 'entries')}`;
  if (!isObject(value)) return `\`${above}\` is ${brief(value)}`;
  const keys = Object.keys(value);
  const candidate = suggest(steps[found] ?? '', keys);
  if (candidate === undefined) return `\`${above}\` has ${listedNames(keys, LISTED)}`;
  return askWhether(pointerOf([...steps.slice(0, found), candidate, ...steps.slice(found + 1)]));
}
