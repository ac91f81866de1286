import * as z from 'zod';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';

/** The inner schema of an optional or default one. This also builds the schema of an add-on's section. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodLazy) return unwrap(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;
}

/** The fields of a mapping; none if the schema is of another type. */
export function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** The schemas for the value at a path: a union and each of its alternatives. */
export function schemasAt(schema: z.ZodType, path: readonly PathStep[]): readonly z.ZodType[] {
  const inner = unwrap(schema);
  const alternatives = inner instanceof z.ZodUnion ? (inner.options as z.ZodType[]) : [];
  const below = alternatives.flatMap((option) => schemasAt(option, path));
  const [step, ...rest] = path;
  if (step === undefined) return [inner, ...below];
  if (inner instanceof z.ZodArray) return schemasAt(inner.element as z.ZodType, rest);
  if (inner instanceof z.ZodRecord) return schemasAt(inner.valueType as z.ZodType, rest);
  const fields = fieldsOf(inner);
  const field = Object.hasOwn(fields, step) ? fields[step] : undefined;
  return field ? schemasAt(field, rest) : below;
}

/** The keys of the schema at a path. */
export function keysAt(schema: z.ZodType, path: readonly PathStep[]): readonly string[] {
  return [...new Set(schemasAt(schema, path).flatMap((one) => Object.keys(fieldsOf(one))))];
}

/** Stands for any entry of a list in a path of the schema. */
const ENTRY = '[]';

/** All paths of a key in the schema; an entry of a list is one step. A mapping that is inside of itself, as in a JSON Schema, is entered once. */
function placesOfKey(
  schema: z.ZodType,
  key: string,
  path: readonly string[] = [],
  entered: ReadonlySet<z.ZodType> = new Set(),
): readonly (readonly string[])[] {
  const inner = unwrap(schema);
  if (entered.has(inner)) return [];
  const now = new Set([...entered, inner]);
  if (inner instanceof z.ZodUnion) {
    return (inner.options as z.ZodType[]).flatMap((option) => placesOfKey(option, key, path, now));
  }
  if (inner instanceof z.ZodArray) return placesOfKey(inner.element as z.ZodType, key, [...path, ENTRY], now);
  return Object.entries(fieldsOf(inner)).flatMap(([name, field]) => {
    const here = [...path, name];
    return name === key ? [here] : placesOfKey(field, key, here, now);
  });
}

/**
 * For a key that is unknown below `parent`, the path of the same key with the longest common prefix, as text.
 * `undefined` if there is none, or if several are equally near.
 */
export function placeOfKey(schema: z.ZodType, parent: readonly PathStep[], key: string): string | undefined {
  const way = parent.map((step) => (typeof step === 'number' ? ENTRY : step));
  const shared = (path: readonly string[]) => {
    const end = path.findIndex((step, index) => step !== way[index]);
    return end < 0 ? path.length : end;
  };
  const rank = (path: readonly string[]) => path.length - 1000 * shared(path);
  const places = placesOfKey(schema, key);
  const best = Math.min(...places.map(rank));
  const nearest = new Set(places.filter((path) => rank(path) === best).map((path) => path.join('.')));
  const [only] = nearest;
  return nearest.size === 1 ? only?.replaceAll(`.${ENTRY}`, ENTRY) : undefined;
}
