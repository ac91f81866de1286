import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { createDelivery } from '../../src/compile/gitops/delivery.js';
import { createFleet } from '../../src/compile/gitops/fleet.js';
import { isObject } from '../../src/shared/lib/json.js';
import type { ApiObject } from '../../src/compile/render/layout.js';
import { clusterText, compile, PLAIN_CLUSTER, UBUNTU_POOL } from '../golden/compile.js';

/** A structural schema. */
type Schema = Readonly<Record<string, unknown>>;

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

// Optimizing the code of a validator would take longer than all validations here.
const ajv = new Ajv({ strict: false, validateFormats: false, code: { optimize: false } });

/** The schema, but with objects that allow only known properties, because the API server would drop others. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (!isObject(schema)) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'properties'
        ? Object.fromEntries(Object.entries(value as Schema).map(([name, inner]) => [name, strict(inner)]))
        : ['items', 'additionalProperties'].includes(key)
          ? strict(value)
          : value,
    ]),
  );
  if (schema['x-kubernetes-int-or-string'] === true) return { ...copy, type: ['string', 'integer'] };
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in schema;
  return 'properties' in schema && !isOpen ? { ...copy, additionalProperties: false } : copy;
}

/** The schemas of a definition by `apiVersion kind`. */
function readDefinition(file: string): readonly (readonly [string, Schema])[] {
  const { crd } = JSON.parse(readFileSync(join(__dirname, 'crds', file), 'utf8')) as { readonly crd: Definition };
  const { group, names, versions } = crd.spec;
  return versions.map(({ name, schema }) => {
    const { properties, ...rest } = schema.openAPIV3Schema as { readonly properties: Schema };
    const whole = { ...rest, properties: { ...properties, metadata: { type: 'object' } } };
    return [`${group}/${name} ${names.kind}`, strict(whole) as Schema];
  });
}

const schemas = new Map(readdirSync(join(__dirname, 'crds')).flatMap(readDefinition));

function problemsOf(object: ApiObject): readonly string[] {
  const schema = schemas.get(`${object.apiVersion} ${object.kind}`);
  if (schema === undefined) return [`there is no definition of ${object.kind} of ${object.apiVersion}`];
  // Ajv compiles a schema once.
  const validate = ajv.compile(schema);
  validate(object);
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${object.kind} ${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

const REPOSITORY = 'repoURL: "git@git.example.com:platform/network.git"';
const SETTINGS = [
  `{argocd: {${REPOSITORY}}}`,
  `{argocd: {${REPOSITORY}, targetRevision: main, appProject: true, project: network, destination: {server: "https://10.0.0.1:6443"}}}`,
  `{argocd: {${REPOSITORY}, appProject: true, project: network, applicationSet: {name: network}}}`,
  `{argocd: {${REPOSITORY}, applicationSet: {name: network, generator: list}}}`,
  `{argocd: {${REPOSITORY}, applicationSet: {name: network, generator: list, waves: {label: stage, order: [canary, main]}}}}`,
  '{argocd: {repoURL: "oci://registry.example.com/network", targetRevision: main, appProject: true, project: network, applicationSet: {name: network, generator: list}}}',
  '{flux: {}}',
  '{flux: {source: {name: network, url: "https://git.example.com/network.git", tag: v1, secretName: login}}}',
  '{flux: {source: {kind: OCIRepository, name: network, url: "oci://registry.example.com/network", semver: ">=1.0"}, serviceAccountName: network}}',
  `{flux: {source: {kind: OCIRepository, name: network, url: "oci://registry.example.com/network", digest: "sha256:${'a'.repeat(64)}"}}}`,
];

/** The objects for a controller: those of the cluster's folder, and those of a fleet. */
function controllerObjects(gitops: string): readonly ApiObject[] {
  const cluster = clusterText(`  release: v26.7\n  gitops: ${gitops}\n  nodePools:\n${UBUNTU_POOL}`);
  const { config, placed, diagnostics } = compile({ 'cluster.yaml': cluster });
  if (config === undefined) throw new Error(JSON.stringify(diagnostics));
  const fleet = createFleet();
  fleet.take(config.cluster);
  const { manifests } = createDelivery()(config.cluster, placed as never);
  return [...manifests, ...fleet.files()]
    .map(({ object }) => object)
    .filter(({ apiVersion }) => /argoproj|fluxcd/.test(apiVersion));
}

describe('objects for a controller are what its definitions allow', () => {
  it.each(SETTINGS)('%s', (gitops) => {
    const objects = controllerObjects(gitops);
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.flatMap(problemsOf)).toEqual([]);
  });

  it('and there are none without settings', () => {
    const { config, placed } = compile({ 'cluster.yaml': PLAIN_CLUSTER });
    const { manifests } = createDelivery()({ name: 'east', spec: config?.cluster.spec as never }, placed as never);
    expect(manifests.filter(({ object }) => /argoproj|fluxcd/.test(object.apiVersion))).toEqual([]);
  });

  it('an unknown field, a wrong value and a missing field are found', () => {
    const [application] = controllerObjects(SETTINGS[0] ?? '');
    const spec = application?.['spec'] as Readonly<Record<string, unknown>>;
    const broken = { ...application, spec: { ...spec, prune: true, project: 1, destination: undefined } };
    const found = problemsOf(JSON.parse(JSON.stringify(broken)) as ApiObject).join('\n');
    expect(found).toMatch(/destination/);
    const [kustomization] = controllerObjects('{flux: {}}');
    const other = { ...kustomization, spec: { ...(kustomization?.['spec'] as object), interval: 'soon' } };
    expect(problemsOf(other as ApiObject)).toEqual([
      expect.stringMatching(/^Kustomization \/spec\/interval: must match pattern/),
    ]);
  });
});
