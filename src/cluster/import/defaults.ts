import * as z from 'zod';
import { fieldsOf, unwrap } from '../../compile/config/validate/schema-walk.js';
import type { CrdSchema } from '../../compile/crds/schema.js';
import { canonicalJson, isObject } from '../../shared/lib/json.js';

/** Whether and how many nodes are drained is written down, also where it is the default: fields of `upgradePolicy`. */
const KEPT: ReadonlySet<string> = new Set(['autoUpgrade', 'maxParallelUpgrades', 'enable']);

/**
 * A value of a document in the order of its schema, without what the schema fills in: a field is left out if its schema
 * makes the same of it as of nothing. Values that the schema refuses stay as they are.
 */
export function withoutDefaults(schema: z.ZodType, value: unknown, isOfUpgrades = false): unknown {
  const inner = unwrap(schema);
  if (Array.isArray(value)) {
    const element = inner instanceof z.ZodArray ? (inner.element as z.ZodType) : z.unknown();
    return value.map((one) => withoutDefaults(element, one));
  }
  if (!isObject(value)) return value;
  const fields = fieldsOf(inner);
  const known = Object.keys(fields).filter((key) => Object.hasOwn(value, key));
  const keys = [...known, ...Object.keys(value).filter((key) => !Object.hasOwn(fields, key))];
  const entries = keys.flatMap((key): [string, unknown][] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return [[key, value[key]]];
    if (isFilledIn(field, value[key]) && !(isOfUpgrades && KEPT.has(key))) return [];
    return [[key, withoutDefaults(field, value[key], isOfUpgrades || key === 'upgradePolicy')]];
  });
  return Object.fromEntries(entries);
}

function isFilledIn(field: z.ZodType, value: unknown): boolean {
  const given = field.safeParse(value);
  const absent = field.safeParse(undefined);
  if (!given.success || !absent.success) return false;
  return canonicalJson([given.data]) === canonicalJson([absent.data]);
}

/** An object without the fields that the API server fills in by its definition. */
export function withoutCrdDefaults(schema: CrdSchema, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((one: unknown) => (schema.items ? withoutCrdDefaults(schema.items, one) : one));
  if (!isObject(value)) return value;
  const fields = schema.properties ?? {};
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return [[key, inner]];
    const isDefault = field.default !== undefined && canonicalJson(field.default) === canonicalJson(inner);
    return isDefault ? [] : [[key, withoutCrdDefaults(field, inner)]];
  });
  return Object.fromEntries(entries);
}
