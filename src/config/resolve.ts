import { codeInfo } from '../diagnostics/codes.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { compareText, isObject } from '../lib/json.js';
import { apiGroup } from '../lib/names.js';
import { imageReference } from '../lib/image-reference.js';
import { findRelease } from '../releases/catalog.js';
import type {
  Cluster,
  Config,
  Finding,
  Instance,
  KnownConfigMap,
  NetworkInstance,
  PassthroughObject,
  Rule,
} from './config.js';
import { readDocuments, type ReadDocuments, type ValidDocument } from './documents.js';
import { freeze } from './freeze.js';
import { kindOf } from './kind-of.js';
import { resolveInstances, resolvePolicy } from './instances.js';
import { isAddressPool } from './kinds/address-pools.js';
import { WEFT_API_VERSION, type ClusterSpec } from './kinds/cluster.js';
import type { ObjectMeta } from '../lib/kubernetes.js';
import type { ExtraObject } from './kinds/extra-object.js';
import type { ConfigMapDocument } from './kinds/config-map.js';
import { resolvePools } from './pools.js';
import { rules } from './rules/rules.js';
import type { LoadedDocuments, SourceDocument } from './yaml.js';

/** The configuration, where the input has no errors; and everything that is to be said about it, from loading on. */
export interface Resolved {
  readonly config?: Config;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Documents to configuration: each is validated, policies are expanded to instances, defaults, `global` and the release
 * fill what is left out, and the rules look at the whole. The order of the documents does not matter.
 */
export function resolve(loaded: Pick<LoadedDocuments, 'documents' | 'diagnostics'>): Resolved {
  const read = readDocuments(loaded.documents);
  const found = [...loaded.diagnostics, ...read.diagnostics];
  const clusters = ofRole(read.documents, 'cluster');
  const [cluster] = clusters;
  if (!cluster) return { diagnostics: [...found, ...missingCluster(loaded)] };
  const config = freeze(buildConfig(cluster, read));
  found.push(...clusters.slice(1).map((other) => secondCluster(other, cluster)));
  const isAllRead = !loaded.diagnostics.some(isError) && hasAllOffers(read);
  for (const rule of rules) if (isAllRead || !rule.needsAllDocuments) found.push(...applyRule(rule, config));
  return found.some(isError) ? { diagnostics: found } : { config, diagnostics: found };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/** Networks take and offer nothing; a ConfigMap that is broken is known by its name. */
function hasAllOffers({ broken, hasUnknown }: ReadDocuments): boolean {
  return !hasUnknown && !broken.some(({ kind: { role } }) => role === 'policy' || role === 'object');
}

function ofRole(documents: readonly ValidDocument[], role: ValidDocument['kind']['role']): readonly ValidDocument[] {
  return documents.filter(({ kind }) => kind.role === role);
}

function buildConfig(clusterDocument: ValidDocument, { documents, broken }: ReadDocuments): Config {
  const cluster = resolveCluster(clusterDocument);
  const release = cluster.spec.release === undefined ? undefined : findRelease(cluster.spec.release);
  const instances = new Map<string, Instance[]>();
  const policies = ofRole(documents, 'policy').map((valid) => {
    const policy = resolvePolicy(valid, cluster.pools);
    for (const [id, instance] of resolveInstances(valid, policy, { pools: cluster.pools, release })) {
      instances.set(id, [...(instances.get(id) ?? []), instance]);
    }
    return policy;
  });
  const configMapDocuments = ofRole(documents, 'config-map');
  return {
    cluster,
    policies,
    instances,
    networks: ofRole(documents, 'network').map(resolveNetwork),
    configMaps: knownConfigMaps(cluster, configMapDocuments, broken),
    passthrough: [
      ...configMapDocuments.map((valid) => passConfigMap(valid, cluster.namespace)),
      ...ofRole(documents, 'object').map((valid) => passObject(valid, cluster.namespace)),
    ],
  };
}

function resolveCluster({ document, name, value }: ValidDocument): Cluster {
  const { spec } = value as { spec: ClusterSpec };
  const origin = { document, path: [] };
  const image = findRelease(spec.release ?? '')?.images['NetworkOperatorInitContainer'];
  return {
    name,
    namespace: spec.namespace,
    isOpenshift: spec.platform === 'openshift',
    pools: resolvePools(spec, origin),
    spec,
    initContainerImage:
      spec.driver.initContainerImage ?? (image ? imageReference(image.repository, image.image, image.version) : ''),
    origin,
  };
}

function resolveNetwork({ document, kind, name, value }: ValidDocument): NetworkInstance {
  return { kind: kind.kind, name, spec: (value as { spec: unknown }).spec, origin: { document, path: [] } };
}

/** ConfigMaps in the namespace of the drivers, by name; a document without a namespace goes there. */
function knownConfigMaps(
  cluster: Cluster,
  documents: readonly ValidDocument[],
  broken: ReadDocuments['broken'],
): ReadonlyMap<string, KnownConfigMap> {
  const known = new Map<string, KnownConfigMap>();
  const add = (name: string, keys: readonly string[]) => known.set(name, { name, keys: [...keys].sort(compareText) });
  for (const { kind, name } of broken) if (kind.role === 'config-map') add(name, []);
  for (const { name, keys } of cluster.spec.existingConfigMaps) add(name, keys);
  for (const { name, value } of documents) {
    const { data = {}, metadata } = value as ConfigMapDocument;
    if ((metadata.namespace ?? cluster.namespace) === cluster.namespace) add(name, Object.keys(data));
  }
  return known;
}

function passConfigMap({ document, value }: ValidDocument, namespace: string): PassthroughObject {
  const object = value as ConfigMapDocument;
  const metadata = { namespace, ...writtenMetadata(object.metadata) };
  return { folder: 'config-maps', object: { ...object, metadata }, origin: { document, path: [] } };
}

function passObject({ document, kind, value }: ValidDocument, namespace: string): PassthroughObject {
  const object = Object.fromEntries(
    Object.entries(value as ExtraObject).filter(([key]) => key !== 'status'),
  ) as ExtraObject;
  return {
    folder: 'objects',
    object: { ...object, metadata: { ...(isAddressPool(kind) && { namespace }), ...writtenMetadata(object.metadata) } },
    origin: { document, path: [] },
  };
}

/** What people write of an object's metadata; the rest is the API server's. */
function writtenMetadata({ name, namespace, labels, annotations }: ExtraObject['metadata']): ObjectMeta {
  return { name, ...(namespace && { namespace }), ...(labels && { labels }), ...(annotations && { annotations }) };
}

function applyRule(rule: Rule, config: Config): readonly Diagnostic[] {
  return [...rule.check(config)].map((finding) => toDiagnostic(rule.code, finding));
}

function toDiagnostic(code: string, { origin, at, message, label, help, related }: Finding): Diagnostic {
  return {
    code,
    severity: codeInfo(code).severity,
    message,
    location: origin.document.locate(origin.path, at),
    path: origin.path,
    ...(label === undefined ? {} : { label }),
    ...(help === undefined ? {} : { help }),
    ...(related && {
      related: { location: related.origin.document.locate(related.origin.path), message: related.message },
    }),
  };
}

/**
 * Without a Cluster nothing can be resolved. Where one failed its validation, that has been said already; where a document
 * could not be read, that may be the Cluster.
 */
function missingCluster({
  documents,
  diagnostics,
}: Pick<LoadedDocuments, 'documents' | 'diagnostics'>): readonly Diagnostic[] {
  if (documents.some(isMeantAsCluster) || diagnostics.some(isError)) return [];
  const [first] = documents;
  return [
    {
      code: 'WEFT0103',
      severity: 'error',
      message: 'there is no Cluster document beside the policies',
      ...(first && { location: first.locate([]) }),
      help:
        'add a file with `apiVersion: weft.dev/v1alpha1`, `kind: Cluster`, `metadata: {name: …}` and ' +
        '`spec: {nodePools: […]}`; `kubectl get nodes -o json | weft pools` prints the pools',
    },
  ];
}

/** Also where its `apiVersion` or `kind` is not the right one: that has been said. */
function isMeantAsCluster(document: SourceDocument): boolean {
  const found = kindOf(document);
  if (!('code' in found)) return found.role === 'cluster';
  const { apiVersion, kind } = isObject(document.value) ? document.value : {};
  return kind === 'Cluster' || apiGroup(String(apiVersion)) === apiGroup(WEFT_API_VERSION);
}

function secondCluster(other: ValidDocument, first: ValidDocument): Diagnostic {
  return {
    code: 'WEFT0104',
    severity: 'error',
    message: `there are two Cluster documents: \`${first.name}\` and \`${other.name}\``,
    location: other.document.locate(['metadata', 'name']),
    help: 'remove one of the two, or give each cluster a folder of its own',
    related: { location: first.document.locate(['metadata', 'name']), message: 'the first is here' },
  };
}
