import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';

/** The keywords of an OpenAPI schema that can fail. */
export interface ObjectSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly additionalProperties?: ObjectSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: ObjectSchema;
  readonly oneOf?: readonly ObjectSchema[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-patch-merge-key'?: string;
  /** `merge`, `replace` or `retainKeys`, or several with commas between. */
  readonly 'x-kubernetes-patch-strategy'?: string;
}

/** The content of the file that `scripts/generate/kubernetes-schemas.ts` writes. */
export interface KubernetesSchemas {
  readonly source: { readonly project: string; readonly file: string; readonly version: string };
  /** Names of definitions, by `apiVersion kind`. */
  readonly kinds: Readonly<Record<string, string>>;
  /** Kinds whose definitions are left out, as `apiVersion kind`. */
  readonly otherKinds: readonly string[];
  /** Schemas of kinds of the Prometheus Operator, by `apiVersion kind`. */
  readonly custom: {
    readonly source: { readonly project: string; readonly version: string };
    readonly kinds: Readonly<Record<string, ObjectSchema>>;
  };
  readonly definitions: Readonly<Record<string, ObjectSchema>>;
}

const read = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(__dirname, ...path), 'utf8'));
const { kinds, custom, definitions } = read('kubernetes.json') as KubernetesSchemas;

const METADATA: ObjectSchema = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };

/** Kinds whose CRDs are not in this repository: the test checks only the fields that all objects have. */
const FOREIGN = ['cert-manager.io/v1 Issuer', 'cert-manager.io/v1 Certificate'];

interface CrdSpec {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { openAPIV3Schema: ObjectSchema } }[];
  };
}

/** Definitions of custom resources that the tests generate: CRDs of this repository, and those of the Prometheus Operator. */
const CUSTOM = new Map([
  ...Object.entries(custom.kinds).map(([name, schema]): [string, ObjectSchema] => [name, withCommonFields(schema)]),
  ...readdirSync(join(__dirname, '../../src/compile/crds'))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { spec } = (read('../../src/compile/crds', file) as { readonly crd: KubernetesObject })
        .crd as unknown as CrdSpec;
      return spec.versions.map(({ name: version, schema }): [string, ObjectSchema] => [
        `${spec.group}/${version} ${spec.names.kind}`,
        withCommonFields(schema.openAPIV3Schema),
      ]);
    }),
]);
const UPSTREAM_RULE = 'nfd.k8s-sigs.io/v1alpha1 NodeFeatureRule';
const OPENSHIFT_RULE = 'nfd.openshift.io/v1alpha1 NodeFeatureRule';

function withCommonFields(schema: ObjectSchema): ObjectSchema {
  const text = { type: 'string' };
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata: METADATA } };
}

function schemaOf(object: KubernetesObject): ObjectSchema | undefined {
  const name = `${object.apiVersion} ${object.kind}`;
  const definition = kinds[name];
  if (definition !== undefined) return { $ref: definition };
  return FOREIGN.includes(name)
    ? { properties: { metadata: METADATA }, additionalProperties: true }
    : CUSTOM.get(name === OPENSHIFT_RULE ? UPSTREAM_RULE : name);
}

/**
 * Why the API server would refuse an object by its schema, with strict field validation and server-side apply: fields that
 * no schema knows, values of another type or out of range, missing fields, lists with two entries of one key. Further
 * checks of its admission are not implemented.
 */
export function schemaProblems(object: KubernetesObject): readonly string[] {
  const name = `${object.kind} ${object.metadata.name}`;
  const schema = schemaOf(object);
  if (!schema) return [`${name}: there is no schema for ${object.apiVersion} ${object.kind}`];
  return problems(object, schema, '').map((problem) => `${name}${problem}`);
}

type Data = Readonly<Record<string, unknown>>;

function problems(value: unknown, schema: ObjectSchema, path: string): readonly string[] {
  if (schema.$ref !== undefined) return problems(value, definitionOf(schema.$ref), path);
  if (schema.oneOf) {
    const all = schema.oneOf.map((one) => problems(value, one, path));
    return all.some((found) => found.length === 0) ? [] : (all[0] ?? []);
  }
  if (!hasType(value, schema)) return [`${path} is no ${schema.type}: ${JSON.stringify(value)}`];
  if (Array.isArray(value)) return listProblems(value, schema, path);
  if (typeof value === 'object' && value !== null) return mappingProblems(value as Data, schema, path);
  return scalarProblems(value, schema).map((problem) => `${path} ${problem}: ${JSON.stringify(value)}`);
}

function definitionOf(name: string): ObjectSchema {
  const found = definitions[name];
  if (!found) throw new Error(`there is no definition ${name}`);
  return found;
}

function hasType(value: unknown, { type }: ObjectSchema): boolean {
  switch (type) {
    case undefined:
      return value !== null && value !== undefined;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number-or-string':
      return typeof value === 'string' || typeof value === 'number';
    default:
      return typeof value === type;
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Limits of the types that Go decodes into. */
const INTEGERS: Readonly<Record<string, readonly [minimum: number, maximum: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63 - 1024],
};

function scalarProblems(value: unknown, { enum: values, format = '', pattern }: ObjectSchema): readonly string[] {
  const [minimum, maximum] = INTEGERS[format] ?? [-Infinity, Infinity];
  const isOutside = typeof value === 'number' && (value < minimum || value > maximum);
  const isEncoded = format === 'byte';
  return [
    ...(isOutside ? [`is no ${format}`] : []),
    ...(isEncoded && !BASE64.test(String(value).replace(/[\r\n]/g, '')) ? ['is not Base64'] : []),
    ...(pattern !== undefined && !new RegExp(pattern).test(String(value)) ? [`does not fit ${pattern}`] : []),
    ...(values && !values.includes(value) ? [`is none of ${values.join(', ')}`] : []),
  ];
}

function mappingProblems(value: Data, schema: ObjectSchema, path: string): readonly string[] {
  const { properties, additionalProperties, required = [] } = schema;
  const isOpen = additionalProperties === true || (!properties && additionalProperties === undefined);
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const missing = required.filter((key) => !Object.hasOwn(value, key)).map((key) => `${path}.${key} is missing`);
  const found = Object.entries(value).flatMap(([key, inner]) => {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : rest;
    if (known) return problems(inner, known, `${path}.${key}`);
    return isOpen ? [] : [`${path}.${key} is unknown`];
  });
  return [...missing, ...found];
}

function listProblems(list: readonly unknown[], schema: ObjectSchema, path: string): readonly string[] {
  const { items } = schema;
  const found = items ? list.flatMap((one, index) => problems(one, items, `${path}[${index}]`)) : [];
  const keys = list.map((one) => keyOf(one, schema)).filter((key) => key !== undefined);
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  return [...found, ...[...new Set(twice)].map((key) => `${path} has ${key} twice`)];
}

/** The key of a list entry, if the list has keys: apply refuses two entries of one key. */
function keyOf(entry: unknown, schema: ObjectSchema): string | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return JSON.stringify(entry);
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || typeof entry !== 'object' || entry === null) return undefined;
  const fields = schema.items?.$ref === undefined ? schema.items : definitionOf(schema.items.$ref);
  return JSON.stringify(keys.map((key) => (entry as Data)[key] ?? fields?.properties?.[key]?.default ?? null));
}
