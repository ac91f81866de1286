import * as z from 'zod';
import { isObject } from '../../shared/lib/json.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { validations } from './validations.js';

/** A CustomResourceDefinition as data, and where it comes from. */
export interface RecordedCrd {
  readonly source: { readonly project: string; readonly file: string; readonly version?: string };
  readonly crd: KubernetesObject;
}

/** A definition of a component, with further rules for its objects. */
export interface ComponentCrd extends RecordedCrd {
  /** The rules of its admission webhook for the `spec`, added to the schema of the definition. */
  readonly specOf?: (schema: z.ZodType) => z.ZodType;
  /** Whether its controller reads only its own namespace: an object without a namespace gets it. */
  readonly isInOwnNamespace?: boolean;
}

/** A structural schema of a CustomResourceDefinition, with the keywords that the definitions here use. */
export interface CrdSchema {
  readonly type?: 'array' | 'boolean' | 'integer' | 'object' | 'string';
  readonly format?: 'date-time' | 'int32' | 'int64';
  readonly properties?: Readonly<Record<string, CrdSchema>>;
  readonly additionalProperties?: CrdSchema;
  readonly required?: readonly string[];
  readonly items?: CrdSchema;
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string; readonly message: string }[];
}

const MAX_INT32 = 2 ** 31 - 1;

/**
 * The schema of a custom resource that the API server accepts, without unknown keys, which it would drop. The API
 * server fills in defaults, so they are not in the result; the JSON Schema of the result says them.
 */
export function zodOf(schema: CrdSchema): z.ZodType {
  const checked = checkedOf(schema);
  return schema.default === undefined ? checked : checked.meta({ default: schema.default });
}

function checkedOf(schema: CrdSchema): z.ZodType {
  if (schema['x-kubernetes-int-or-string']) return z.union([z.int(), z.string()]);
  if (schema.enum) return z.literal([...schema.enum]);
  if (schema.type === undefined) return z.unknown();
  switch (schema.type) {
    case 'array':
      return list(schema);
    case 'boolean':
      return z.boolean();
    case 'integer':
      return integer(schema);
    case 'object':
      return mapping(schema);
    case 'string':
      return text(schema);
  }
}

function list(schema: CrdSchema): z.ZodType {
  const { items, minItems, maxItems } = schema;
  const bound = bounded(z.array(items ? zodOf(items) : z.unknown()), minItems, maxItems);
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return bound;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (entry: unknown) =>
    JSON.stringify(type === 'set' || !isObject(entry) ? entry : keys.map((key) => entry[key]));
  return bound.superRefine((entries, context) => {
    const seen = new Set<string>();
    for (const [index, entry] of entries.entries()) {
      const key = keyOf(entry);
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index], message: 'is there in another entry, too' });
      seen.add(key);
    }
  });
}

function text({ pattern, minLength, maxLength }: CrdSchema): z.ZodType {
  const bound = bounded(z.string(), minLength, maxLength);
  return pattern === undefined ? bound : bound.regex(new RegExp(pattern), { error: `must match \`${pattern}\`` });
}

function integer({ format, minimum, maximum }: CrdSchema): z.ZodType {
  const limit = format === 'int32' ? MAX_INT32 : Number.MAX_SAFE_INTEGER;
  return bounded(z.int(), minimum ?? -limit, maximum ?? limit);
}

/** Bounds apply to the value of numbers and to the length of text and lists. */
function bounded<T extends { min: (limit: number) => T; max: (limit: number) => T }>(
  schema: T,
  minimum: number | undefined,
  maximum: number | undefined,
): T {
  const bound = minimum === undefined ? schema : schema.min(minimum);
  return maximum === undefined ? bound : bound.max(maximum);
}

function mapping(schema: CrdSchema): z.ZodType {
  const { properties, additionalProperties, required = [] } = schema;
  if (!properties) return z.record(z.string(), additionalProperties ? zodOf(additionalProperties) : z.unknown());
  const fields = Object.entries(properties).map(([key, inner]): [string, z.ZodType] => {
    const field = zodOf(inner);
    return [key, required.includes(key) ? field : field.optional()];
  });
  const rules = schema['x-kubernetes-validations'] ?? [];
  const object = z.strictObject(Object.fromEntries(fields));
  if (rules.length === 0) return object;
  return object.superRefine((value, context) => {
    // A misspelt key is not reported as missing.
    if (context.issues.length > 0) return;
    for (const { rule, message } of rules) {
      if (!validations[rule]?.(withDefaults(value, schema)))
        context.addIssue({ code: 'custom', message: `: ${message}` });
    }
  });
}

/** The rules of a definition are evaluated with the API server's defaults. */
function withDefaults(value: unknown, { properties, default: initial }: CrdSchema): unknown {
  const given = value ?? initial;
  if (!isObject(given) || !properties) return given;
  const entries = Object.entries(properties).map(([key, inner]) => [key, withDefaults(given[key], inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}
