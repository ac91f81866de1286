import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient, LiveObject } from './api-client.js';

/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>;
type Definitions = Readonly<Record<string, Schema>>;

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const REFERENCE = '#/definitions/';
/** Types of Go that are written as text or as a number. */
const NUMBER_OR_TEXT = new Set([
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
]);

/** The location of the files of `writeSchemas`, for kubeconform. */
export function schemaLocation(folder: string): string {
  return join(folder, '{{.Group}}_{{.ResourceKind}}_{{.ResourceAPIVersion}}.json');
}

/**
 * Writes a standalone schema for each built-in kind of the API server, from its OpenAPI, and for each CRD. Unknown fields are
 * errors. Returns the number of schemas.
 */
export async function writeSchemas(client: ApiClient, crds: readonly LiveObject[], folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const { body } = await client.ask('GET', '/openapi/v2');
  const definitions = body['definitions'] as Definitions;
  let count = 0;
  const write = ({ group, version, kind }: GroupVersionKind, schema: Schema) => {
    // kubeconform uses the first part of `apiVersion` as the group, even if it is the version.
    writeFileSync(join(folder, `${group || version}_${kind.toLowerCase()}_${version}.json`), JSON.stringify(schema));
    count += 1;
  };
  for (const [name, definition] of Object.entries(definitions)) {
    const kinds = (definition['x-kubernetes-group-version-kind'] ?? []) as readonly GroupVersionKind[];
    const [kind] = kinds;
    if (kinds.length === 1 && kind) write(kind, standalone(name, definitions));
  }
  for (const { spec } of crds) {
    const { group, names, versions } = spec as {
      readonly group: string;
      readonly names: { readonly kind: string };
      readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
    };
    for (const { name, schema } of versions) {
      write({ group, version: name, kind: names.kind }, withMetadata(strict(schema.openAPIV3Schema), definitions));
    }
  }
  return count;
}

/** The definition with all definitions that it refers to. */
function standalone(name: string, all: Definitions): Schema {
  return { $ref: `${REFERENCE}${name}`, definitions: closure(name, all) };
}

function closure(name: string, all: Definitions): Definitions {
  const found: Record<string, Schema> = {};
  const visit = (one: string): void => {
    if (found[one] !== undefined) return;
    const definition = all[one] ?? {};
    found[one] = NUMBER_OR_TEXT.has(one) ? { type: ['string', 'integer', 'number'] } : strict(definition);
    for (const [, next = ''] of JSON.stringify(definition).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) visit(next);
  };
  visit(name);
  return found;
}

/** CRDs leave `metadata`, `apiVersion` and `kind` to the API server. */
function withMetadata(schema: Schema, all: Definitions): Schema {
  const name = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
  const text = { type: 'string' };
  const properties = {
    ...(schema['properties'] as Definitions | undefined),
    apiVersion: text,
    kind: text,
    metadata: { $ref: `${REFERENCE}${name}` },
  };
  return { ...schema, properties, definitions: closure(name, all) };
}

/** The schema, but with objects that allow only known properties. */
function strict(schema: Schema): Schema {
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strictPart(key, value)]));
  if (schema['x-kubernetes-int-or-string'] === true) return { ...copy, type: ['string', 'integer'] };
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in schema;
  return 'properties' in schema && !isOpen ? { ...copy, additionalProperties: false } : copy;
}

function strictPart(key: string, value: unknown): unknown {
  const isMap = key === 'properties';
  if (isMap) {
    return Object.fromEntries(Object.entries(value as Definitions).map(([name, inner]) => [name, strict(inner)]));
  }
  if (key === 'items' || key === 'additionalProperties') return isSchema(value) ? strict(value) : value;
  return value;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
