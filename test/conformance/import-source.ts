import { parseAllDocuments } from 'yaml';
import { newestRelease } from '../../src/compile/releases/catalog.js';
import { isObject } from '../../src/shared/lib/json.js';
import { memoized } from '../../src/shared/lib/memo.js';
import type { NamedObject } from '../../src/shared/kubernetes/listed-object.js';
import { crdNames, readCrd, type RecordedCase } from './recorded.js';
import type { Schema } from '../crds/facts.js';

/** The input of a recorded case as a cluster with the operator has it: what the API server returns for each object. */

type Fields = Readonly<Record<string, unknown>>;
const mapOf = (value: unknown): Fields => (isObject(value) ? value : {});

const textOf = (value: unknown, absent = ''): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value) : absent;

/** Every document of a case. */
export function documentsOf({ files }: RecordedCase): readonly NamedObject[] {
  return Object.values(files).flatMap((text) =>
    parseAllDocuments(text).map((document) => document.toJS() as NamedObject),
  );
}

/** Schemas of a release by kind. */
const schemasOf = memoized(
  (release: string | undefined) =>
    new Map(
      crdNames().map((name) => {
        const { spec } = readCrd(name, release);
        return [spec.names.kind, spec.versions[0]?.schema.openAPIV3Schema ?? {}] as const;
      }),
    ),
);

/** Drops unknown fields and fills in the defaults of a structural schema, as the API server does. */
function defaulted(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => (schema.items ? defaulted(schema.items, one) : one));
  if (!isObject(value)) return value;
  const { properties } = schema;
  const known = Object.entries(value).filter(([key]) => properties === undefined || Object.hasOwn(properties, key));
  const filled: Record<string, unknown> = Object.fromEntries(known);
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    if (filled[key] === undefined && field['default'] !== undefined) filled[key] = field['default'];
    if (filled[key] !== undefined) filled[key] = defaulted(field, filled[key]);
  }
  return filled;
}

/** With the fields that the API server and the operator write, and keys sorted as kubectl prints them. */
export function asServed(object: NamedObject, index = 0, release?: string): NamedObject {
  const { metadata, ...given } = object;
  const rest = defaulted(schemasOf(release).get(object.kind) ?? {}, given) as Pick<NamedObject, 'apiVersion' | 'kind'>;
  const applied = JSON.stringify(object);
  const served = {
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, 'kubectl.kubernetes.io/last-applied-configuration': `${applied}\n` },
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 3,
      managedFields: [{ apiVersion: object.apiVersion, manager: 'kubectl', operation: 'Update' }],
      resourceVersion: String(1000 + index),
      uid: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
    },
    status: { state: 'ready', appliedStates: [] },
  };
  return { ...rest, ...served };
}

/** Nodes of the pools of a Cluster document, with the labels that Node Feature Discovery sets. */
function nodesOf(spec: Fields): readonly NamedObject[] {
  const pools = Array.isArray(spec['nodePools']) ? spec['nodePools'].map(mapOf) : [];
  const nfd = (name: string) => `feature.node.kubernetes.io/${name}`;
  return pools.map((pool) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${String(pool['name'])}`,
      labels: {
        ...(mapOf(pool['labels']) as Readonly<Record<string, string>>),
        [nfd('pci-15b3.present')]: 'true',
        [nfd('system-os_release.ID')]: String(pool['osName']),
        [nfd('system-os_release.VERSION_ID')]: String(pool['osVersion']),
        [nfd('kernel-version.full')]: String(pool['kernel']),
        'kubernetes.io/arch': String(pool['arch']),
        ...(pool['rhcosVersion'] !== undefined && {
          [nfd('system-os_release.OSTREE_VERSION')]: textOf(pool['rhcosVersion']),
        }),
      },
    },
    spec: { ...(pool['taints'] !== undefined && { taints: pool['taints'] }) },
    status: { nodeInfo: { containerRuntimeVersion: `${textOf(pool['containerRuntime'], 'containerd')}://2.0.0` } },
  }));
}

/** The namespace of the operator in a case. */
export function namespaceOf(recorded: RecordedCase): string {
  return namespaceIn(mapOf(documentsOf(recorded).find(({ kind }) => kind === 'Cluster')?.['spec']));
}

const namespaceIn = (spec: Fields): string => textOf(spec['namespace'], 'nvidia-network-operator');

/** The operator's Deployment with the settings of a Cluster document in its environment. */
function operatorOf(spec: Fields, release: string): NamedObject {
  const { cni, driver, openshift } = {
    cni: mapOf(spec['cni']),
    driver: mapOf(spec['driver']),
    openshift: mapOf(spec['openshift']),
  };
  const env: Fields = {
    STATE_MANIFEST_BASE_DIR: '/manifests',
    ENABLE_WEBHOOKS: 'false',
    USE_DTK: textOf(openshift['useDriverToolkit'], 'true'),
    CNI_BIN_DIR: cni['binDirectory'],
    CNI_NETWORK_DIR: cni['networkDirectory'],
    OFED_INIT_CONTAINER_IMAGE: driver['initContainerImage'],
  };
  const container = {
    name: 'network-operator',
    image: `nvcr.io/nvidia/cloud-native/network-operator:${release}.0`,
    env: Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'network-operator', namespace: namespaceIn(spec) },
    spec: {
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': 'network-operator' } },
        spec: { containers: [container] },
      },
    },
  };
}

/** What the operator reads from OpenShift. */
function openshiftObjects(spec: Fields): readonly NamedObject[] {
  if (spec['platform'] !== 'openshift') return [];
  const { driverToolkitImages, proxy: given } = mapOf(spec['openshift']);
  const proxy = mapOf(given);
  const tags = Object.entries(mapOf(driverToolkitImages)).map(([name, image]) => ({
    name,
    from: { kind: 'DockerImage', name: image },
  }));
  return [
    {
      apiVersion: 'image.openshift.io/v1',
      kind: 'ImageStream',
      metadata: { name: 'driver-toolkit', namespace: 'openshift' },
      spec: { tags: [{ name: 'latest', from: { kind: 'ImageStreamTag', name: '418' } }, ...tags] },
    },
    {
      apiVersion: 'config.openshift.io/v1',
      kind: 'Proxy',
      metadata: { name: 'cluster' },
      spec: { trustedCA: { name: proxy['trustedCA'] === true ? 'user-ca-bundle' : '' } },
      status: { httpProxy: proxy['httpProxy'], httpsProxy: proxy['httpsProxy'], noProxy: proxy['noProxy'] },
    },
  ];
}

function configMapsOf(spec: Fields): readonly NamedObject[] {
  const known = Array.isArray(spec['existingConfigMaps']) ? spec['existingConfigMaps'].map(mapOf) : [];
  return known.map(({ name, keys }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: String(name), namespace: namespaceIn(spec) },
    data: Object.fromEntries((keys as string[]).map((key) => [key, 'text'])),
  }));
}

/** The objects of a cluster in which the operator has the input of a case. */
export function clusterOf(recorded: RecordedCase): readonly NamedObject[] {
  const documents = documentsOf(recorded);
  const spec = mapOf(documents.find(({ kind }) => kind === 'Cluster')?.['spec']);
  const others = documents.filter(({ kind }) => kind !== 'Cluster');
  return [
    ...others.map((one, index) => asServed(one, index, recorded.release)),
    ...nodesOf(spec),
    operatorOf(spec, recorded.release ?? newestRelease.release),
    ...openshiftObjects(spec),
    ...configMapsOf(spec),
  ];
}
