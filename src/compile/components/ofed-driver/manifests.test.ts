import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../../../../test/golden/compile.js';
import { type GoldenCase, testGoldens } from '../../../../test/golden/manifests.js';

const IMAGE = `    image: doca-driver
    repository: nvcr.io/nvidia/mellanox
    version: 24.10-0.7.0.0-0
`;

const clusterPolicy = (spec = IMAGE): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver:\n${spec}`);

const nodePolicy = (pool: string, spec = IMAGE): string =>
  policyText('NicNodePolicy', pool, `  nodeSelector: {pool: ${pool}}\n  ofedDriver:\n${spec}`);

const cluster = (pools: string, more = ''): string => clusterText(`${more}  nodePools:\n${pools}`);

const RHCOS_POOL =
  '    - {name: workers, osName: rhcos, osVersion: "4.18", arch: amd64, kernel: 5.14.0-427.50.1.el9_4.x86_64, rhcosVersion: 418.94.202501270000-0}\n';

const OPENSHIFT = `  platform: openshift
  openshift:
    driverToolkitImages: {418.94.202501270000-0: quay.io/dtk@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef}
    proxy: {httpProxy: "http://proxy:3128", httpsProxy: "http://proxy:3129", noProxy: ".svc", trustedCA: true}
`;

const FULL_CLUSTER = `  namespace: drivers
  driver:
    initContainerImage: registry.example.com/init:1
`;

const FULL = `${IMAGE}    imagePullSecrets: [first, second]
    startupProbe: {initialDelaySeconds: 1, periodSeconds: 2, failureThreshold: 3, timeoutSeconds: 4}
    livenessProbe: {initialDelaySeconds: 0, periodSeconds: -1}
    readinessProbe: {initialDelaySeconds: 5, periodSeconds: 6, failureThreshold: 0, timeoutSeconds: 8}
    terminationGracePeriodSeconds: 0
    env:
      - {name: CREATE_IFNAMES_UDEV, value: "false"}
      - {name: EMPTY, value: ""}
      - {name: FROM_FIELD, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
      - {name: FROM_MAP, valueFrom: {configMapKeyRef: {name: settings, key: a, optional: true}}}
      - {name: FROM_SECRET, valueFrom: {secretKeyRef: {name: secret, key: b}}}
      - {name: FROM_LIMIT, valueFrom: {resourceFieldRef: {containerName: mofed-container, resource: limits.cpu, divisor: "0.5"}}}
      - {name: FROM_REQUEST, valueFrom: {resourceFieldRef: {resource: requests.memory}}}
    containerResources:
      - {name: mofed-container, requests: {cpu: 1, memory: 1Gi}}
      - {name: mofed-container, requests: {cpu: "0.5", memory: 1024Mi}, limits: {cpu: 2000m, memory: 2Gi}}
    upgradePolicy:
      autoUpgrade: true
      maxParallelUpgrades: 4
      safeLoad: true
      drain: {enable: true, force: true, podSelector: app=x, timeoutSeconds: 60, deleteEmptyDir: true}
      waitForCompletion: {podSelector: app=y, timeoutSeconds: 10}
  tolerations:
    - {key: dedicated, operator: Equal, value: hpc, effect: NoSchedule}
    - {key: "", operator: Exists, effect: NoExecute, tolerationSeconds: 30}
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]
    preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 1, preference: {matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}}
