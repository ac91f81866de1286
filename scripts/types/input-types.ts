import type * as z from 'zod';
import { allAddOns } from '../../src/compile/addons/all.js';
import { allComponents } from '../../src/compile/components/all.js';
import { documentKinds } from '../../src/compile/config/kinds/kinds.js';
import { ofedUpgradePolicy } from '../../src/shared/contract/operator-upgrade-policy.js';
import { upgradeSettings } from '../../src/shared/contract/upgrade-settings.js';
import { patch } from '../../src/compile/model/patch.js';
import { objectNames, type NamedKind } from '../../src/compile/model/shapes/object-name.js';
import { objectMetadata } from '../../src/compile/model/shapes/document.js';
import { globalConfig, imageSpec } from '../../src/compile/model/shapes/image-spec.js';
import { envVar, nodeAffinity, probe, toleration } from '../../src/compile/model/shapes/pod.js';
import { ipam } from '../../src/compile/networks/cni/ipam.js';
import { metaPlugins } from '../../src/compile/networks/cni/meta-plugins.js';
import { nameOfSchema } from '../../src/shared/kubernetes/api/object-schema.js';
import { interfaceOf } from './kubernetes-types.js';
import { comment, keyText } from './comments.js';
import { customResourceTypeNames, customResourceTypes } from './custom-resource-types.js';

/** A mapping, or a choice of several, that gets its own name; others are written in place. */
interface NamedType {
  readonly name: string;
  readonly schema: z.ZodType;
  /** For a schema without one. */
  readonly description?: string;
}

type Shape = Readonly<Record<string, Schema>>;

/** The part of zod's definitions that our schemas consist of. */
type Definition = Value | Wrapper;
type Value =
  | { readonly type: 'object'; readonly shape: Shape; readonly catchall?: Schema }
  | { readonly type: 'array'; readonly element: Schema }
  | { readonly type: 'record'; readonly valueType: Schema }
  | { readonly type: 'union'; readonly options: readonly Schema[] }
  | { readonly type: 'literal'; readonly values: readonly unknown[] }
  | { readonly type: 'enum'; readonly entries: Readonly<Record<string, unknown>> }
  | { readonly type: 'string' | 'number' | 'boolean' | 'unknown' | 'never' };
type Wrapper =
  | { readonly type: 'pipe'; readonly in: Schema }
  | { readonly type: 'lazy'; readonly getter: () => Schema }
  | { readonly type: 'default'; readonly innerType: Schema; readonly defaultValue: unknown }
  | { readonly type: 'optional' | 'prefault'; readonly innerType: Schema };

interface Schema<D = Definition> {
  readonly description?: string | undefined;
  readonly _zod: { readonly def: D; readonly optin?: string | undefined };
}

const HEAD = `/**
 * The documents and their sections as people write them. \`npm run types\` writes this file from the zod schemas: types that
 * TypeScript infers from a schema have no documentation, which editors show here for each field.
 */
import type { NamedObject } from './named-object.js';
`;

const ofKubernetes = new Set<string>();

/** The text of the file with a type for each kind of document and each section, before it is formatted. */
export function inputTypes(): string {
  const names = new Map<unknown, string>();
  const named = namedTypes();
  for (const { name, schema } of named) names.set(identityOf(innermost(schema as unknown as Schema)), name);
  const kinds = documentKinds.map(({ kind }) => `${kind}Document`);
  const networks = documentKinds.filter(({ role }) => role === 'network').map(({ kind }) => `${kind}Document`);
  ofKubernetes.clear();
  const declarations = named.map((one) => declaration(one, names));
  const imported = [...ofKubernetes].map(interfaceOf).sort().join(', ');
  return [
    `${HEAD}import type { ${imported} } from './kubernetes-types.js';\n`,
    ...declarations,
    ...nameTypes(),
    ...customResourceTypes(),
    `/** A network of any kind. */\nexport type NetworkDocument = ${networks.join(' | ')};\n`,
    `/** A custom resource that goes to the output as it is. */\nexport type CustomResourceDocument = ${customResourceTypeNames.join(' | ')};\n`,
    `/** A document of any kind that Weft knows. */\nexport type InputDocument = ${[...kinds, 'CustomResourceDocument'].join(' | ')};\n`,
  ].join('\n');
}

