import * as z from 'zod';
import { documentKinds, type DocumentKind } from './kinds/kinds.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** JSON Schema (draft 2020-12) of a kind as it is written: what has a default may be left out. */
export function schemaOf({ schema }: DocumentKind): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
}

/** One schema for all kinds: an editor picks by `apiVersion` and `kind`. */
export function schemaOfAll(): JsonSchema {
  const options = documentKinds.map(schemaOf).map(withoutDialect);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Input documents of Weft',
    oneOf: options,
  };
}

/** Said once for all of them. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
