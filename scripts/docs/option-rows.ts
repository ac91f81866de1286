import * as z from 'zod';
import { nameOfSchema } from '../../src/shared/kubernetes/api/object-schema.js';

/** One line of an option table. */
export interface OptionRow {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** As JSON; absent without a default, or if it follows from the defaults of the fields inside. */
  readonly default?: string;
  readonly description: string;
}

/** Fields that exist only with one value of the `type` beside them. */
export interface OptionVariant {
  readonly path: string;
  readonly type: string;
  readonly rows: readonly OptionRow[];
}

/** All options of a schema, in the order of its fields. */
export interface OptionRows {
  readonly rows: readonly OptionRow[];
  readonly variants: readonly OptionVariant[];
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The part of JSON Schema that zod writes for our documents. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** The name of a type of Kubernetes. */
  readonly kubernetesType?: string;
}

/**
 * The options of a schema as users write it, with paths below `prefix`.
 *
 * @throws Error where a field has no description: `.describe()` is the documentation
 */
export function optionRows(schema: z.ZodType, prefix: string): OptionRows {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline', override }) as Schema;
  const rows: OptionRow[] = [];
  const variants: OptionVariant[] = [];
  collect(json, prefix, rows, variants);
  return { rows, variants };
}

/** The fields of a type of Kubernetes are in its own documentation. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const name = nameOfSchema(zodSchema);
  if (name === undefined) return;
  delete jsonSchema.properties;
  delete jsonSchema.required;
  jsonSchema['kubernetesType'] = name;
}

function collect(schema: Schema, path: string, rows: OptionRow[], variants: OptionVariant[]): void {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) {
    collectAlternatives(alternatives, path, rows, variants);
    return;
  }
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const fieldPath = path === '' ? key : `${path}.${key}`;
    // The API server writes metadata without a type; it is read and ignored.
    if (fieldPath.startsWith('metadata.') && Object.keys(field).every((keyword) => keyword === 'description')) continue;
    // A mapping without a description only groups sections, which have descriptions.
    const isGroup = field.description === undefined && field.properties !== undefined;
    if (!isGroup) rows.push(rowOf(field, fieldPath, schema.required?.includes(key) ?? false));
    collect(field, fieldPath, rows, variants);
  }
  if (schema.items) collect(schema.items, `${path}[]`, rows, variants);
  if (isSchema(schema.additionalProperties)) collect(schema.additionalProperties, `${path}.<key>`, rows, variants);
}

/** A single mapping among texts and numbers is shown in place; several are distinguished by their `type`. */
function collectAlternatives(
  alternatives: readonly Schema[],
  path: string,
  rows: OptionRow[],
  variants: OptionVariant[],
): void {
  const mappings = alternatives.filter(({ properties }) => properties !== undefined);
  if (mappings.length === 1) {
    for (const mapping of mappings) collect(mapping, path, rows, variants);
    return;
  }
  for (const mapping of mappings) {
    const type = mapping.properties?.['type']?.const;
    if (typeof type !== 'string') continue;
    const own: OptionRow[] = [];
    collect(mapping, path, own, variants);
    variants.push({ path, type, rows: own });
  }
}

function alternativesOf(schema: Schema): readonly Schema[] {
  const inner = schema.anyOf ?? schema.oneOf;
  return inner === undefined ? [schema] : inner.flatMap(alternativesOf);
}

function isSchema(value: Schema | boolean | undefined): value is Schema {
  return typeof value === 'object';
}

function rowOf(field: Schema, path: string, isRequired: boolean): OptionRow {
  if (field.description === undefined) throw new Error(`the schema of \`${path}\` has no description`);
  const isMapping = field.properties !== undefined;
  return {
    path,
    type: typeText(field),
    isRequired,
    ...(field.default === undefined || isMapping ? {} : { default: JSON.stringify(field.default) }),
    description: field.description,
  };
}

function typeText(schema: Schema): string {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) return [...new Set(alternatives.map(typeText))].join(' or ');
  if (schema.kubernetesType !== undefined) return `\`${schema.kubernetesType}\` of Kubernetes`;
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeText({ type })).join(' or ');
  switch (schema.type) {
    case undefined:
      return 'anything';
    case 'string':
      return 'text';
    case 'integer':
      return 'whole number';
    case 'array':
      return schema.items ? `list: ${typeText(schema.items)}` : 'list';
    case 'object':
      return isSchema(schema.additionalProperties) && schema.properties === undefined
        ? `map: ${typeText(schema.additionalProperties)}`
        : 'mapping';
    default:
      return String(schema.type);
  }
}
