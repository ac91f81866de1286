import * as z from 'zod';

/** Kinds of objects that fields name. */
export type NamedKind = 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim';

/** The fields that name an object. A program of constructs may give them the object. */
export const objectNames = z.registry<{ readonly kind: NamedKind }>();

/** A field with the name of an object. Call it last: each method of a schema makes another one, which names none. */
export function nameOf<S extends z.ZodType>(kind: NamedKind, schema: S): S {
  const field = schema.clone();
  objectNames.add(field, { kind });
  return field;
}