/** The types of Kubernetes that the documents have. */
export function kubernetesTypesOfInput(): ReadonlySet<string> {
  inputTypes();
  return ofKubernetes;
}

function namedTypes(): readonly NamedType[] {
  const cluster = documentKinds.find(({ kind }) => kind === 'Cluster')?.schema ?? patch;
  return [
    ...documentKinds.map(({ kind, schema }) => ({ name: `${kind}Document`, schema })),
    ...documentKinds
      .filter(({ role }) => role !== 'config-map')
      .map(({ kind, schema }) => ({ name: `${kind}SpecInput`, schema: inside(schema, 'spec') })),
    ...[...allComponents, ...allAddOns].map(({ id, schema }) => ({ name: `${pascalCase(id)}Input`, schema })),
    { name: 'GlobalInput', schema: globalConfig },
    { name: 'OfedUpgradePolicyInput', schema: ofedUpgradePolicy },
    { name: 'UpgradeInput', schema: upgradeSettings },
    { name: 'CompanionInput', schema: inside(cluster, 'spec', 'companion') },
    { name: 'PatchInput', schema: patch },
    { name: 'NodePoolInput', schema: inside(cluster, 'spec', 'nodePools') },
    { name: 'IpamInput', schema: ipam },
    { name: 'MetaPluginsInput', schema: metaPlugins },
    { name: 'NodeAffinityInput', schema: nodeAffinity, description: 'Which nodes pods may and should run on.' },
    { name: 'TolerationInput', schema: toleration, description: 'A toleration.' },
    { name: 'ContainerResourcesInput', schema: inside(imageSpec, 'containerResources') },
    { name: 'EnvVarInput', schema: envVar, description: 'An environment variable.' },
    { name: 'ProbeInput', schema: probe, description: 'Timing of a probe.' },
    { name: 'DocumentMetadataInput', schema: inside(cluster, 'metadata') },
    { name: 'ObjectMetadataInput', schema: objectMetadata },
  ];
}

/** The schema of a field; of a list that of its entries. */
function inside(schema: z.ZodType, ...keys: readonly string[]): z.ZodType {
  let found: Schema | undefined = schema as unknown as Schema;
  for (const key of keys) {
    const { def }: { def: Value } = innermost(found)._zod;
    found = def.type === 'object' ? def.shape[key] : undefined;
    if (found === undefined) throw new Error(`there is no field \`${keys.join('.')}\``);
    const field: Value = innermost(found)._zod.def;
    if (field.type === 'array') found = field.element;
  }
  return found as unknown as z.ZodType;
}

