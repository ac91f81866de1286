import type { AnyAddOn } from '../addons/add-on.js';
import { allAddOns } from '../addons/all.js';
import { compareText, valueAt } from '../../shared/lib/json.js';
import { imageReference } from '../../shared/kubernetes/image-reference.js';
import { findRelease, type Release } from '../releases/catalog.js';
import type { Cluster, Config, Instance, KnownConfigMap, NetworkInstance, PassthroughObject } from '../model/config.js';
import type { ReadDocuments, ValidDocument } from './documents.js';
import { resolveInstances, resolvePolicy } from './instances.js';
import type { ClusterSpec } from '../model/cluster.js';
import { companionImageOf } from '../model/companion-image.js';
import type { ConfigMapDocument } from '../model/input.js';
import type { ExtraObject } from './kinds/extra-object.js';
import type { PolicySpec } from './kinds/policies.js';
import { resolvePools } from './pools.js';
import { writtenMetadata } from '../model/shapes/document.js';

export function ofRole(
  documents: readonly ValidDocument[],
  role: ValidDocument['kind']['role'],
): readonly ValidDocument[] {
  return documents.filter(({ kind }) => kind.role === role);
}

/** The configuration of valid documents: policies are expanded and defaults are filled in. */
export function buildConfig(clusterDocument: ValidDocument, { documents, broken }: ReadDocuments): Config {
  const policyDocuments = ofRole(documents, 'policy');
  const global = globalOf(policyDocuments);
  const release = releaseOf(clusterDocument, global);
  const cluster = resolveCluster(clusterDocument, release);
  const instances = new Map<string, Instance[]>();
  const policies = policyDocuments.map((valid) => {
    const policy = resolvePolicy(valid, cluster.pools);
    for (const [id, instance] of resolveInstances(valid, policy, { release, global, cluster })) {
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
    addOns: resolveAddOns(clusterDocument, policyDocuments),
  };
}

/** `global` of the NicClusterPolicy; a NicNodePolicy has none. */
function globalOf(policies: readonly ValidDocument[]): PolicySpec['global'] {
  const all = policies.map(({ value }) => (value as { spec: PolicySpec }).spec.global);
  return all.find((global) => global !== undefined);
}

/**
 * The release that the Cluster chooses. `global.repository` is a mirror of all images, so it replaces the repositories of the release,
 * also for the init container and for NicNodePolicies.
 */
function releaseOf(cluster: ValidDocument, global: PolicySpec['global']): Release | undefined {
  const release = findRelease((cluster.value as { spec: ClusterSpec }).spec.release ?? '');
  const repository = global?.repository ?? '';
  if (!release || repository === '') return release;
  const images = Object.entries(release.images).map(([name, image]) => [name, { ...image, repository }] as const);
  return { ...release, images: Object.fromEntries(images) };
}

function resolveCluster({ document, name, value }: ValidDocument, release: Release | undefined): Cluster {
  const { spec } = value as { spec: ClusterSpec };
  const origin = { document, path: [] };
  const releaseImages: Cluster['releaseImages'] = release?.images ?? {};
  const initContainer = releaseImages['NetworkOperatorInitContainer'];
  return {
    name,
    namespace: spec.namespace,
    isOpenshift: spec.platform === 'openshift',
    pools: resolvePools(spec, origin),
    spec,
    ...companionImageOf(spec.companion),
    initContainerImage: spec.driver.initContainerImage ?? (initContainer ? imageReference(initContainer) : ''),
    releaseImages,
    origin,
  };
}

/** The sections of add-ons; some sections of older policies enable one. */
function resolveAddOns({ value }: ValidDocument, policies: readonly ValidDocument[]): ReadonlyMap<string, unknown> {
  const { spec } = value as { spec: Readonly<Record<string, unknown>> };
  const isInPolicy = ({ policySection }: AnyAddOn) =>
    policySection !== undefined &&
    policies.some((policy) => valueAt(policy.value, ['spec', ...policySection.path]) !== undefined);
  return new Map(
    allAddOns.map((addOn): [string, unknown] => {
      const section = spec[addOn.source.path[0]];
      return [addOn.id, isInPolicy(addOn) ? addOn.schema.parse({ ...(section as object), deploy: true }) : section];
    }),
  );
}

function resolveNetwork({ document, kind, name, value }: ValidDocument): NetworkInstance {
  return { kind: kind.kind, name, spec: (value as { spec: unknown }).spec, origin: { document, path: [] } };
}

/** ConfigMaps in the namespace of the drivers, by name; a document without a namespace gets this one. */
function knownConfigMaps(
  cluster: Cluster,
  documents: readonly ValidDocument[],
  broken: ReadDocuments['broken'],
): ReadonlyMap<string, KnownConfigMap> {
  const known = new Map<string, KnownConfigMap>();
  const add = (name: string, keys: readonly string[], document?: KnownConfigMap['document']) =>
    known.set(name, { name, keys: [...keys].sort(compareText), ...(document && { document }) });
  for (const { kind, name } of broken) if (kind.role === 'config-map') add(name, []);
  for (const { name, keys } of cluster.spec.existingConfigMaps) add(name, keys);
  for (const { document, name, value } of documents) {
    const configMap = value as ConfigMapDocument;
    const isHere = (configMap.metadata.namespace || cluster.namespace) === cluster.namespace;
    if (isHere) add(name, Object.keys(configMap.data ?? {}), { value: configMap, origin: { document, path: [] } });
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
    object: {
      ...object,
      metadata: { ...(kind.isInOwnNamespace && { namespace }), ...writtenMetadata(object.metadata) },
    },
    origin: { document, path: [] },
  };
}
