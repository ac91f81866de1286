import * as z from 'zod';
import { namedSchema, nameOfSchema } from '../../shared/kubernetes/api/object-schema.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { customKinds } from './kinds/extra-object.js';
import { COMMON_KINDS, OWN_GROUPS } from './kinds/kind-of.js';
import { CLUSTER_BASE } from '../model/cluster.js';
import { documentKinds, type DocumentKind } from './kinds/kinds.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;

const OPTIONS = {
  io: 'input',
  unrepresentable: 'any',
  // zod repeats a type of Kubernetes that has a check of its own.
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }) => {
    const name = nameOfSchema(zodSchema);
    if (name === undefined || zodSchema === namedSchema(name)) return;
    delete jsonSchema.type;
    delete jsonSchema.properties;
    delete jsonSchema.required;
    delete jsonSchema.additionalProperties;
    jsonSchema.$ref = `#/$defs/${name}`;
  },
} as const satisfies z.core.ToJSONSchemaParams;

/**
 * JSON Schema (draft 2020-12) of the input of a kind: fields with a default are optional. Types of Kubernetes are its
 * definitions.
 */
export function schemaOf({ schema }: DocumentKind): JsonSchema {
  return z.toJSONSchema(schema, OPTIONS);
}

/** One schema for all input: an editor picks by `apiVersion` and `kind`. */
export function schemaOfAll(): JsonSchema {
  return oneOfKinds('Input documents of Weft', [...documentKinds, ...customKinds()], [...otherObjects(), list()]);
}

/** One schema for kinds of one name: an editor picks by `apiVersion`. */
export function schemaOfEach(kinds: readonly DocumentKind[]): JsonSchema {
  const [first] = kinds;
  return first && kinds.length === 1 ? schemaOf(first) : oneOfKinds(first?.kind ?? '', kinds, []);
}

/**
 * The schema of documents that are merged with others: they need only what they are matched by, `null` removes a key, and `$patch: delete` a
 * document or an entry that is merged by its name. Entries of other lists are complete.
 */
export function partialSchema(schema: JsonSchema): JsonSchema {
  const { oneOf } = schema;
  return oneOf ? { ...schema, oneOf: oneOf.map((one) => partialDocument(one)) } : partialDocument(schema);
}

const REMOVES = { const: 'delete', description: 'Removes what is inherited.' } as const;

function partialDocument(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema;
  const { apiVersion, kind, metadata, spec, ...others } = properties as Readonly<Record<string, JsonSchema>>;
  // A List is no document that is merged.
  if (apiVersion === undefined || kind === undefined || metadata === undefined || 'items' in others) return schema;
  const isCluster = kind.const === 'Cluster';
  const partialSpec = spec && partialOf(spec, isCluster ? ['nodePools', 'upgrade.pools'] : []);
  const top = partialMap(others, []);
  return {
    ...schema,
    properties: {
      apiVersion,
      kind: isCluster ? { enum: ['Cluster', CLUSTER_BASE], description: 'Kind of the document.' } : kind,
      metadata,
      ...(partialSpec && { spec: isCluster ? withRequired(partialSpec) : partialSpec }),
      ...top,
      $patch: REMOVES,
    },
    required: required.filter((key) => ['apiVersion', 'kind', ...(isCluster ? [] : ['metadata'])].includes(key)),
  };
}

/** `required` of a ClusterBase. */
function withRequired(spec: JsonSchema): JsonSchema {
  const keys = Object.keys(spec.properties ?? {});
  const required = {
    type: 'array',
    items: { enum: keys, description: 'A key of `spec`.' },
    description: 'In a ClusterBase: keys of `spec` that each cluster must have.',
  } as const;
  return { ...spec, properties: { ...spec.properties, required } };
}

/** @param named lists whose entries are merged by name, as paths from here */
function partialOf(schema: JsonSchema, named: readonly string[]): JsonSchema {
  const { properties, items } = schema;
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !['required', 'properties', 'items'].includes(key)),
  );
  if (properties) return { ...rest, properties: partialMap(properties as Readonly<Record<string, JsonSchema>>, named) };
  if (!named.includes('') || typeof items !== 'object' || Array.isArray(items)) return schema;
  const entry = partialOf(items, []);
  return { ...rest, items: { ...entry, properties: { ...entry.properties, $patch: REMOVES }, required: ['name'] } };
}

function partialMap(
  properties: Readonly<Record<string, JsonSchema>>,
  named: readonly string[],
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const below = named.filter((path) => path.split('.')[0] === key).map((path) => path.slice(key.length + 1));
      const { description, ...rest } = partialOf(schema, below);
      return [key, { ...(description !== undefined && { description }), anyOf: [rest, { type: 'null' }] }];
    }),
  );
}

function oneOfKinds(title: string, kinds: readonly DocumentKind[], others: readonly JsonSchema[]): JsonSchema {
  const { anyOf = [], ...rest } = z.toJSONSchema(z.union(kinds.map(({ schema }) => schema)), OPTIONS);
  return { title, oneOf: [...anyOf, ...others], ...rest };
}

/** Objects that go to the output unchanged. Misspelt names of kinds that Weft reads are excluded. */
function otherObjects(): readonly JsonSchema[] {
  const isElsewhereToo = ({ apiVersion, kind }: DocumentKind) =>
    COMMON_KINDS.includes(kind) && apiVersion.includes('/');
  const ownKinds = documentKinds.filter((one) => !isElsewhereToo(one)).map(({ kind }) => kind);
  const refused = [...ownKinds, 'List', 'Secret', 'SecretList'];
  const checked = groupBy(customKinds(), ({ apiVersion }) => apiVersion);
  const groups = OWN_GROUPS.map(escaped).join('|');
  const elsewhere = `^(?!(?:${groups})(?:/|$))(?!(?:${[...checked.keys()].map(escaped).join('|')})$)`;
  return [
    otherObject({ type: 'string', pattern: elsewhere }, refused),
    ...[...checked].map(([apiVersion, kinds]) =>
      otherObject({ const: apiVersion }, [...refused, ...kinds.map(({ kind }) => kind)]),
    ),
  ];
}

const escaped = (text: string): string => text.replaceAll('.', '\\.');

/** @param kinds those that it is not */
function otherObject(apiVersion: JsonSchema, kinds: readonly string[]): JsonSchema {
  return {
    description: 'An object of another kind. It goes to the output as it is.',
    type: 'object',
    properties: {
      apiVersion: { ...apiVersion, description: 'Version of the API.' },
      kind: { type: 'string', pattern: `^(?!(?:${kinds.join('|')})$)`, description: 'Kind of the object.' },
      metadata: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Name.' } },
        required: ['name'],
        description: 'Metadata of the object.',
      },
    },
    required: ['apiVersion', 'kind', 'metadata'],
  };
}

/** A List, as `kubectl get -o yaml` prints several objects: each item is a document. */
function list(): JsonSchema {
  return {
    description: 'A list of documents, as kubectl prints them.',
    type: 'object',
    properties: {
      apiVersion: { type: 'string', description: 'Version of the API.' },
      kind: { const: 'List', description: 'Kind of the document.' },
      metadata: { type: 'object', description: 'Without meaning.' },
      items: { type: 'array', items: { $ref: '#' }, description: 'The documents.' },
    },
    required: ['kind', 'items'],
  };
}
