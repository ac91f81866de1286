import fc from 'fast-check';
import * as z from 'zod';
import { allComponents } from '../../src/compile/components/all.js';
import type { AnyComponent } from '../../src/compile/components/component.js';
import type { Cluster } from '../../src/compile/model/config.js';
import { envVar } from '../../src/compile/model/shapes/pod.js';
import { CLUSTER_POLICY_NAME } from '../../src/compile/config/kinds/policies.js';
import { documentKinds, type DocumentKind } from '../../src/compile/config/kinds/kinds.js';
import { networkKinds } from '../../src/compile/networks/all.js';
import { proposedRelease, releases } from '../../src/compile/releases/catalog.js';
import { fitting } from './fitting.js';
import { valuesOf, type Overrides } from './from-schema.js';

export type Data = Readonly<Record<string, unknown>>;

/** Names that components use themselves, and another name. */
const VARIABLES = fc.constantFrom('LOG_LEVEL', 'NODE_NAME', 'DTK_OCP_DRIVER_BUILD', 'https_proxy', 'ANOTHER');

/** Values that depend on other documents, other fields or the operator's webhook, which no schema can express. */
const COMMON: Overrides = {
  env: fc.array(
    fc.tuple(valuesOf(envVar), VARIABLES).map(([variable, name]) => ({ ...(variable as Data), name })),
    { maxLength: 4 },
  ),
  image: fc.constantFrom('some-image', 'folder/image_1'),
  repository: fc.constantFrom('nvcr.io/nvidia/mellanox', 'localhost:5000/a'),
  version: fc.constantFrom('24.10-0.7.0.0-0', 'doca3.5.0-26.07-0.7.0.0-0', `sha256:${'0a'.repeat(32)}`),
  certConfig: fc.constant({ name: 'certificates' }),
  repoConfig: fc.constant({ name: 'repositories' }),
  // A pool has no precompiled driver unless the Cluster lists its tag.
  forcePrecompiled: fc.constant(false),
};
const CONFIG_MAPS = [
  { name: 'certificates', keys: ['b.crt', 'a.crt'] },
  { name: 'repositories', keys: ['some.repo'] },
];

const AMOUNTS = fc.constantFrom(
  {},
  { limits: { cpu: 2, memory: '1024Mi' } },
  { requests: { cpu: '0.5' }, limits: { cpu: '500m', memory: '1e3' } },
);

function containerResources({ containers }: AnyComponent, isOpenshift: boolean): fc.Arbitrary<unknown> {
  const names = containers({ isOpenshift } as Cluster);
  return fc
    .subarray([...names])
    .chain((some) => fc.tuple(...some.map((name) => AMOUNTS.map((amounts) => ({ name, ...amounts })))));
}

/** The sections of all components, by key. */
function sections(isOpenshift: boolean): Overrides {
  return Object.fromEntries(
    allComponents.map((component) => {
      const overrides = { ...COMMON, containerResources: containerResources(component, isOpenshift) };
      const section = valuesOf(component.schema, overrides);
      return [component.source.path.at(-1) ?? '', section];
    }),
  );
}

function kindNamed(name: string): DocumentKind & { readonly schema: z.ZodObject } {
  const found = documentKinds.find(({ kind }) => kind === name);
  if (!(found?.schema instanceof z.ZodObject)) throw new Error(`there is no kind ${name}`);
  return { ...found, schema: found.schema };
}

/** The `spec` of a kind of document. */
const specOf = (kind: string, overrides: Overrides): fc.Arbitrary<Data> =>
  valuesOf(kindNamed(kind).schema.shape['spec'] as z.ZodType, overrides) as fc.Arbitrary<Data>;

const documentOf = (kind: string, name: string, spec: Data): Data => ({
  apiVersion: kindNamed(kind).apiVersion,
  kind,
  metadata: { name },
  spec,
});

const POOLS_MAX = 4;
const RHCOS = '418.94.202501301529-0';

/** Some pools share a system, so that their DaemonSets could collide. */
function nodePools(isOpenshift: boolean): fc.Arbitrary<readonly Data[]> {
  const system = isOpenshift
    ? fc.constant({
        osName: 'rhcos',
        osVersion: '4.18',
        rhcosVersion: RHCOS,
        kernels: ['5.14.0-427.50.1.el9_4.x86_64'],
      })
    : fc.record(
        {
          osName: fc.constantFrom('ubuntu', 'rhel', 'sles'),
          osVersion: fc.constantFrom('22.04', '24.04'),
          kernels: fc.uniqueArray(fc.constantFrom('6.8.0-31-generic', '6.8.0-45-generic', '5.14.0'), { minLength: 1 }),
          containerRuntime: fc.constantFrom('containerd', 'cri-o'),
        },
        { requiredKeys: ['osName', 'osVersion'] },
      );
  const pool = fc.tuple(system, fc.constantFrom('amd64', 'arm64'), fc.boolean());
  const taints = [{ key: 'dedicated', value: 'hpc', effect: 'NoSchedule' }];
  return fc.array(pool, { maxLength: POOLS_MAX }).map((list) =>
    list.map(([one, arch, isTainted], index) => ({
      name: `pool-${index}`,
      labels: { pool: `pool-${index}` },
      ...(isTainted ? { taints } : {}),
      arch,
      ...one,
    })),
  );
}

