import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toYaml } from '../../../src/compile/render/yaml/yaml.js';

/** Registries of the images of this cluster. */
export const REGISTRIES = ['nvcr.io', 'ghcr.io', 'quay.io', 'docker.io', 'registry.k8s.io'];

/** Writes a cluster with images of all kinds: drivers for two architectures, add-ons, the companion, the pre-pull, a Pod of its own. */
export function writeCluster(folder: string, more: { readonly spec: object; readonly podImage: string }): void {
  const cluster = {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'east' },
    spec: {
      release: 'v26.7',
      nodePools: ['amd64', 'arm64'].map((arch) => ({
        name: arch,
        osName: 'ubuntu',
        osVersion: '24.04',
        arch,
        kernel: '6.8.0-31-generic',
      })),
      driver: { gate: 'label' },
      sriovNetworkOperator: { deploy: true },
      nodeFeatureDiscovery: { deploy: true },
      maintenanceOperator: { deploy: true },
      whereabouts: { deploy: true },
      companion: { nodeImage: 'node:24' },
      upgrade: { prePull: true },
      ...more.spec,
    },
  };
  const policy = {
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'NicClusterPolicy',
    metadata: { name: 'nic-cluster-policy' },
    spec: {
      ofedDriver: { upgradePolicy: { autoUpgrade: true } },
      secondaryNetwork: { multus: {} },
      spectrumXOperator: { xPlane: {} },
    },
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'own', namespace: 'tools' },
    spec: { containers: [{ name: 'a', image: more.podImage }] },
  };
  mkdirSync(join(folder, 'clusters/east'), { recursive: true });
  for (const [name, document] of Object.entries({ cluster, policy, pod })) {
    writeFileSync(join(folder, `clusters/east/${name}.yaml`), toYaml(document));
  }
}
