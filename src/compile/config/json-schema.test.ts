import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { schemaOf, schemaOfAll } from './json-schema.js';
import { customKinds } from './kinds/extra-object.js';
import { documentKinds } from './kinds/kinds.js';
import { loadYaml } from '../load/yaml/yaml.js';

type Node = Readonly<Record<string, unknown>>;

const ROOT = join(__dirname, '../../..');

/** What the API server writes into metadata; it is read and ignored, so there is nothing to say about it. */
const SERVER_FIELDS =
  /\.metadata\.(?:creationTimestamp|deletionGracePeriodSeconds|deletionTimestamp|finalizers|generateName|generation|managedFields|ownerReferences|resourceVersion|selfLink|uid)$/;

/** Every option below a schema, with its own schema. */
function* optionsOf(node: unknown, path: string): Iterable<readonly [string, Node]> {
  if (Array.isArray(node)) {
    for (const inner of node) yield* optionsOf(inner, path);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  for (const [key, inner] of Object.entries(node as Node)) {
    // Types of Kubernetes, whose fields are described in its own reference.
    if (key === '$defs') continue;
    if (key !== 'properties') yield* optionsOf(inner, path);
    else {
      for (const [name, option] of Object.entries(inner as Node)) {
        yield [`${path}.${name}`, option as Node];
        yield* optionsOf(option, `${path}.${name}`);
      }
    }
  }
}

/** The documents of the examples and of the tests' inputs that are accepted. */
function inputFiles(): readonly string[] {
  const folders = ['clusters', 'test/golden'].flatMap((parent) =>
    readdirSync(join(ROOT, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(ROOT, parent, name, parent === 'clusters' ? '.' : 'input')),
  );
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /\.(?:yaml|json)$/.test(path));
}

describe('the JSON Schema', () => {
  const all = schemaOfAll();
  const schemaOfInput = z.fromJSONSchema(JSON.parse(JSON.stringify(all)) as never);
  const isAccepted = (value: unknown) => schemaOfInput.safeParse(value).success;

  it('is JSON, and one schema for each kind', () => {
    expect(JSON.parse(JSON.stringify(all))).toEqual(all);
    // And one for all other objects, one for those in each API version of custom resources, and one for lists.
    const versions = new Set(customKinds().map(({ apiVersion }) => apiVersion)).size;
    expect(all.oneOf).toHaveLength(documentKinds.length + customKinds().length + versions + 2);
    expect(all.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  it.each(documentKinds)('of $kind says what every option means', (kind) => {
    const silent = [...optionsOf(schemaOf(kind), kind.kind)]
      .filter(([path, option]) => !option['description'] && !SERVER_FIELDS.test(path))
      .map(([path]) => path);
    // A mapping above several sections has no description; its sections have.
    expect(silent.filter((path) => path !== 'NicClusterPolicy.spec.secondaryNetwork')).toEqual([]);
  });

  it('knows what is required, what is allowed, and what things look like', () => {
    const cluster = documentKinds.find(({ kind }) => kind === 'Cluster');
    if (!cluster) throw new Error('there is no kind Cluster');
    const options = new Map(optionsOf(schemaOf(cluster), 'Cluster'));
    expect(options.get('Cluster.spec')).toMatchObject({ required: ['nodePools'], additionalProperties: false });
    expect(options.get('Cluster.spec.platform')).toMatchObject({
      type: 'string',
      enum: ['kubernetes', 'openshift'],
      default: 'kubernetes',
    });
    expect(options.get('Cluster.spec.kubernetesVersion')).toHaveProperty('pattern');
    expect(options.get('Cluster.kind')).toMatchObject({ const: 'Cluster' });
  });

  it('lets every example and every input of the goldens pass', () => {
    const files = inputFiles();
    expect(files.length).toBeGreaterThan(5);
    const schemas = new Map(
      documentKinds.map((one) => [one.kind, z.fromJSONSchema(JSON.parse(JSON.stringify(schemaOf(one))) as never)]),
    );
    for (const path of files) {
      const { documents, diagnostics } = loadYaml(path, readFileSync(path, 'utf8'));
      expect(diagnostics).toEqual([]);
      for (const { value } of documents) {
        expect([path, isAccepted(value)]).toEqual([path, true]);
        // Other objects go to the output as they are, and have no schema.
        const schema = schemas.get(String((value as { kind?: unknown }).kind));
        expect([path, schema?.safeParse(value).error?.issues ?? []]).toEqual([path, []]);
      }
    }
  });

  const other = (apiVersion: string, kind: string, more = {}) => ({
    apiVersion,
    kind,
    metadata: { name: 'a' },
    ...more,
  });
  const pool = (spec: object) =>
    other('nv-ipam.nvidia.com/v1alpha1', 'IPPool', { spec: { perNodeBlockSize: 10, ...spec } });
  const lists = (items: readonly unknown[]) => ({ apiVersion: 'v1', kind: 'List', metadata: {}, items });
  it.each([
    {
      name: 'an object of another kind',
      value: other('example.com/v1alpha1', 'IPPool', { spec: {} }),
      is: true,
    },
    { name: 'a custom resource', value: pool({ subnet: '10.0.0.0/16', gateway: '10.0.0.1' }), is: true },
    { name: 'a custom resource without a field', value: pool({ gateway: '10.0.0.1' }), is: false },
    { name: 'a custom resource with a typo', value: pool({ subnet: '10.0.0.0/16', gatway: '10.0.0.1' }), is: false },
    {
      name: 'another kind of its API',
      value: other('k8s.cni.cncf.io/v1', 'MultiNetworkPolicy', { spec: {} }),
      is: true,
    },
    { name: 'one of its kinds in another API', value: other('example.com/v1', 'CIDRPool', { spec: {} }), is: true },
    { name: 'a Cluster of others', value: other('cluster.x-k8s.io/v1beta1', 'Cluster', { spec: {} }), is: true },
    { name: 'an export', value: lists([other('mellanox.com/v1alpha1', 'NicClusterPolicy', { spec: {} })]), is: true },
    { name: 'a list in a list', value: lists([lists([])]), is: true },
    { name: 'a typo in a list', value: lists([other('mellanox.com/v1alpha1', 'NicClusterPolcy')]), is: false },
    { name: 'a typo in a kind', value: other('mellanox.com/v1alpha1', 'MacVlanNetwork'), is: false },
    { name: 'a kind of ours in another version', value: other('mellanox.com/v1', 'MacvlanNetwork'), is: false },
    { name: 'a kind of ours in another group', value: other('melanox.com/v1alpha1', 'MacvlanNetwork'), is: false },
    { name: 'our Cluster with an error', value: other('weft.dev/v1alpha1', 'Cluster', { spec: {} }), is: false },
    { name: 'a ConfigMap with an error', value: other('v1', 'ConfigMap', { dta: {} }), is: false },
    { name: 'a Secret', value: other('v1', 'Secret'), is: false },
    { name: 'an object without a name', value: { ...other('v1', 'Service'), metadata: {} }, is: false },
  ])('of all kinds says whether $name is input', ({ value, is }) => {
    expect(isAccepted(value)).toBe(is);
  });

  const refused: readonly { readonly name: string; readonly kind: string; readonly document: unknown }[] = [
    { name: 'an unknown key', kind: 'Cluster', document: { spec: { nodePools: [], node: 1 } } },
    { name: 'a missing key', kind: 'Cluster', document: { spec: {} } },
    { name: 'a value that is not allowed', kind: 'Cluster', document: { spec: { nodePools: [], platform: 'x' } } },
    { name: 'a number for text', kind: 'NicClusterPolicy', document: { spec: { ofedDriver: { version: 25.1 } } } },
  ];
  it.each(refused)('refuses $name, as the command does', ({ kind: name, document }) => {
    const kind = documentKinds.find((one) => one.kind === name);
    if (!kind) throw new Error(`there is no kind ${name}`);
    const value = { apiVersion: kind.apiVersion, kind: name, metadata: { name: 'a' }, ...(document as object) };
    const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(schemaOf(kind))) as never);
    expect(schema.safeParse(value).success).toBe(false);
    expect(kind.schema.safeParse(value).success).toBe(false);
  });
});

it('every property of every kind of ours has a description, which editors show', () => {
  interface Schema {
    readonly description?: string;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly anyOf?: readonly Schema[];
    readonly oneOf?: readonly Schema[];
    readonly items?: Schema;
    readonly additionalProperties?: Schema | boolean;
  }
  const without = (schema: Schema, path: string): readonly string[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
      ...(field.description === undefined ? [`${path}.${key}`] : []),
      ...without(field, `${path}.${key}`),
    ]),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((option) => without(option, path)),
    ...(schema.items ? without(schema.items, `${path}[]`) : []),
    ...(typeof schema.additionalProperties === 'object' ? without(schema.additionalProperties, `${path}.*`) : []),
  ];
  expect(documentKinds.flatMap((kind) => without(schemaOf(kind) as Schema, kind.kind))).toEqual([]);
});