`;

const MOUNTS = `${IMAGE}    certConfig: {name: corp-ca}\n    repoConfig: {name: repos}\n`;

const KNOWN_MAPS =
  '  existingConfigMaps: [{name: corp-ca, keys: [root.crt, issuing.crt]}, {name: repos, keys: [corp.list]}]\n';

/** What is rendered for the section; `policy` holds one policy or several. */
const goldens: readonly GoldenCase[] = [
  { name: 'minimal', cluster: cluster(UBUNTU_POOL), policy: clusterPolicy() },
  {
    name: 'images-of-the-release',
    cluster: cluster(UBUNTU_POOL, '  release: v26.4\n'),
    policy: policyText(
      'NicClusterPolicy',
      'nic-cluster-policy',
      '  global: {repository: mirror.example.com/nvidia, imagePullSecrets: [mirror]}\n  ofedDriver: {}\n',
    ),
  },
  { name: 'full', cluster: cluster(UBUNTU_POOL, FULL_CLUSTER), policy: clusterPolicy(FULL) },
  { name: 'openshift', cluster: cluster(RHCOS_POOL, OPENSHIFT), policy: clusterPolicy() },
  {
    name: 'openshift-own-certificates-and-proxy',
    cluster: cluster(RHCOS_POOL, OPENSHIFT + KNOWN_MAPS),
    policy: clusterPolicy(
      `${MOUNTS}    env: [{name: https_proxy, value: "http://own:1"}]
    containerResources: [{name: openshift-driver-toolkit-ctr, limits: {memory: 4Gi}}]\n`,
    ),
  },
  {
    name: 'openshift-precompiled',
    cluster: cluster(
      RHCOS_POOL,
      `  platform: openshift
  driver:
    precompiledTags: [24.10-0.7.0.0-0-5.14.0-427.50.1.el9_4.x86_64-rhcos4.18-amd64]\n`,
    ),
    policy: clusterPolicy(`${IMAGE}    forcePrecompiled: true\n`),
  },
  {
    name: 'several-kernels',
    cluster: cluster(
      UBUNTU_POOL.replace(
        'kernel: 6.8.0-31-generic',
        'kernels: [6.8.0-45-generic, 6.8.0-31-generic, 6.8.0-45-generic]',
      ),
      '  driver:\n    precompiledTags: [24.10-0.7.0.0-0-6.8.0-31-generic-ubuntu24.04-amd64]\n',
    ),
    policy: clusterPolicy(),
  },
  {
    name: 'every-kernel',
    cluster: cluster(UBUNTU_POOL.replace(', kernel: 6.8.0-31-generic', '')),
    policy: clusterPolicy(),
  },
  {
    name: 'two-architectures',
    cluster: cluster(
      `${UBUNTU_POOL}    - {name: arm, osName: ubuntu, osVersion: "24.04", arch: arm64, kernel: 6.8.0-31-generic}
    - {name: apart, osName: ubuntu, osVersion: "22.04", arch: arm64, kernel: 6.8.0-31-generic}\n`,
    ),
    policy: clusterPolicy(),
  },
  {
    name: 'digest',
    cluster: cluster(UBUNTU_POOL),
    policy: clusterPolicy(IMAGE.replace('24.10-0.7.0.0-0', `sha256:${'0123456789abcdef'.repeat(4)}`)),
  },
  {
    name: 'certificates-and-repositories',
    cluster: cluster(
      `${UBUNTU_POOL}    - {name: rhel, osName: rhel, osVersion: "9.4", arch: amd64, kernel: 5.14.0}
    - {name: rhel-crio, osName: rhel, osVersion: "9.5", arch: amd64, kernel: 5.14.0, containerRuntime: cri-o}
    - {name: sles, osName: sles, osVersion: "15.6", arch: amd64, kernel: 6.4.0}\n`,
      KNOWN_MAPS,
    ),
    policy: clusterPolicy(MOUNTS),
  },
  {
    name: 'node-policies',
    cluster: cluster(
      UBUNTU_POOL.replace('}', ', labels: {pool: gpu}}') +
        UBUNTU_POOL.replace('workers', 'storage').replace(
          '}',
          ', labels: {pool: storage}, taints: [{key: storage, effect: NoSchedule}]}',
        ),
      '  driver: {initContainerImage: "registry.example.com/init:1"}\n',
    ),
    policy: [
      nodePolicy('storage', `${IMAGE.replace('24.10', '25.01')}  tolerations: [{key: storage, operator: Exists}]\n`),
      nodePolicy('gpu'),
    ].join('---\n'),
  },
];

/** The node selector of a DaemonSet's pods. */
function selectorOf(object: KubernetesObject): Readonly<Record<string, string>> {
  const { template } = object['spec'] as { readonly template: { readonly spec: PodSpec } };
  return template.spec.nodeSelector ?? {};
}

const pool = (name: string, arch: string, kernel?: string): string =>
  `    - {name: ${name}, osName: ubuntu, osVersion: "24.04", arch: ${arch}${kernel === undefined ? '' : `, kernel: ${kernel}`}}\n`;

describe('the manifests of ofedDriver', () => {
  testGoldens(
    __dirname,
    goldens.map((one) => ({ ...one, warnings: 'any' })),
  );

  describe('the architecture that a driver selects', () => {
    const selectors = (...pools: readonly string[]): Record<string, unknown> =>
      Object.fromEntries(
        compile({ 'cluster.yaml': cluster(pools.join('')), 'policy.yaml': clusterPolicy() })
          .placed.filter(({ object }) => object.kind === 'DaemonSet')
          .map(({ object }) => [object.metadata.name, selectorOf(object)['kubernetes.io/arch'] ?? 'any']),
      );

    it('is its own where pools have several, whatever their kernels are', () => {
      const together = selectors(pool('a', 'amd64', 'k1'), pool('b', 'arm64', 'k1'));
      const apart = selectors(pool('a', 'amd64', 'k1'), pool('b', 'arm64', 'k2'));
      expect(Object.values(together).sort()).toEqual(['amd64', 'arm64']);
      expect(Object.values(apart).sort()).toEqual(['amd64', 'arm64']);
      // The pool whose kernel stays has the same DaemonSet before and after.
      expect(Object.entries(apart).filter(([, arch]) => arch === 'amd64')).toEqual(
        Object.entries(together).filter(([, arch]) => arch === 'amd64'),
      );
      expect(Object.keys(apart).filter((name) => name.includes('arm64'))).toEqual([]);
    });

    it('is none where all pools have one', () => {
      expect(Object.values(selectors(pool('a', 'amd64', 'k1'), pool('b', 'amd64', 'k2')))).toEqual(['any', 'any']);
    });
  });

  const nothing: readonly { readonly name: string; readonly cluster: string; readonly policy: string }[] = [
    { name: 'no node pools', cluster: clusterText('  nodePools: []\n'), policy: clusterPolicy() },
    {
      name: 'a taint that nothing tolerates',
      cluster: cluster(UBUNTU_POOL.replace('}', ', taints: [{key: a, effect: NoSchedule}]}')),
      policy: clusterPolicy(),
    },
    { name: 'a selector that no pool has', cluster: cluster(UBUNTU_POOL), policy: nodePolicy('none') },
    {
      name: 'no section',
      cluster: cluster(UBUNTU_POOL),
      policy: policyText('NicClusterPolicy', 'nic-cluster-policy', '  {}\n'),
    },
  ];
  it.each(nothing)('nothing at all where there is $name', ({ cluster: clusterDocument, policy }) => {
    const { config, placed } = compile({ 'cluster.yaml': clusterDocument, 'policy.yaml': policy });
    expect(config).toBeDefined();
    expect(placed.filter(({ folder }) => folder === 'ofed-driver')).toEqual([]);
  });

  const trustedCa =
    OPENSHIFT + '  existingConfigMaps: [{name: ocp-network-operator-trusted-ca, keys: [other, ca-bundle.crt]}]\n';
  const bundle = { key: 'ca-bundle.crt', path: 'tls-ca-bundle.pem' };
  const other = { key: 'other', path: 'other' };
  const bundles: readonly {
    readonly name: string;
    readonly cluster: string;
    readonly policy: string;
    readonly objects: readonly string[];
    readonly items?: readonly unknown[];
  }[] = [
    {
      name: 'made where the proxy has a CA, even for no pool',
      cluster: clusterText(`${OPENSHIFT}  nodePools: []\n`),
      policy: clusterPolicy(),
      objects: ['ConfigMap ocp-network-operator-trusted-ca'],
    },
    {
      name: 'left alone where it exists, and all its keys mounted',
      cluster: cluster(RHCOS_POOL, trustedCa),
      policy: clusterPolicy(),
      objects: [],
      items: [bundle, other],
    },
    {
      name: 'mounted under the name that RHCOS looks for where a policy names it',
      cluster: cluster(RHCOS_POOL, trustedCa),
      policy: clusterPolicy(`${IMAGE}    certConfig: {name: ocp-network-operator-trusted-ca}\n`),
      objects: [],
      items: [bundle, other],
    },
  ];
  it.each(bundles)('has the CA of the proxy $name', ({ cluster: clusterDocument, policy, objects, items }) => {
    const { placed } = compile({ 'cluster.yaml': clusterDocument, 'policy.yaml': policy });
    const driver = placed.filter(({ folder }) => folder === 'ofed-driver').map(({ object }) => object);
    expect(
      driver.filter(({ kind }) => kind === 'ConfigMap').map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ).toEqual(objects);
    const volumes = driver
      .filter(({ kind }) => kind === 'DaemonSet')
      .flatMap(
        (object) =>
          (object['spec'] as { template: { spec: { volumes: { name: string; configMap?: { items: unknown } }[] } } })
            .template.spec.volumes,
      )
      .filter(({ name }) => name === 'ocp-network-operator-trusted-ca');
    expect(volumes.map(({ configMap }) => configMap?.items)).toEqual(items ? [items] : []);
  });

  const KERNELS = ['6.8.0-31-generic', '6.8.0-45-generic'];

  it.each([
    {
      name: 'two architectures with two kernels each',
      pools: ['amd64', 'arm64'].flatMap((arch) =>
        KERNELS.map((kernel) => pool(`${arch}-${kernel.slice(6, 8)}`, arch, kernel)),
      ),
    },
    {
      name: 'amd64 with a kernel, arm64 with any',
      pools: [pool('pinned', 'amd64', KERNELS[0]), pool('free', 'arm64')],
    },
    {
      name: 'arm64 with a kernel, amd64 with any',
      pools: [pool('pinned', 'arm64', KERNELS[0]), pool('free', 'amd64')],
    },
  ])('has one driver for the nodes of each pool: $name', ({ pools }) => {
    const { config, placed } = compile({ 'cluster.yaml': cluster(pools.join('')), 'policy.yaml': clusterPolicy() });
    const selectors = placed
      .filter(({ object }) => object.kind === 'DaemonSet')
      .map(({ object }) => Object.entries(selectorOf(object)));
    expect(config?.cluster.pools).not.toEqual([]);
    for (const { labels } of config?.cluster.pools ?? []) {
      const selecting = selectors.filter((selector) => selector.every(([key, value]) => labels[key] === value));
      expect(selecting).toHaveLength(1);
    }
  });
});
