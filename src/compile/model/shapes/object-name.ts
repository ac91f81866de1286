import * as z from 'zod';

/** Kinds of objects to which fields refer by name. */
export type NamedKind = 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim';

/** The fields with the name of an object. Programs may pass the object instead. */
export const objectNames = z.registry<{ readonly kind: NamedKind }>();

/**
 * A field with the name of an object. Call it last: each method of a schema returns another one, which is not
 * registered.
 */
export function nameOf<S extends z.ZodType>(kind: NamedKind, schema: S): S {
  const field = schema.clone();
  objectNames.add(field, { kind });
  return field;
}

/** The most characters of the name of a NicNodePolicy: with the prefix `rdma-shared-dp-` it is the value of a label, which has at most 63. */
export const NODE_POLICY_NAME_MAX = 48;
