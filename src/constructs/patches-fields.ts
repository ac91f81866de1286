import { formatPath } from '../config/issues.js';
import type { JsonOperation, Patch } from '../config/kinds/patch.js';
import { crdKinds } from '../crds/catalog.js';
import type { CrdSchema } from '../crds/schema.js';
import type { PathStep } from '../diagnostics/diagnostic.js';
import { didYouMean } from '../diagnostics/suggest.js';
import { isObject } from '../lib/json.js';
import { type FieldType, kubernetesType, kubernetesVersion, objectMetadata } from '../lib/kubernetes-types.js';
import type { KubernetesObject } from '../lib/kubernetes.js';
import { DIRECTIVE } from '../lib/strategic-merge.js';
import { stepsOf } from './patches-json.js';
import type { Finding } from './patches-problems.js';

/** What a patch writes into an object that its type does not have, or that is of another type there. */
export function* strangeFields(object: KubernetesObject, { patch }: Patch): Iterable<Finding> {
  const type = typeOf(object);
  if (!Array.isArray(patch)) {
    yield* strangeValues(patch, type, { path: ['patch'], field: [] });
    return;
  }
  for (const [index, operation] of patch.entries()) yield* strangeOperation(operation, type, ['patch', index]);
}

/** Of kinds that nobody here knows, what all objects have. */
function typeOf({ apiVersion, kind }: KubernetesObject): FieldType {
  const builtIn = kubernetesType(apiVersion, kind);
  if (builtIn) return builtIn;
  const custom = crdKinds.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  const fields = custom ? custom.schema.properties : undefined;
  const own = Object.entries(fields ?? {}).map(([key, schema]) => [key, typeOfSchema(schema)] as const);
  const known = { ...Object.fromEntries(own), metadata: objectMetadata };
  return { is: 'mapping', fields: () => known, isOpen: custom === undefined };
}

function typeOfSchema(schema: CrdSchema): FieldType {
  const { type = 'any', properties, additionalProperties = {}, items = {} } = schema;
  if (schema['x-kubernetes-int-or-string']) return { is: 'amount' };
  if (type === 'array') return { is: 'list', of: () => typeOfSchema(items) };
  if (type !== 'object') return { is: type };
  if (!properties) return { is: 'map', of: () => typeOfSchema(additionalProperties) };
  const fields = () => Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, typeOfSchema(inner)]));
  return { is: 'mapping', fields };
}

interface Place {
  /** Below the patch. */
  readonly path: readonly PathStep[];
  /** In the object. */
  readonly field: readonly PathStep[];
}

const inside = ({ path, field }: Place, step: PathStep): Place => ({ path: [...path, step], field: [...field, step] });

function* strangeValues(value: unknown, type: FieldType, place: Place): Iterable<Finding> {
  // It takes a field away.
  if (value === null) return;
  const expected = mismatch(value, type);
  if (expected !== undefined) {
    const say = (objects: string) => `does not fit ${objects}: \`${formatPath(place.field)}\` must be ${expected}`;
    yield { code: 'WEFT0244', path: place.path, say };
  } else if (Array.isArray(value)) {
    if (type.is === 'list')
      for (const [index, inner] of value.entries()) yield* strangeValues(inner, type.of(), inside(place, index));
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === DIRECTIVE) continue;
      const known = innerType(type, key);
      if (known === undefined) yield { ...unknownField(type, inside(place, key)), at: 'key' };
      else yield* strangeValues(inner, known, inside(place, key));
    }
  }
}

/** What the value should have been, in words. */
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

/** The type of a field, or of an entry of a list; `undefined` where there is no such field. */
function innerType(type: FieldType, key: string): FieldType | undefined {
  switch (type.is) {
    case 'mapping': {
      const fields = type.fields();
      return Object.hasOwn(fields, key) ? fields[key] : type.isOpen ? { is: 'any' } : undefined;
    }
    case 'map':
      return type.of();
    case 'list':
      return /^(?:-|\d+)$/.test(key) ? type.of() : undefined;
    case 'any':
      return type;
    case 'amount':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'string':
      return undefined;
  }
}

function unknownField(type: FieldType, { path, field }: Place): Finding {
  const say = (objects: string) => `writes \`${formatPath(field)}\` into ${objects}: there is no such field`;
  const help =
    didYouMean(String(field.at(-1)), type.is === 'mapping' ? Object.keys(type.fields()) : []) ??
    `the fields are those of Kubernetes ${kubernetesVersion}; an older one has fewer, a newer one may have more`;
  return { code: 'WEFT0245', path, say, help };
}

function* strangeOperation(
  { op, path: pointer, value }: JsonOperation,
  root: FieldType,
  path: readonly PathStep[],
): Iterable<Finding> {
  if (op === 'remove' || op === 'test') return;
  let type = root;
  let field: readonly PathStep[] = [];
  for (const step of stepsOf(pointer)) {
    field = [...field, type.is === 'list' && /^\d+$/.test(step) ? Number(step) : step];
    const next = innerType(type, step);
    if (next === undefined) {
      yield unknownField(type, { path: [...path, 'path'], field });
      return;
    }
    type = next;
  }
  if (op === 'add' || op === 'replace') yield* strangeValues(value, type, { path: [...path, 'value'], field });
}
