import type {
  ClusterDocument,
  ConfigMapDocument,
  IPoIBNetworkDocument,
  NicClusterPolicyDocument,
  NicNodePolicyDocument,
} from 'weft-gitops';

/**
 * The same documents as in YAML, as typed objects: worth it where much repeats. Every export is a document or a list of
 * documents; the schemas that check YAML files check these too.
 */
export const cluster: ClusterDocument = {
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'hpc' },
  spec: {
    driver: {
      initContainerImage: 'nvcr.io/nvidia/mellanox/network-operator-init-container:network-operator-v26.4.1',
    },
    kubernetesVersion: '1.34',
    nodePools: [
      {
        name: 'h100',
        osName: 'ubuntu',
        osVersion: '24.04',
        arch: 'amd64',
        // A rolling kernel update: both are in the fleet, and each gets its driver.
        kernels: ['6.8.0-31-generic', '6.8.0-45-generic'],
        labels: { 'example.com/pool': 'h100' },
      },
      {
        name: 'gh200',
        osName: 'ubuntu',
        osVersion: '24.04',
        arch: 'arm64',
        kernel: '6.8.0-1015-nvidia-64k',
        labels: { 'example.com/pool': 'gh200' },
      },
      {
        name: 'storage',
        osName: 'rhel',
        osVersion: '9.4',
        arch: 'amd64',
        kernel: '5.14.0-427.13.1.el9_4.x86_64',
        labels: { 'example.com/pool': 'storage' },
        taints: [{ key: 'example.com/storage', value: 'true', effect: 'NoSchedule' }],
      },
      {
        // No kernel: one driver DaemonSet serves every kernel of the OS version.
        name: 'service',
        osName: 'sles',
        osVersion: '15.6',
        arch: 'amd64',
        labels: { 'example.com/pool': 'service' },
      },
    ],
    // Gives the addresses of the networks below.
    whereabouts: { deploy: true },
    // In the namespace already; only its keys matter here.
    existingConfigMaps: [{ name: 'corp-ca', keys: ['root.crt', 'issuing.crt'] }],
  },
};

/** Package repositories of our own, one ConfigMap for each kind of OS: each key becomes a file. */
export const repositories: ConfigMapDocument[] = [
  configMap('repos-ubuntu', { 'corp.list': 'deb https://mirror.example.com/ubuntu noble main\n' }),
  configMap('repos-rhel', {
    'corp.repo': '[corp]\nname=Corp mirror\nbaseurl=https://mirror.example.com/rhel/9\nenabled=1\ngpgcheck=1\n',
  }),
  configMap('repos-sles', {
    'corp.repo': '[corp]\nname=Corp mirror\nbaseurl=https://mirror.example.com/sles/15.6\nenabled=1\n',
  }),
];

/** What all nodes need alike. */
export const clusterPolicy: NicClusterPolicyDocument = {
  apiVersion: 'mellanox.com/v1alpha1',
  kind: 'NicClusterPolicy',
  metadata: { name: 'nic-cluster-policy' },
  spec: {
    global: { repository: 'nvcr.io/nvidia/mellanox', version: 'network-operator-v26.4.1' },
    tolerations: [{ key: 'example.com/storage', operator: 'Exists', effect: 'NoSchedule' }],
    secondaryNetwork: {
      multus: { image: 'multus-cni' },
      cniPlugins: { image: 'plugins' },
      ipoib: { image: 'ipoib-cni' },
    },
    nicFeatureDiscovery: { image: 'nic-feature-discovery' },
  },
};

/** GPU nodes move to the new driver first; the others stay on the long-term release. */
export const policies: NicNodePolicyDocument[] = [
  nodePolicy('h100', { driver: 'doca3.4.1-26.04-1.1.0.0-1', repositories: 'repos-ubuntu' }),
  nodePolicy('gh200', { driver: 'doca3.4.1-26.04-1.1.0.0-1', repositories: 'repos-ubuntu' }),
  nodePolicy('storage', { driver: '24.10-0.7.0.0-0', repositories: 'repos-rhel', taint: 'example.com/storage' }),
  nodePolicy('service', { driver: '24.10-0.7.0.0-0', repositories: 'repos-sles' }),
];

/** Two InfiniBand rails. */
export const networks: IPoIBNetworkDocument[] = [0, 1].map((rail) => ({
  apiVersion: 'mellanox.com/v1alpha1',
  kind: 'IPoIBNetwork',
  metadata: { name: `ib-rail-${rail}` },
  spec: {
    networkNamespace: 'training',
    master: `ibp${rail}s0`,
    ipam: {
      type: 'whereabouts',
      range: `10.20.${rail}.0/24`,
      gateway: `10.20.${rail}.1`,
      exclude: [`10.20.${rail}.1/32`],
    },
  },
}));

function configMap(name: string, data: Record<string, string>): ConfigMapDocument {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

interface PoolOptions {
  readonly driver: string;
  readonly repositories: string;
  readonly taint?: string;
}

function nodePolicy(pool: string, { driver, repositories: repos, taint }: PoolOptions): NicNodePolicyDocument {
  return {
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'NicNodePolicy',
    metadata: { name: pool },
    spec: {
      nodeSelector: { 'example.com/pool': pool },
      ...(taint === undefined ? {} : { tolerations: [{ key: taint, operator: 'Exists', effect: 'NoSchedule' }] }),
      ofedDriver: {
        image: 'doca-driver',
        repository: 'nvcr.io/nvidia/mellanox',
        version: driver,
        certConfig: { name: 'corp-ca' },
        repoConfig: { name: repos },
      },
      rdmaSharedDevicePlugin: {
        image: 'k8s-rdma-shared-dev-plugin',
        repository: 'nvcr.io/nvidia/mellanox',
        version: 'network-operator-v26.4.1',
        config: {
          configList: [
            { resourceName: 'rdma_ib', rdmaHcaMax: 100, selectors: { vendors: ['15b3'], linkTypes: ['infiniband'] } },
          ],
        },
      },
    },
  };
}
