import * as z from 'zod';
import { type FieldType, namedType } from './field-types.js';

type Mapping = Extract<FieldType, { readonly is: 'mapping' }>;
type Fields = ReturnType<Mapping['fields']>;

/** What every object has, and what only the API server writes. */
const COMMON_FIELDS = ['apiVersion', 'kind', 'metadata', 'status'];

/**
 * The fields of an object of Kubernetes itself, without those that all objects have: their names and types, and which it cannot
 * be without; not their limits, which the API server checks. The schema of a mapping is made when an object has it.
 */
export function builtInFields(type: FieldType): Readonly<Record<string, z.ZodType>> {
  if (type.is !== 'mapping') return {};
  const own = Object.entries(fieldSchemas(type, []));
  return Object.fromEntries(own.filter(([key]) => !COMMON_FIELDS.includes(key)));
}

/** Names of the types that `namedSchema` made schemas of. */
const names = z.registry<{ readonly name: string }>();
const namedSchemas = new Map<string, z.ZodType<Readonly<Record<string, unknown>>>>();

/**
 * The schema of a type that objects of Kubernetes have somewhere, such as `Container`: always the same for one name.
 *
 * @throws Error where Kubernetes has no such type
 */
export function namedSchema(name: string): z.ZodType<Readonly<Record<string, unknown>>> {
  const type = namedType(name);
  if (type.is !== 'mapping') throw new Error(`${name} is no mapping`);
  const schema = namedSchemas.get(name) ?? mappingOf(type, []).register(names, { name });
  namedSchemas.set(name, schema);
  return schema;
}

/** The name of the type that `namedSchema` made a schema of; `undefined` for other schemas. */
export function nameOfSchema(schema: z.core.$ZodType): string | undefined {
  return names.get(schema as z.ZodType)?.name;
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
      return z.lazy(() => (above.includes(type.fields()) ? z.unknown() : mappingOf(type, above)));
  }
}

function mappingOf(type: Mapping, above: readonly Fields[]) {
  return z.strictObject(fieldSchemas(type, above));
}

function fieldSchemas(type: Mapping, above: readonly Fields[]): Readonly<Record<string, z.ZodType>> {
  const fields = type.fields();
  const required = type.required?.() ?? [];
  const schemas = Object.entries(fields).map(([key, field]): [string, z.ZodType] => {
    const schema = schemaOf(field, [...above, fields]);
    return [key, required.includes(key) ? schema : schema.optional()];
  });
  return Object.fromEntries(schemas);
}