function pascalCase(id: string): string {
  return id.replace(/(?:^|-)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function declaration({ name, schema, description }: NamedType, names: ReadonlyMap<unknown, string>): string {
  const given = schema as unknown as Schema;
  const text = descriptionOf(given) ?? description;
  if (text === undefined) throw new Error(`the schema of \`${name}\` has no description`);
  const { def } = innermost(given)._zod;
  const head = comment([text]);
  if (def.type === 'object') return `${head}export interface ${name} ${mappingText(def, name, names)}\n`;
  return `${head}export type ${name} = ${definitionText(def, name, names)};\n`;
}

/** The schema inside of defaults and the like. */
function innermost(schema: Schema): Schema<Value> {
  const { def } = schema._zod;
  if (def.type === 'pipe') return innermost(def.in);
  if (def.type === 'lazy') return innermost(made(def.getter));
  return 'innerType' in def ? innermost(def.innerType) : (schema as Schema<Value>);
}

/** Schemas by the function that creates them, because each call would create another one. */
const lazySchemas = new Map<() => Schema, Schema>();

function made(getter: () => Schema): Schema {
  const schema = lazySchemas.get(getter) ?? getter();
  lazySchemas.set(getter, schema);
  return schema;
}

/** What copies of a schema have in common, such as those that \`.describe()\` makes. */
function identityOf({ _zod: { def } }: Schema<Value>): unknown {
  if (def.type === 'object') return def.shape;
  return def.type === 'union' ? def.options : def;
}

function descriptionOf(schema: Schema): string | undefined {
  const { def } = schema._zod;
  if (schema.description !== undefined) return schema.description;
  if (def.type === 'pipe') return descriptionOf(def.in);
  if (def.type === 'lazy') return descriptionOf(made(def.getter));
  return 'innerType' in def ? descriptionOf(def.innerType) : undefined;
}

function kubernetesText(schema: Schema<Value>): string | undefined {
  const name = nameOfSchema(schema as unknown as z.ZodType);
  if (name === undefined) return undefined;
  ofKubernetes.add(name);
  return interfaceOf(name);
}

function typeText(schema: Schema, path: string, names: ReadonlyMap<unknown, string>): string {
  const inner = innermost(schema);
  const named = objectNames.get(inner as never);
  const text = named
    ? nameType(named.kind)
    : (kubernetesText(inner) ?? names.get(identityOf(inner)) ?? definitionText(inner._zod.def, path, names));
  return inner === schema || text === 'unknown' || isGiven(schema) ? text : `${text} | undefined`;
}

const nameType = (kind: NamedKind): string => `${kind}Name`;

function nameTypes(): readonly string[] {
  const kinds: readonly NamedKind[] = ['ConfigMap', 'Secret', 'PersistentVolumeClaim'];
  return kinds.map((kind) => {
    const text = `The name of a ${kind}; to a construct also the ${kind} of the program, which must be in the namespace of the pods.`;
    return `${comment([text])}export type ${nameType(kind)} = string | NamedObject;\n`;
  });
}

/** Whether a value is needed. */
const isGiven = ({ _zod: { optin } }: Schema): boolean => optin === undefined;

function definitionText(def: Value, path: string, names: ReadonlyMap<unknown, string>): string {
  const inner = (one: Schema) => typeText(one, path, names);
  switch (def.type) {
    case 'object':
      return mappingText(def, path, names);
    case 'array':
      return `readonly (${inner(def.element)})[]`;
    case 'record':
      return `Readonly<Record<string, ${inner(def.valueType)}>>`;
    case 'union':
      return [...new Set(def.options.map(inner))].join(' | ');
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'enum':
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(' | ');
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
    case 'never':
      return def.type;
    default:
      throw new Error(`the type of \`${path}\` is not known: ${(def as Definition).type}`);
  }
}

function mappingText(
  { shape, catchall }: Extract<Value, { type: 'object' }>,
  path: string,
  names: ReadonlyMap<unknown, string>,
): string {
  const fields = Object.entries(shape).map(([key, field]) => fieldText(key, field, `${path}.${key}`, names));
  const isOpen = catchall !== undefined && catchall._zod.def.type !== 'never';
  return `{\n${fields.join('')}${isOpen ? 'readonly [key: string]: unknown;\n' : ''}}`;
}

function fieldText(key: string, field: Schema, path: string, names: ReadonlyMap<unknown, string>): string {
  const description = descriptionOf(field);
  if (description === undefined) throw new Error(`the schema of \`${path}\` has no description`);
  const mark = isGiven(field) ? '' : '?';
  return `${comment(documentation(description, field))}readonly ${keyText(key)}${mark}: ${typeText(field, path, names)};\n`;
}

/** The description, and the default as a tag: as JSON, or in the words of the description's last sentence. */
function documentation(description: string, field: Schema): readonly string[] {
  const [, before = '', words = ''] = /^(.+?) Default: ((?:[^.]|\.(?! ))+?)\.?$/s.exec(description) ?? [];
  const value = defaultOf(field);
  if (value !== undefined) return [description, `@default ${value}`];
  return words === '' ? [description] : [before, `@default - ${words}`];
}

/** As JSON; the defaults of a mapping are those of its fields. */
function defaultOf({ _zod: { def } }: Schema): string | undefined {
  if (def.type === 'default') {
    return innermost(def.innerType)._zod.def.type === 'object' ? undefined : JSON.stringify(def.defaultValue);
  }
  return 'innerType' in def && def.type !== 'prefault' ? defaultOf(def.innerType) : undefined;
}
