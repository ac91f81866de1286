import * as z from 'zod';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { keyAsRead, keysAsRead } from '../../../shared/lib/go-keys.js';
import { isObject } from '../../../shared/lib/json.js';

/** The inner schema of an optional one, and the alternative of a union that a value is meant for. */
function meantFor(value: unknown, schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return meantFor(value, schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options = schema.options as readonly z.ZodType[];
  return options.find((one) => one instanceof (Array.isArray(value) ? z.ZodArray : z.ZodObject)) ?? schema;
}

/** JSON data with its keys as its program spells them: Go's `encoding/json` reads `ConfigList` as `configList`. */
export function asGoReads(value: unknown, schema: z.ZodType): unknown {
  const meant = meantFor(value, schema);
  if (Array.isArray(value) && meant instanceof z.ZodArray)
    return value.map((entry) => asGoReads(entry, meant.element as z.ZodType));
  if (!isObject(value) || !(meant instanceof z.ZodObject)) return value;
  const fields = meant.shape as Readonly<Record<string, z.ZodType>>;
  const data = keysAsRead(value, Object.keys(fields));
  const entries = Object.entries(data).map(([key, inner]): [string, unknown] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return [key, field ? asGoReads(inner, field) : inner];
  });
  return Object.fromEntries(entries);
}

/** Whether the schema has a whole number at a path, whose keys are as the text spells them. */
export function isIntAt(schema: z.ZodType, path: readonly PathStep[]): boolean {
  const [step, ...rest] = path;
  const meant = meantFor(typeof step === 'number' ? [] : {}, schema);
  if (step === undefined) return meant instanceof z.ZodNumber;
  if (typeof step === 'number') return meant instanceof z.ZodArray && isIntAt(meant.element as z.ZodType, rest);
  if (!(meant instanceof z.ZodObject)) return false;
  const fields = meant.shape as Readonly<Record<string, z.ZodType>>;
  const field = fields[keyAsRead(step, Object.keys(fields)) ?? ''];
  return field !== undefined && isIntAt(field, rest);
}
