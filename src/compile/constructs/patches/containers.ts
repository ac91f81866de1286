import type { Patch } from '../../model/patch.js';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { askWhether, didYouMean, suggest } from '../../../shared/diagnostics/suggest.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { listedNames } from '../../../shared/lib/listed.js';
import { DIRECTIVE } from '../../../shared/kubernetes/api/strategic-merge.js';
import type { ObjectProblem } from './problems.js';

/** A container in an object or in a patch. */
export interface Container {
  readonly list: readonly PathStep[];
  readonly index: number;
  /** Empty if it has none. */
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

const LISTS = ['containers', 'initContainers'];

/** Maximum number of containers in a help text. */
const LISTED = 10;

/** The containers of all pod specs in a value. */
function containersIn(value: unknown, path: readonly PathStep[] = []): readonly Container[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (isObject(inner)) return containersIn(inner, [...path, key]);
    if (!LISTS.includes(key) || !Array.isArray(inner)) return [];
    const list = [...path, key];
    return inner.flatMap((entry: unknown, index) =>
      isObject(entry) ? [{ list, index, name: nameOf(entry), entry }] : [],
    );
  });
}

/** The containers in a merge patch. The containers of a JSON patch are found in the patched object. */
export function writtenContainers(patch: Patch['patch']): readonly Container[] {
  return Array.isArray(patch) ? [] : containersIn(patch);
}

function nameOf({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' ? name : '';
}

/**
 * Containers that a patch adds, but that probably mean an existing one: they have no image, or almost the name of
 * another container.
 *
 * @param written {@link writtenContainers} of the patch
 */
export function* containerProblems(
  object: KubernetesObject,
  patched: KubernetesObject,
  patch: Patch['patch'],
  written: readonly Container[],
): Iterable<ObjectProblem> {
  // A merge patch adds only containers that it contains.
  if (!Array.isArray(patch) && written.length === 0) return;
  for (const one of containersIn(patched)) {
    const before = namesIn(object, one.list);
    if (before.includes(one.name)) continue;
    const place = written.find(({ list, name }) => name === one.name && sameList(list, one.list));
    const path = place ? ['patch', ...place.list, place.index, ...(place.name === '' ? [] : ['name'])] : ['patch'];
    if (one.name === '' || typeof one.entry['image'] !== 'string') {
      yield incomplete(one, path, before);
      continue;
    }
    const candidate = suggest(one.name, before);
    // A JSON patch adds containers explicitly, by the operation `add`.
    if (place && candidate !== undefined && namesIn(patched, one.list).includes(candidate)) {
      yield {
        code: 'WEFT0246',
        path,
        messageFor: (objects) => `adds a container \`${one.name}\` to ${objects}, which has \`${candidate}\``,
        help: askWhether(candidate),
      };
    }
  }
  yield* removals(object, written);
}

function incomplete({ name }: Container, path: readonly PathStep[], before: readonly string[]): ObjectProblem {
  const what = name === '' ? 'without a name' : `\`${name}\` without an image`;
  const messageFor = (objects: string) => `adds a container ${what} to ${objects}`;
  return { code: 'WEFT0244', path, messageFor, help: meantContainer(name, before) };
}

function meantContainer(name: string, there: readonly string[]): string {
  return didYouMean(name, there) ?? `containers that are there: ${listedNames(there, LISTED) || 'none'}`;
}

/** Containers that a patch removes and that do not exist. */
function* removals(object: KubernetesObject, written: readonly Container[]): Iterable<ObjectProblem> {
  for (const { list, index, name, entry } of written) {
    const before = namesIn(object, list);
    if (entry[DIRECTIVE] !== 'delete' || before.includes(name)) continue;
    yield {
      code: 'WEFT0244',
      path: ['patch', ...list, index, 'name'],
      messageFor: (objects) => `removes a container \`${name}\` that is not there from ${objects}`,
      help: meantContainer(name, before),
    };
  }
}

function namesIn(object: KubernetesObject, list: readonly PathStep[]): readonly string[] {
  const found = valueAt(object, list);
  return Array.isArray(found) ? found.flatMap((entry) => (isObject(entry) ? [nameOf(entry)] : [])) : [];
}

function sameList(a: readonly PathStep[], b: readonly PathStep[]): boolean {
  return a.join('\n') === b.join('\n');
}
