import * as z from 'zod';
import { memoized } from '../../lib/memo.js';
import { type FieldType, namedType } from './field-types.js';

type Mapping = Extract<FieldType, { readonly is: 'mapping' }>;

/** Fields of every object, and fields that only the API server writes. */
export const COMMON_FIELDS = ['apiVersion', 'kind', 'metadata', 'status'];

/**
 * The schema of a Kubernetes object without the fields that all objects have: names, types and required fields, but not
 * the limits, which the API server checks. The schema of a mapping is built on first use.
 */
export function builtInFields(type: FieldType): Readonly<Record<string, z.ZodType>> {
  if (type.is !== 'mapping') return {};
  const own = Object.entries(fieldSchemas(type));
  return Object.fromEntries(own.filter(([key]) => !COMMON_FIELDS.includes(key)));
}

/** Type names of the schemas of `namedSchema`. */
const names = z.registry<{ readonly name: string }>();

/**
 * The schema of a part of Kubernetes objects, such as `Container`: always the same value for a name, and a separate
 * definition in JSON Schema.
 *
 * @throws Error if Kubernetes has no such type
 */
export const namedSchema = memoized((name: string): z.ZodType<Readonly<Record<string, unknown>>> => {
  const type = namedType(name);
  if (type.is !== 'mapping') throw new Error(`${name} is no mapping`);
  return mappingOf(type).register(names, { name }).register(z.globalRegistry, { id: name });
});

/** The type name of a schema of `namedSchema`; `undefined` for other schemas. */
export function nameOfSchema(schema: z.core.$ZodType): string | undefined {
  return names.get(schema as z.ZodType)?.name;
}

function schemaOf(type: FieldType): z.ZodType {
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
      return z.array(z.lazy(() => schemaOf(type.of())));
    case 'map':
      return z.record(
        z.string(),
        z.lazy(() => schemaOf(type.of())),
      );
    case 'mapping':
      return z.lazy(() => (type.name === undefined ? mappingOf(type) : namedSchema(type.name)));
  }
}

function mappingOf(type: Mapping) {
  return z.strictObject(fieldSchemas(type));
}

function fieldSchemas(type: Mapping): Readonly<Record<string, z.ZodType>> {
  const required = type.required?.() ?? [];
  const schemas = Object.entries(type.fields()).map(([key, field]): [string, z.ZodType] => {
    const schema = schemaOf(field);
    return [key, required.includes(key) ? schema : schema.optional()];
  });
  return Object.fromEntries(schemas);
}
