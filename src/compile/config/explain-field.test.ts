import { expect, it } from '@jest/globals';
import { explainField } from './explain-field.js';
import { schemaOf } from './json-schema.js';
import { documentKinds } from './kinds/kinds.js';

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

const schemas = new Map(documentKinds.map((kind) => [kind, schemaOf(kind)]));

/** The path of every field of a schema. */
function* pathsIn(schema: JsonSchema, path: string): Iterable<string> {
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    yield `${path}.${key}`;
    yield* pathsIn(field, `${path}.${key}`);
  }
  for (const option of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* pathsIn(option, path);
  if (schema.items) yield* pathsIn(schema.items, path);
}

it.each(documentKinds)('explains every field of $kind', (kind) => {
  const paths = [...new Set(pathsIn(schemas.get(kind) as JsonSchema, kind.kind))];
  expect(paths.length).toBeGreaterThan(10);
  const silent = paths.filter((path) => {
    const found = explainField(path, (one) => schemas.get(one) ?? {});
    return 'help' in found || found.kind !== kind.kind || found.description === '';
  });
  expect(silent).toEqual([]);
});
