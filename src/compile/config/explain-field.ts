import { didYouMean } from '../../shared/diagnostics/suggest.js';
import { schemaOf } from './json-schema.js';
import { customKinds } from './kinds/extra-object.js';
import { documentKinds, type DocumentKind } from './kinds/kinds.js';

/** A field of an input document. */
export interface ExplainedField {
  readonly apiVersion: string;
  readonly kind: string;
  /** Other kinds that have the same field. */
  readonly otherKinds: readonly string[];
  /** From the top of the document: `spec.nodePools.kernels`. */
  readonly path: string;
  readonly type: string;
  /** As JSON; absent if there is none. */
  readonly default?: string;
  readonly description: string;
  /** The fields inside, in the order of the schema; for alternatives the fields of all mappings. */
  readonly fields: readonly ExplainedInner[];
}

interface ExplainedInner {
  readonly key: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly default?: string;
  readonly description: string;
}

/** The part of JSON Schema that zod generates for these documents. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/**
 * Finds a field by its path, such as `nodePools.kernels` or `Cluster.spec.nodePools`. The kind at the beginning and
 * `spec` are optional, the kind only for documents of Weft's own; paths through lists have no index.
 *
 * @param schemaFor the JSON Schema of a kind
 */
export function explainField(
  given: string,
  schemaFor: (kind: DocumentKind) => object = schemaOf,
): ExplainedField | { readonly help: string } {
  const steps = given.replace(/\[\d*\]/g, '').split('.');
  const isNamed = ({ kind }: DocumentKind) => kind.toLowerCase() === steps[0]?.toLowerCase();
  // A path without a kind is one of Weft's own documents.
  const named = [...documentKinds, ...customKinds()].filter(isNamed);
  const path = named.length > 0 ? steps.slice(1) : steps;
  const tries = (named.length > 0 ? named : documentKinds).flatMap((kind) => {
    const schema = schemaFor(kind) as Schema;
    return [path, ['spec', ...path]].map((tried) => ({ kind, tried, ...walk(schema, tried) }));
  });
  const found = tries.filter(({ missing }) => missing === undefined);
  const [first] = found;
  if (first === undefined) return { help: helpFor(tries, steps[0] ?? '') };
  const { kind, tried, schema, isRequired } = first;
  const others = found.filter((one) => one.kind !== kind && one.tried.join() === tried.join());
  const nameOf = (one: DocumentKind) => (named.length > 1 ? `${one.kind} (${one.apiVersion})` : one.kind);
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    otherKinds: others.map((one) => nameOf(one.kind)),
    path: tried.join('.'),
    ...described(schema, isRequired),
    fields: innerFields(schema),
  };
}

interface Walked {
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** The first step that does not exist; absent if all exist. */
  readonly missing?: string;
  /** How many steps exist. */
  readonly depth: number;
}

function walk(root: Schema, path: readonly string[]): Walked {
  let walked: Walked = { schema: root, isRequired: false, depth: 0 };
  for (const [depth, step] of path.entries()) {
    const owner = mappingsOf(walked.schema).find(({ properties }) => Object.hasOwn(properties ?? {}, step));
    const inner = owner?.properties?.[step] ?? anyValueOf(walked.schema);
    if (inner === undefined) return { ...walked, missing: step, depth };
    walked = { schema: inner, isRequired: owner?.required?.includes(step) ?? false, depth: depth + 1 };
  }
  return walked;
}

/** The mappings that a value may be: alternatives and entries of lists included. */
export function mappingsOf(schema: Schema): readonly Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  return [
    ...(schema.properties ? [schema] : []),
    ...alternatives.flatMap(mappingsOf),
    ...(schema.items ? mappingsOf(schema.items) : []),
  ];
}

/** The schema of the values of a map, whose keys may be any. */
function anyValueOf({ additionalProperties, properties }: Schema): Schema | undefined {
  return properties === undefined && typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export function described(schema: Schema, isRequired: boolean): Omit<ExplainedInner, 'key'> {
  const hasDefault = schema.default !== undefined && schema.properties === undefined;
  return {
    type: typeText(schema),
    isRequired,
    ...(hasDefault && { default: JSON.stringify(schema.default) }),
    description: schema.description ?? '',
  };
}

function innerFields(schema: Schema): readonly ExplainedInner[] {
  const fields = new Map<string, ExplainedInner>();
  for (const { properties = {}, required = [] } of mappingsOf(schema)) {
    for (const [key, field] of Object.entries(properties)) {
      if (fields.has(key)) continue;
      fields.set(key, { key, ...described(field, required.includes(key)) });
    }
  }
  return [...fields.values()];
}

function typeText(schema: Schema): string {
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeText))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array') return `[]${schema.items ? typeText(schema.items) : 'any'}`;
  if (schema.type === 'object') {
    const values = anyValueOf(schema);
    return values ? `map[string]${typeText(values)}` : 'object';
  }
  return typeof schema.type === 'string' ? schema.type : 'any';
}

/** A correction of the path, from the longest part of it that exists. */
function helpFor(tries: readonly (Walked & { readonly tried: readonly string[] })[], first: string): string {
  const [deepest] = [...tries].sort((a, b) => b.depth - a.depth);
  const { missing = '', schema = {}, tried = [], depth = 0 } = deepest ?? {};
  const candidates = tries.filter((one) => one.depth === depth).flatMap((one) => innerFields(one.schema));
  const kinds = missing === first ? [...documentKinds, ...customKinds()].map(({ kind }) => kind) : [];
  const known = [...new Set([...candidates.map(({ key }) => key), ...kinds])];
  const near = didYouMean(missing, known);
  if (near !== undefined) return near;
  const place = depth === 0 ? 'a document' : `\`${tried.slice(0, depth).join('.')}\``;
  const keys = innerFields(schema).map(({ key }) => `\`${key}\``);
  return keys.length > 0 ? `${place} has ${keys.join(', ')}` : `${place} has no fields`;
}
