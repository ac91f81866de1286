import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findGo } from '../../test/cluster/bed/binaries.js';
import type { KubernetesSchemas, ObjectSchema } from '../../test/generate/object-schemas.js';

/**
 * `npx tsx scripts/generate/kubernetes-schemas.ts` writes `test/generate/kubernetes.json`: the schemas of Kubernetes' own kinds, as
 * its repository publishes them, without descriptions, and those of kinds of the Prometheus Operator. The release of
 * Kubernetes is the one that `test/cluster` runs. Needs Go, which fetches the repositories as modules.
 */
const TARGET = 'test/generate/kubernetes.json';
const MODULE = 'k8s.io/kubernetes';
const FOLDER = 'api/openapi-spec/v3';

/** Definitions of the Prometheus Operator for kinds that users write next to the policies, in a version that the checksum database has. */
const MONITORING = { project: 'prometheus-operator/prometheus-operator', version: 'v0.85.0' };
const MONITORING_FOLDER = 'example/prometheus-operator-crd';
const MONITORING_PLURALS = ['podmonitors', 'prometheusrules', 'servicemonitors'];

/** API groups whose objects users write, in their stable versions. */
const GROUPS = [
  'api__v1',
  'apis__admissionregistration.k8s.io__v1',
  'apis__apiextensions.k8s.io__v1',
  'apis__apiregistration.k8s.io__v1',
  'apis__apps__v1',
  'apis__autoscaling__v1',
  'apis__autoscaling__v2',
  'apis__batch__v1',
  'apis__certificates.k8s.io__v1',
  'apis__coordination.k8s.io__v1',
  'apis__discovery.k8s.io__v1',
  'apis__events.k8s.io__v1',
  'apis__flowcontrol.apiserver.k8s.io__v1',
  'apis__networking.k8s.io__v1',
  'apis__node.k8s.io__v1',
  'apis__policy__v1',
  'apis__rbac.authorization.k8s.io__v1',
  'apis__resource.k8s.io__v1',
  'apis__scheduling.k8s.io__v1',
  'apis__storage.k8s.io__v1',
];

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
/** The API server parses amounts when it decodes; the OpenAPI says so in words only (apimachinery, pkg/api/resource/quantity.go). */
const QUANTITY_PATTERN =
  '^[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))?$';

const KEPT = [
  '$ref',
  'additionalProperties',
  'default',
  'enum',
  'format',
  'items',
  'oneOf',
  'properties',
  'required',
  'type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-patch-strategy',
];

type Json = Readonly<Record<string, unknown>>;

function moduleFolder(module: string, version: string): string {
  const go = findGo();
  if (go === undefined) throw new Error('Go is not installed');
  const answer = execFileSync(go, ['mod', 'download', '-json', `${module}@${version}`], { cwd: 'test/cluster' });
  return (JSON.parse(answer.toString()) as { readonly Dir: string }).Dir;
}

/** The schema with the keywords that can fail; a reference is the name of its definition. */
function reduced(schema: Json): ObjectSchema {
  const { allOf, anyOf, ...own } = schema as Json & { readonly allOf?: readonly [Json]; readonly anyOf?: unknown };
  const isPort = schema['x-kubernetes-int-or-string'] === true;
  const merged: Json = { ...own, ...allOf?.[0], ...(isPort && { oneOf: anyOf }) };
  const entries = Object.entries(merged).filter(([key, value]) => KEPT.includes(key) && !isNothing(key, value));
  return Object.fromEntries(entries.map(([key, value]) => [key, reducedPart(key, value)]));
}

/** Defaults matter where a list is keyed by them, and there they are words. */
function isNothing(key: string, value: unknown): boolean {
  return (key === 'default' && (typeof value !== 'string' || value === '')) || value === 'atomic';
}

function reducedPart(key: string, value: unknown): unknown {
  switch (key) {
    case '$ref':
      return String(value).split('/').at(-1);
    case 'properties':
      return Object.fromEntries(Object.entries(value as Json).map(([name, inner]) => [name, reduced(inner as Json)]));
    case 'items':
    case 'additionalProperties':
      return typeof value === 'object' ? reduced(value as Json) : value;
    case 'oneOf':
      return (value as readonly Json[]).map(reduced);
    default:
      return value;
  }
}

