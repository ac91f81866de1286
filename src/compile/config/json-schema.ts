import * as z from 'zod';
import { namedSchema, nameOfSchema } from '../../shared/kubernetes/api/object-schema.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { customKinds } from './kinds/extra-object.js';
import { COMMON_KINDS, OWN_GROUPS } from './kinds/kind-of.js';
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
