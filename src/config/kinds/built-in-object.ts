import * as z from 'zod';
import type { FieldType } from '../../kubernetes/field-types.js';

type Fields = Readonly<Record<string, FieldType>>;

/** What every object has, and what only the API server writes. */
const COMMON_FIELDS = ['apiVersion', 'kind', 'metadata', 'status'];

/**
 * The fields of an object of Kubernetes itself, without those that all objects have: their names and types, not their limits,
 * which the API server checks. The schema of a mapping is made when an object has it.
 */
export function builtInFields(type: FieldType): Readonly<Record<string, z.ZodType>> {
  if (type.is !== 'mapping') return {};
  const own = Object.entries(type.fields()).filter(([key]) => !COMMON_FIELDS.includes(key));
  return Object.fromEntries(own.map(([key, field]) => [key, schemaOf(field, []).optional()]));
}

/** @param above the mappings that this one is in: a mapping inside of itself, as in CRDs, is not looked into */
function schemaOf(type: FieldType, above: readonly Fields[]): z.ZodType {
  switch (type.is) {
    case 'any':
      return z.unknown();
    case 'amount':
      return z.union([z.number(), z.string()]);
    case 'boolean':
      return z.boolean();
    case 'integer':
      return z.int();
    case 'number':
      return z.number();
    case 'string':
      return z.string();
    case 'list':
      return z.array(z.lazy(() => schemaOf(type.of(), above)));
    case 'map':
      return z.record(
        z.string(),
        z.lazy(() => schemaOf(type.of(), above)),
      );
    case 'mapping':
      return z.lazy(() => mappingOf(type.fields(), above));
  }
}

function mappingOf(fields: Fields, above: readonly Fields[]): z.ZodType {
  if (above.includes(fields)) return z.unknown();
  const entries = Object.entries(fields);
  return z.strictObject(
    Object.fromEntries(entries.map(([key, field]) => [key, schemaOf(field, [...above, fields]).optional()])),
  );
}