/** The kinds that a file's schemas define, as `apiVersion kind`. Kinds of every group, such as DeleteOptions, and lists are no objects. */
function kindOf(schema: Json): string | undefined {
  const [kind, ...others] = (schema['x-kubernetes-group-version-kind'] ?? []) as readonly Record<string, string>[];
  if (!kind || others.length > 0 || kind['kind']?.endsWith('List')) return undefined;
  return `${[kind['group'], kind['version']].filter(Boolean).join('/')} ${kind['kind']}`;
}

const schemasOf = (path: string): Readonly<Record<string, Json>> =>
  (JSON.parse(readFileSync(path, 'utf8')) as { readonly components: { readonly schemas: Record<string, Json> } })
    .components.schemas;

/** Kinds of versions that are not stable, and of groups whose objects users do not write. */
function otherKinds(folder: string): readonly string[] {
  const files = readdirSync(join(folder, FOLDER)).filter((name) => /^apis?__.*_openapi\.json$/.test(name));
  const others = files.filter((name) => !GROUPS.includes(name.replace('_openapi.json', '')));
  const kinds = others.flatMap((name) => Object.values(schemasOf(join(folder, FOLDER, name))).map(kindOf));
  return [...new Set(kinds.flatMap((kind) => kind ?? []))];
}

function readSchemas(folder: string): Omit<KubernetesSchemas, 'source' | 'custom'> {
  const kinds: Record<string, string> = {};
  const definitions: Record<string, ObjectSchema> = {};
  for (const group of GROUPS) {
    for (const [name, schema] of Object.entries(schemasOf(join(folder, FOLDER, `${group}_openapi.json`)))) {
      definitions[name] = name === QUANTITY ? { type: 'number-or-string', pattern: QUANTITY_PATTERN } : reduced(schema);
      const kind = kindOf(schema);
      if (kind !== undefined) kinds[kind] = name;
    }
  }
  const others = otherKinds(folder).filter((kind) => !(kind in kinds));
  return { kinds, otherKinds: others.sort(), definitions: reachable(Object.values(kinds), definitions) };
}

/** The schemas of custom resources, by `apiVersion kind`. */
function customSchemas(folder: string): Readonly<Record<string, ObjectSchema>> {
  const schemas = MONITORING_PLURALS.flatMap((plural) => {
    const text = readFileSync(join(folder, MONITORING_FOLDER, `monitoring.coreos.com_${plural}.yaml`), 'utf8');
    const { spec } = parse(text) as CustomResourceDefinition;
    return spec.versions.map(({ name, schema }): [string, ObjectSchema] => [
      `${spec.group}/${name} ${spec.names.kind}`,
      reduced(schema.openAPIV3Schema),
    ]);
  });
  return Object.fromEntries(schemas);
}

interface CustomResourceDefinition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Json } }[];
  };
}

function reachable(roots: readonly string[], all: Record<string, ObjectSchema>): Record<string, ObjectSchema> {
  const found: Record<string, ObjectSchema> = {};
  const visit = (name: string): void => {
    const definition = all[name];
    if (found[name] || !definition) return;
    found[name] = definition;
    for (const [, next = ''] of JSON.stringify(definition).matchAll(/"\$ref":"([^"]+)"/g)) visit(next);
  };
  roots.forEach(visit);
  return found;
}

/** One line for each entry, so that the diff of a new release is readable. */
function lines(entries: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',\n');
}

const [, version = ''] =
  /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync('test/cluster/controlplane/go.mod', 'utf8')) ?? [];
const source = { project: 'kubernetes/kubernetes', file: `${FOLDER}/*_openapi.json`, version };
const { kinds, otherKinds: others, definitions } = readSchemas(moduleFolder(MODULE, version));
const custom = {
  source: { ...MONITORING, file: `${MONITORING_FOLDER}/*.yaml` },
  kinds: customSchemas(moduleFolder(`github.com/${MONITORING.project}`, MONITORING.version)),
};
writeFileSync(
  TARGET,
  `{\n"source":${JSON.stringify(source)},\n"kinds":{\n${lines(kinds)}\n},\n"otherKinds":[\n${others.map((kind) => JSON.stringify(kind)).join(',\n')}\n],\n"custom":{"source":${JSON.stringify(custom.source)},"kinds":{\n${lines(custom.kinds)}\n}},\n"definitions":{\n${lines(definitions)}\n}\n}\n`,
);
