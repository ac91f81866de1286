import type { CrdSchema } from '../../src/compile/crds/schema.js';
import { crdKinds, type CrdKind } from '../../src/compile/passthrough/kinds.js';
import { comment, keyText } from './comments.js';
import { fieldDescription } from './crd-descriptions.js';

/** The kinds of custom resources that users write; one kind may be in several API groups. */
const written = new Map<string, readonly CrdKind[]>();
for (const one of crdKinds.filter(({ writtenBy }) => writtenBy === 'people')) {
  written.set(one.kind, [...(written.get(one.kind) ?? []), one]);
}

/** Names of the types of their documents. */
export const customResourceTypeNames: readonly string[] = [...written.keys()].map((kind) => `${kind}Document`);

/** A type for each kind of custom resource that users write, and for its `spec`, from the definition. */
export function customResourceTypes(): readonly string[] {
  return [...written.values()].map(documentType);
}

function documentType(same: readonly CrdKind[]): string {
  const [{ kind, description, schema }] = same as [CrdKind];
  const differs = same.some((one) => JSON.stringify(one.schema) !== JSON.stringify(schema));
  if (differs) throw new Error(`several definitions have the name ${kind}: give their types names of their own`);
  const apiVersion = same.map((one) => JSON.stringify(one.apiVersion)).join(' | ');
  const { properties = {}, required = [] } = schema;
  const own = Object.entries(properties).filter(([key]) => !['apiVersion', 'kind', 'metadata', 'status'].includes(key));
  const specs = own.map(([key, inner]) => {
    const head = comment([`The \`${key}\` of a ${kind}.`]);
    return `${head}export interface ${typeName(kind, key)} ${typeText(inner, [kind])}\n`;
  });
  const fields = own.map(([key]) => {
    const isNeeded = required.includes(key);
    const mark = isNeeded ? '' : '?';
    return `/** What it asks for. */\nreadonly ${key}${mark}: ${typeName(kind, key)}${isNeeded ? '' : ' | undefined'};\n`;
  });
  const document = `${comment([description])}export interface ${kind}Document {
    /** Version of the API. */
    readonly apiVersion: ${apiVersion};
    /** Kind of the document. */
    readonly kind: ${JSON.stringify(kind)};
    /** Name, labels and annotations. */
    readonly metadata: ObjectMetadataInput;
    ${fields.join('')}/** Ignored. */
    readonly status?: unknown;
  }\n`;
  return [document, ...specs].join('\n');
}

const typeName = (kind: string, key: string): string => `${kind}${key[0]?.toUpperCase() ?? ''}${key.slice(1)}Input`;

/** @param path kind and keys */
function typeText(schema: CrdSchema, path: readonly string[]): string {
  if (schema['x-kubernetes-int-or-string']) return 'number | string';
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const { type } = schema;
  if (type === undefined) return 'unknown';
  switch (type) {
    case 'array':
      return `readonly (${schema.items ? typeText(schema.items, path) : 'unknown'})[]`;
    case 'boolean':
      return 'boolean';
    case 'integer':
      return 'number';
    case 'object':
      return mappingText(schema, path);
    case 'string':
      return 'string';
  }
}

function mappingText({ properties, additionalProperties, required = [] }: CrdSchema, path: readonly string[]): string {
  if (!properties) {
    return `Readonly<Record<string, ${additionalProperties ? typeText(additionalProperties, path) : 'unknown'}>>`;
  }
  const fields = Object.entries(properties).map(([key, inner]) => {
    const isNeeded = required.includes(key);
    const here = [...path, key];
    const initial = inner.default === undefined ? [] : [`@default ${JSON.stringify(inner.default)}`];
    const type = `${typeText(inner, here)}${isNeeded ? '' : ' | undefined'}`;
    return `${comment([fieldDescription(here), ...initial])}readonly ${keyText(key)}${isNeeded ? '' : '?'}: ${type};\n`;
  });
  return `{\n${fields.join('')}}`;
}
