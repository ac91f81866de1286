import * as z from 'zod';
import { namedSchema, nameOfSchema } from '../kubernetes/object-schema.js';
import { compareText } from '../lib/json.js';
import { COMMON_KINDS, OWN_GROUPS } from './kinds/kind-of.js';
import { documentKinds, type DocumentKind } from './kinds/kinds.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** JSON Schema (draft 2020-12) of a kind as it is written: what has a default may be left out. */
export function schemaOf(kind: DocumentKind): JsonSchema {
  const types = new Set<string>();
  const schema = schemaWith(kind, types);
  return types.size === 0 ? schema : { ...schema, $defs: definitionsOf(types) };
}

const OPTIONS = { io: 'input', unrepresentable: 'any', reused: 'inline' } as const;

/** @param types gets the names of the types of Kubernetes that the schema refers to */
function schemaWith({ schema }: DocumentKind, types: Set<string>): JsonSchema {
  return z.toJSONSchema(schema, {
    ...OPTIONS,
    override: ({ zodSchema, jsonSchema }) => {
      const name = nameOfSchema(zodSchema);
      if (name === undefined) return;
      delete jsonSchema.type;
      delete jsonSchema.properties;
      delete jsonSchema.required;
      delete jsonSchema.additionalProperties;
      jsonSchema.$ref = `#/$defs/${name}`;
      types.add(name);
    },
  });
}

function definitionsOf(types: ReadonlySet<string>): Record<string, JsonSchema> {
  const names = [...types].sort(compareText);
  return Object.fromEntries(names.map((name) => [name, withoutDialect(z.toJSONSchema(namedSchema(name), OPTIONS))]));
}

/** One schema for all input: an editor picks by `apiVersion` and `kind`. */
export function schemaOfAll(): JsonSchema {
  const types = new Set<string>();
  const ofKinds = documentKinds.map((kind) => withoutDialect(schemaWith(kind, types)));
  const options = [...ofKinds, otherObject(), list()];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Input documents of Weft',
    oneOf: options,
    $defs: definitionsOf(types),
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
