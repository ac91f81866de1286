import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Crd, crdNames, OWN_KINDS, readCrd, specOf } from './conformance/recorded.js';
import { exampleOf, type Leaf, leavesOf, replaced } from './crds/example.js';
import { alternatives, customValues, values, withoutPlace } from './crds/pass-through.js';
import { compile } from './golden/compile.js';
import { shareOf } from './kit/shares.js';

interface Document {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}

const leavesIn = ({ spec }: Document): readonly Leaf[] => leavesOf(spec, ['spec'], 'spec');

/** A Cluster with everything that the policies need, such as ConfigMaps of the names in the policy. */
function clusterFor(document: Document): unknown {
  const names = leavesIn(document).flatMap(({ field, value }) => (/Config\.name$/.test(field) ? [value] : []));
  return {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'east' },
    spec: {
      nodePools: [
        {
          name: 'workers',
          osName: 'ubuntu',
          osVersion: '24.04',
          arch: 'amd64',
          kernel: '6.8.0-31-generic',
          labels: { 'example.com/pool': 'text-of-pool' },
        },
      ],
      driver: {
        initContainerImage: 'registry.example.com/init:1',
        precompiledTags: ['doca3.4.0-26.04-0.8.6.0-0-6.8.0-31-generic-ubuntu24.04-amd64'],
      },
      existingConfigMaps: names.map((name) => ({ name, keys: ['a.conf'] })),
    },
  };
}

/** The objects of a document, as text. */
function outputOf(document: Document): string {
  const files = { 'cluster.yaml': JSON.stringify(clusterFor(document)), 'document.yaml': JSON.stringify(document) };
  const { placed, diagnostics } = compile(files);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return JSON.stringify(placed.map(({ object }) => object));
}

function documentOf(kind: string, spec: unknown): Document {
  const name = kind === 'NicClusterPolicy' ? 'nic-cluster-policy' : 'example';
  return { apiVersion: 'mellanox.com/v1alpha1', kind, metadata: { name }, spec };
}

const isUnique = (value: unknown) => /(?:^|\D)[1-9]\d{3}(?:\D|$)/.test(String(value));
const isIn = (output: string, value: unknown) =>
  new RegExp(`(?<!\\d)${String(value).replace(/[^\w-]/g, '.{1,4}?')}(?!\\d)`).test(output);

/** Whether a field arrives: a unique value appears in the output; for other values, a change of the value changes the output. */
function arrives({ path, field, value }: Leaf, document: Document, output: string): boolean {
  const other = typeof value === 'boolean' ? !value : alternatives.find(([pattern]) => pattern.test(field))?.[1];
  if (isUnique(value) || other === undefined) return isIn(output, value);
  return outputOf(replaced(document, path, other) as Document) !== output;
}

/** One of so many fields is tried; with `WEFT_ALL_CASES=1` each of them. */
const SHARE = 3;

function lost(document: Document): readonly string[] {
  const output = outputOf(document);
  const leaves = leavesIn(document).filter((leaf) => !withoutPlace.some(({ field }) => field.test(leaf.field)));
  return shareOf(leaves, SHARE)
    .filter((leaf) => !arrives(leaf, document, output))
    .map(({ path, value }) => `${path.join('.')}: ${String(value)}`);
}

describe('every field of our input kinds arrives in the output', () => {
  it.each(Object.entries(OWN_KINDS))('%s', (kind, crd) => {
    const spec = exampleOf(specOf(readCrd(crd)), values) as object;
    // `global` applies only to sections that lack the field: see below.
    const sections = Object.fromEntries(Object.entries(spec).filter(([key]) => key !== 'global'));
    expect(lost(documentOf(kind, sections))).toEqual([]);
  });

  it('NicClusterPolicy global', () => {
    const { global } = exampleOf(specOf(readCrd('nicclusterpolicies.mellanox.com')), values) as { global: unknown };
    expect(leavesOf(global, [], '')).toHaveLength(3);
    expect(lost(documentOf('NicClusterPolicy', { global, nvIpam: { image: 'nvidia-k8s-ipam' } }))).toEqual([]);
  });

  it('and the example has more than 250 fields', () => {
    const spec = exampleOf(specOf(readCrd('nicclusterpolicies.mellanox.com')), values);
    expect(leavesOf(spec, ['spec'], 'spec').length).toBeGreaterThan(250);
  });

  it('except for those that are listed here', () => {
    const fields = Object.values(OWN_KINDS).flatMap((crd) =>
      leavesOf(exampleOf(specOf(readCrd(crd)), values), ['spec'], 'spec').map(({ field }) => field),
    );
    expect(withoutPlace.filter(({ field }) => !fields.some((one) => field.test(one)))).toEqual([]);
  });

  it('and a lost field is detected', () => {
    const document = documentOf('NicClusterPolicy', {
      nvIpam: { image: 'a', repository: 'b', version: '1', enableWebhook: false },
    });
    const output = outputOf(document);
    const leaf = (field: string, value: unknown): Leaf => ({ path: ['spec', 'nvIpam', field], field, value });
    expect(arrives(leaf('version', '2222'), document, output)).toBe(false);
    expect(arrives(leaf('enableWebhook', false), document, output)).toBe(true);
  });
});

type Version = ReturnType<typeof readCrd>['spec']['versions'][number];

const bodyOf = ({ schema }: Version) => schema.openAPIV3Schema.properties?.['spec'] ?? {};
const fieldsOfExample = (body: unknown) =>
  leavesOf(body, ['spec'], 'spec').map(({ field }) => field.replace(/\d+/g, ''));

describe('every field of the kinds that components and add-ons bring arrives in the output', () => {
  const folder = join(__dirname, '../src/compile/crds');
  const ours = (name: string) => (JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { crd: Crd }).crd;
  // CRDs that no operator installs are not among the recorded ones.
  const readAny = (name: string) => (crdNames().includes(name) ? readCrd(name) : ours(name));
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''))
    .filter((name) => Object.keys(bodyOf(readAny(name).spec.versions[0] as Version)).length > 0);

  it.each(names)('%s', (name) => {
    const { spec } = readAny(name);
    const missing = new Set(spec.versions.flatMap((version) => fieldsOfExample(exampleOf(bodyOf(version), []))));
    for (const version of spec.versions) {
      for (const values of customValues) {
        // The operator takes one name only.
        const own = spec.names.kind === 'SriovOperatorConfig' ? 'default' : 'example';
        const metadata = { name: own, ...(spec.scope === 'Namespaced' && { namespace: 'example' }) };
        // Removes fields without a value in this example.
        const body = JSON.parse(JSON.stringify(exampleOf(bodyOf(version), values))) as unknown;
        const object = { apiVersion: `${spec.group}/${version.name}`, kind: spec.names.kind, metadata, spec: body };
        const files = { 'cluster.yaml': JSON.stringify(clusterFor(object)), 'object.yaml': JSON.stringify(object) };
        const { placed, diagnostics } = compile(files);
        // Warnings about other requirements on the nodes do not matter here.
        const refused = diagnostics.filter(({ severity }) => severity === 'error');
        expect(refused.map(({ message }) => message)).toEqual([]);
        expect(placed.map((one) => one.object)).toContainEqual(object);
        for (const field of fieldsOfExample(body)) missing.delete(field);
      }
    }
    expect([...missing]).toEqual([]);
  });
});
