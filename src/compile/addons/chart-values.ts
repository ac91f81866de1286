import * as z from 'zod';
import { nameOfSchema } from '../../shared/kubernetes/api/object-schema.js';
import { isObject } from '../../shared/lib/json.js';
import { allAddOns } from './all.js';
import type { ChartValues } from './values.js';

/**
 * The sections of a Cluster document for the values of the operator's Helm chart, by key. `null` removes a default, and
 * maps are merged into their defaults, as in Helm. Values that have no meaning without Helm are left out. Unknown
 * values are kept, and the Cluster document is refused for them.
 */
export function addOnSectionsOfChart(values: ChartValues): Readonly<Record<string, unknown>> {
  const sections = allAddOns.flatMap(({ source, schema, ofChartValues }): [string, unknown][] => {
    const section = ofChartValues?.(values);
    return section === undefined ? [] : [[source.path[0], filled(schema, section)]];
  });
  return Object.fromEntries(sections);
}

function filled(schema: z.ZodType, given: unknown): unknown {
  const { inner, initial } = withDefault(schema);
  if (!isObject(given)) return given;
  if (inner instanceof z.ZodRecord || nameOfSchema(inner) !== undefined) return merged(initial, given);
  if (!(inner instanceof z.ZodObject)) return given;
  const fields: Readonly<Record<string, z.ZodType>> = inner.shape;
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, fields[key] === undefined ? value : filled(fields[key], value)]),
  );
}

/** The inner schema of an optional or default one, and its default value. */
function withDefault(schema: z.ZodType, initial?: unknown): { readonly inner: z.ZodType; readonly initial: unknown } {
  if (schema instanceof z.ZodDefault) return withDefault(schema.unwrap() as z.ZodType, schema.def.defaultValue);
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault || schema instanceof z.ZodLazy;
  return isWrapper ? withDefault(schema.unwrap() as z.ZodType, initial) : { inner: schema, initial };
}

function merged(initial: unknown, given: unknown): unknown {
  if (!isObject(initial) || !isObject(given)) return given;
  const all = { ...initial, ...given };
  const entries = Object.entries(all).map(([key, value]) => [key, merged(initial[key], value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}