/** Parts of pods that an add-on passes on unchanged, like the operator's chart: its schema does not check them. */
const PARTS_AS_GIVEN: Overrides = {
  securityContext: fc.constantFrom({}, { readOnlyRootFilesystem: true }),
  podSecurityContext: fc.constantFrom({}, { runAsNonRoot: true }),
  affinity: fc.constant({}),
  initContainers: fc.constant([]),
  updateStrategy: fc.constantFrom({}, { type: 'OnDelete' }),
  ingress: fc.constant([]),
  egress: fc.constant([]),
};

/** One controller applies the output, and an ApplicationSet knows where. */
function appliedByOne(gitops: Data): Data {
  const [first] = Object.entries(gitops);
  if (!first) return {};
  const [controller, settings] = first;
  const isSet = 'applicationSet' in (settings as Data);
  const kept = Object.entries(settings as Data).filter(([key]) => key !== 'destination' || !isSet);
  return { [controller]: Object.fromEntries(kept) };
}

/** Releases by their names, and by those of their versions. */
const RELEASES = releases.flatMap(({ release, versions }) => [release, ...versions.map(({ version }) => version)]);

function clusters(isOpenshift: boolean): fc.Arbitrary<Data> {
  const toolkits = { [RHCOS]: 'quay.io/openshift/toolkit:1' };
  const spec = specOf('Cluster', {
    nodePools: nodePools(isOpenshift),
    driverToolkitImages: fc.constant(toolkits),
    kubernetesVersion: fc.constantFrom('1.36', 'v1.35.2'),
    release: fc.constantFrom(...RELEASES),
    uninstall: fc.constantFrom(false, true, { nodePools: ['pool-0'] }),
    // The documents are not in folders.
    extends: fc.constant([]),
    // A patch must fit the objects of the components.
    patches: fc.constant([]),
    // OpenShift has its own operators for what most add-ons install.
    ...(isOpenshift ? { deploy: fc.constant(false) } : {}),
    ...PARTS_AS_GIVEN,
  });
  return spec.map((cluster) => ({
    release: proposedRelease.release,
    ...cluster,
    ...('gitops' in cluster ? { gitops: appliedByOne(cluster['gitops'] as Data) } : {}),
    existingConfigMaps: CONFIG_MAPS,
    platform: isOpenshift ? 'openshift' : 'kubernetes',
    ...(isOpenshift
      ? { openshift: { driverToolkitImages: toolkits, ...(cluster['openshift'] as Data | undefined) } }
      : {}),
  }));
}

const NODE_SECTIONS = allComponents
  .filter(({ source }) => source.scopes.some((scope) => scope === 'node'))
  .map(({ source }) => source.path[0]);

/** A NicClusterPolicy; a NicNodePolicy for each of four pools; or both, with each section in one kind of policy only. */
function policies(isOpenshift: boolean): fc.Arbitrary<readonly Data[]> {
  const overrides = {
    ...COMMON,
    ...sections(isOpenshift),
    tolerations: fc.constantFrom([], [{ key: 'dedicated', operator: 'Exists' }]),
  };
  const nodePolicies = fc.array(specOf('NicNodePolicy', overrides), { maxLength: POOLS_MAX });
  return fc.tuple(specOf('NicClusterPolicy', overrides), nodePolicies).map(([cluster, nodes]) => {
    const isLeft = ([key]: readonly [string, unknown]) => nodes.length === 0 || !NODE_SECTIONS.includes(key);
    const left = Object.fromEntries(Object.entries(cluster).filter(isLeft));
    return [
      documentOf('NicClusterPolicy', CLUSTER_POLICY_NAME, left),
      ...nodes.map((spec, index) =>
        documentOf('NicNodePolicy', `policy-${index}`, { ...spec, nodeSelector: { pool: `pool-${index}` } }),
      ),
    ];
  });
}

const networks: fc.Arbitrary<readonly Data[]> = fc
  .array(fc.oneof(...networkKinds.map(({ kind }) => specOf(kind, {}).map((spec) => ({ kind, spec })))), {
    maxLength: 3,
  })
  .map((list) => list.map(({ kind, spec }, index) => documentOf(kind, `net-${index}`, spec)));

const configMaps = fc.array(
  valuesOf(kindNamed('ConfigMap').schema, { metadata: fc.constant({ name: 'settings' }) }) as fc.Arbitrary<Data>,
  { maxLength: 1 },
);

const platform = (isOpenshift: boolean): fc.Arbitrary<readonly Data[]> =>
  fc
    .tuple(clusters(isOpenshift), policies(isOpenshift), networks, configMaps)
    .map(([cluster, ...others]) => fitting([documentOf('Cluster', 'east', cluster), ...others.flat()]));

/** The documents of a folder: all components and networks, on both platforms, with both gates, of every release. */
export const input: fc.Arbitrary<readonly Data[]> = fc.oneof(platform(false), platform(true));
