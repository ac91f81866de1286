import type { InputDocument } from 'weft-gitops';

/** The documents that the program deploys, as typed objects. They could also be read from YAML. */
export const documents: readonly InputDocument[] = [
  {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'east' },
    spec: {
      namespace: 'network',
      nodePools: [
        { name: 'gpu', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', labels: { pool: 'gpu' } },
        { name: 'cpu', osName: 'ubuntu', osVersion: '22.04', arch: 'arm64', labels: { pool: 'cpu' } },
      ],
    },
  },
  {
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'NicClusterPolicy',
    metadata: { name: 'nic-cluster-policy' },
    spec: {
      global: { repository: 'nvcr.io/nvidia/mellanox' },
      rdmaSharedDevicePlugin: {
        image: 'k8s-rdma-shared-dev-plugin',
        version: 'v1',
        config: { configList: [{ resourceName: 'rdma_a', rdmaHcaMax: 63, selectors: { vendors: ['15b3'] } }] },
      },
    },
  },
  ...(['gpu', 'cpu'] as const).map((pool): InputDocument => ({
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'NicNodePolicy',
    metadata: { name: pool },
    spec: {
      nodeSelector: { pool },
      ofedDriver: {
        image: 'doca-driver',
        repository: 'nvcr.io/nvidia/mellanox',
        version: pool === 'gpu' ? '25.01-0.6.0.0-0' : '24.10-0.7.0.0-0',
      },
    },
  })),
  {
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'MacvlanNetwork',
    metadata: { name: 'rail' },
    spec: { networkNamespace: 'apps', master: 'ens1f0', ipam: { type: 'nv-ipam', poolName: 'rail' } },
  },
];
