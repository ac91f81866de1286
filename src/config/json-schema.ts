import * as z from 'zod';
import { COMMON_KINDS, OWN_GROUPS } from './kinds/kind-of.js';
import { documentKinds, type DocumentKind } from './kinds/kinds.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** JSON Schema (draft 2020-12) of a kind as it is written: what has a default may be left out. */
export function schemaOf({ schema }: DocumentKind): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
}

/** One schema for all input: an editor picks by `apiVersion` and `kind`. */
export function schemaOfAll(): JsonSchema {
  const options = [...documentKinds.map(schemaOf).map(withoutDialect), otherObject(), list()];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Input documents of Weft',
    oneOf: options,
  };
}

/** An object that goes to the output as it is. What Weft reads itself is none, however it is misspelt. */
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

/** Said once for all of them. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
