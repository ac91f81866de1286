import type { Schema } from './facts.js';

/** A field that has a value in an example. */
export interface Leaf {
  /** Steps from the document's root, numbers for lists. */
  readonly path: readonly (string | number)[];
  /** The same as in the CRD: `spec.env[].name`. */
  readonly field: string;
  readonly value: unknown;
}

/** Values that a schema does not define, by the end of a field's path. The number is unique in the document. */
export type Values = readonly (readonly [field: RegExp, value: (unique: number) => unknown])[];

interface Maker {
  readonly values: Values;
  next: number;
}

/** An object with every field of a schema, each leaf with a different value. */
export function exampleOf(schema: Schema, values: Values): unknown {
  return make(schema, 'spec', { values, next: 1000 });
}

function make(schema: Schema, field: string, maker: Maker): unknown {
  const unique = (maker.next += 1);
  const known = maker.values.find(([pattern]) => pattern.test(field));
  if (known) return known[1](unique);
  if (field.endsWith('.valueFrom')) return {};
  if (schema.properties) return makeObject(schema.properties, field, maker);
  if (schema.items) return makeList(schema.items, field, maker);
  if (typeof schema.additionalProperties === 'object') {
    return { [`key-${unique}`]: make(schema.additionalProperties, `${field}{}`, maker) };
  }
  const options = schema['enum'];
  if (Array.isArray(options)) return options.at(-1) as unknown;
  if (schema.type === 'boolean') return schema['default'] !== true;
  if (schema.type === 'integer' || schema.type === 'number') {
    const { maximum } = schema as { readonly maximum?: number };
    return maximum === undefined ? unique : Math.min(unique, maximum);
  }
  if (schema.type === 'object') return {};
  return `text-${unique}`;
}

function makeObject(properties: Readonly<Record<string, Schema>>, field: string, maker: Maker): unknown {
  return Object.fromEntries(
    Object.entries(properties).map(([key, inner]) => [key, make(inner, `${field}.${key}`, maker)]),
  );
}

/** One entry; of environment variables one for the value and one for each source, of which a variable can have one. */
function makeList(items: Schema, field: string, maker: Maker): unknown {
  const sources = items.properties?.['valueFrom']?.properties;
  if (!sources) return [make(items, `${field}[]`, maker)];
  const name = () => `NAME_${(maker.next += 1)}`;
  return [
    { name: name(), value: `text-${(maker.next += 1)}` },
    ...Object.entries(sources).map(([key, source]) => ({
      name: name(),
      valueFrom: { [key]: make(source, `${field}[].valueFrom.${key}`, maker) },
    })),
  ];
}

/** Every leaf of an object. */
export function leavesOf(value: unknown, path: readonly (string | number)[], field: string): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => leavesOf(inner, [...path, index], `${field}[]`));
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key], `${field}.${key}`));
  }
  return [{ path, field, value }];
}

/** The object with another value at a path. */
export function replaced(object: unknown, [step, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(object)) {
    return object.map((inner: unknown, index) => (index === step ? replaced(inner, rest, value) : inner));
  }
  const fields = object as Readonly<Record<string, unknown>>;
  return { ...fields, [step]: replaced(fields[step], rest, value) };
}
