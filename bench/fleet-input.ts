import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const clusterText = readFileSync('clusters/quickstart/cluster.yaml', 'utf8');
const policyText = readFileSync('clusters/quickstart/policy.yaml', 'utf8');

/** Networks make up the number of objects: with them a cluster has about 100. */
const NETWORKS = 70;

function network(index: number, mtu: number): string {
  return [
    'apiVersion: mellanox.com/v1alpha1',
    'kind: MacvlanNetwork',
    `metadata: {name: net-${index}}`,
    `spec: {networkNamespace: training, master: ens${index}f0np0, mode: bridge, mtu: ${mtu}, ipam: {type: nv-ipam, poolName: rdma-pool}}`,
  ].join('\n');
}

/** Without the pool each network would be a warning, and the time that of writing warnings. */
const POOL = [
  'apiVersion: nv-ipam.nvidia.com/v1alpha1',
  'kind: IPPool',
  'metadata: {name: rdma-pool, namespace: nvidia-network-operator}',
  'spec: {subnet: 192.168.0.0/16, perNodeBlockSize: 50, gateway: 192.168.0.1}',
].join('\n');

/** Writes the input of so many clusters of about 100 objects below `clusters/`; another MTU changes 70 of them in each. */
export function writeFleet(root: string, count: number, mtu = 9000): void {
  const networks = [POOL, ...Array.from({ length: NETWORKS }, (_, index) => network(index, mtu))].join('\n---\n');
  for (let index = 0; index < count; index += 1) {
    const folder = join(root, 'clusters', `c${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'cluster.yaml'), clusterText.replace('name: quickstart', `name: c${index}`));
    writeFileSync(join(folder, 'policy.yaml'), policyText);
    writeFileSync(join(folder, 'networks.yaml'), networks);
  }
}
