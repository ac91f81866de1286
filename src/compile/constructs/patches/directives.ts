import { formatPath } from '../../model/issues.js';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { didYouMean } from '../../../shared/diagnostics/suggest.js';
import { isObject } from '../../../shared/lib/json.js';
import { type FieldType, fieldType } from '../../../shared/kubernetes/api/field-types.js';
import { DIRECTIVE, hasDirective } from '../../../shared/kubernetes/api/strategic-merge.js';
import type { ObjectProblem } from './problems.js';

/** The place of a value. */
export interface Place {
  /** Below the patch. */
  readonly path: readonly PathStep[];
  /** In the object. */
  readonly field: readonly PathStep[];
}

/** The place one step deeper. */
export const inside = ({ path, field }: Place, step: PathStep): Place => ({
  path: [...path, step],
  field: [...field, step],
});

/**
 * Directives that kubectl computes and that are not allowed here (k8s.io/apimachinery v0.36.3,
 * pkg/util/strategicpatch/patch.go), and what to write instead.
 */
const REFUSED: readonly { readonly pattern: RegExp; readonly help: (list: string) => string }[] = [
  { pattern: /^\$retainKeys$/, help: () => 'write `null` behind each key that must go' },
  {
    pattern: /^\$setElementOrder\//,
    help: (list) =>
      `leave it out: entries keep their order and new ones come last; a JSON patch puts one first: \`op: add\`, \`path: /${list}/0\``,
  },
  {
    pattern: /^\$deleteFromPrimitiveList\//,
    help: (list) => `write a JSON patch: \`op: remove\`, \`path: /${list}/0\``,
  },
];

/** Whether a key is a merge directive and not a field. */
export function isDirective(key: string, type: FieldType): boolean {
  if (key === DIRECTIVE || REFUSED.some(({ pattern }) => pattern.test(key))) return true;
  return key.startsWith('$') && fieldType(type, key) === undefined;
}

/** Directives of a merge patch that cannot be applied. */
export function* directiveProblems(value: unknown, type: FieldType, place: Place): Iterable<ObjectProblem> {
  if (Array.isArray(value)) {
    const of = type.is === 'list' ? type.of() : type;
    for (const [index, entry] of value.entries()) {
      yield* entryProblems(entry, type, inside(place, index));
      yield* directiveProblems(entry, of, inside(place, index));
    }
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const there = inside(place, key);
      if (key === DIRECTIVE) yield* directiveValueProblems(inner, there);
      else if (isDirective(key, type)) yield refused(key, there);
      else yield* directiveProblems(inner, fieldType(type, key) ?? { is: 'any' }, there);
    }
  }
}

/** Directives in the value of an operation, which would be written unchanged. */
export function* misplacedDirectives(value: unknown, type: FieldType, place: Place): Iterable<ObjectProblem> {
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const there = inside(place, Array.isArray(value) ? Number(key) : key);
    if (isDirective(key, type)) {
      const help = 'only a merge patch has directives: leave it out, or take `op: remove` or `op: replace`';
      yield { code: 'WEFT0278', path: there.path, at: 'key', messageFor: cannotHave(there), help };
    } else yield* misplacedDirectives(inner, fieldType(type, key) ?? { is: 'any' }, there);
  }
}

const cannotHave =
  ({ field }: Place) =>
  (objects: string) =>
    `has a directive for ${objects} that it cannot have: \`${formatPath(field)}\``;

function refused(key: string, place: Place): ObjectProblem {
  const list = [...place.field.slice(0, -1), key.replace(/^.*?\//, '')].join('/');
  const help =
    REFUSED.find(({ pattern }) => pattern.test(key))?.help(list) ??
    didYouMean(key, [DIRECTIVE]) ??
    'the directives are `$patch: delete` and `$patch: replace`';
  return { code: 'WEFT0278', path: place.path, at: 'key', messageFor: cannotHave(place), help };
}

function* directiveValueProblems(choice: unknown, place: Place): Iterable<ObjectProblem> {
  if (choice !== 'delete' && choice !== 'replace') {
    const messageFor = () => `has a \`${DIRECTIVE}\` that is neither \`delete\` nor \`replace\``;
    yield { code: 'WEFT0278', path: place.path, messageFor };
  } else if (place.field.length === 1) {
    const messageFor = (objects: string) => `has \`${DIRECTIVE}: ${choice}\` for the whole of ${objects}`;
    const help = 'write it into the part that it is about; objects as a whole come from the policies';
    yield { code: 'WEFT0278', path: place.path, messageFor, help };
  }
}

/** An entry of a list that is merged must have the merge key; an entry of a list that is replaced cannot be removed. */
function* entryProblems(entry: unknown, type: FieldType, place: Place): Iterable<ObjectProblem> {
  const merge = type.is === 'list' ? type.merge : undefined;
  const list = `\`${formatPath(place.field.slice(0, -1))}\``;
  if (hasDirective(entry, 'replace')) {
    if (Object.keys(entry).length === 1) return;
    const messageFor = (objects: string) => `has \`${DIRECTIVE}: replace\` in an entry of ${list} of ${objects}`;
    const help = `it replaces the list, and must be an entry of its own: \`- ${DIRECTIVE}: replace\``;
    yield { code: 'WEFT0278', path: [...place.path, DIRECTIVE], messageFor, help };
  } else if (merge?.key === undefined) {
    if (!hasDirective(entry, 'delete')) return;
    const messageFor = (objects: string) =>
      `removes an entry of ${list} from ${objects}: the list is replaced as a whole`;
    const help = 'list the entries that are to stay, or write a JSON patch with `op: remove`';
    yield { code: 'WEFT0278', path: [...place.path, DIRECTIVE], messageFor, help };
  } else if (isObject(entry) && (entry[merge.key] ?? null) === null) {
    const messageFor = (objects: string) => `has an entry without \`${merge.key}\` for ${list} of ${objects}`;
    const help = `the list is merged by \`${merge.key}\`; \`- ${DIRECTIVE}: replace\` as another entry replaces it as a whole`;
    yield { code: 'WEFT0244', path: place.path, messageFor, help };
  }
}
