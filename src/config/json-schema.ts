import * as z from 'zod';
import { namedSchema, nameOfSchema } from '../kubernetes/api/object-schema.js';
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
  const { anyOf = [], ...rest } = z.toJSONSchema(z.union(documentKinds.map(({ schema }) => schema)), OPTIONS);
  return { title: 'Input documents of Weft', oneOf: [...anyOf, otherObject(), list()], ...rest };
}

/** An object that goes to the output unchanged. Misspelt names of kinds that Weft reads are excluded. */
function otherObject(): JsonSchema {
  const isElsewhereToo = ({ apiVersion, kind }: DocumentKind) =>
    COMMON_KINDS.includes(kind) && apiVersion.includes('/');
  const ownKinds = documentKinds.filter((one) => !isElsewhereToo(one)).map(({ kind }) => kind);
  const ownGroups = OWN_GROUPS.map((group) => group.replaceAll('.', '\\.'));
  return {
    description: 'An object of another kind. It goes to the output as it is.',
    type: 'object',
    properties: {
      apiVersion: {
        type: 'string',
        pattern: `^(?!(?:${ownGroups.join('|')})(?:/|$))`,
        description: 'Version of the API.',
      },
      kind: {
        type: 'string',
        pattern: `^(?!(?:${[...ownKinds, 'List', 'Secret', 'SecretList'].join('|')})$)`,
        description: 'Kind of the object.',
      },
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
