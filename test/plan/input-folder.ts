import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fleetOf } from './fleet.js';

const CLUSTER = `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  release: v26.4
  namespace: nno
  nodePools:
    - {name: main, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic}
`;
const POLICY = `apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  ofedDriver:
    upgradePolicy:
      autoUpgrade: true
      maxParallelUpgrades: 1
      drain: {enable: true, deleteEmptyDir: true, timeoutSeconds: 300}
`;
/** What the DaemonSet of the pool selects by. */
const NODE_LABELS = {
  'feature.node.kubernetes.io/pci-15b3.present': 'true',
  'feature.node.kubernetes.io/system-os_release.ID': 'ubuntu',
  'feature.node.kubernetes.io/system-os_release.VERSION_ID': '24.04',
  'feature.node.kubernetes.io/kernel-version.full': '6.8.0-31-generic',
  'kubernetes.io/arch': 'amd64',
};

/** Writes the input of a cluster `name`, and `live.json` with its two nodes that have an older driver. */
export function writeInput(root: string, name = 'east'): void {
  const folder = join(root, 'clusters', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cluster.yaml'), CLUSTER.replace('east', name));
  writeFileSync(join(folder, 'policy.yaml'), POLICY);
  writeFileSync(join(root, 'live.json'), JSON.stringify({ kind: 'List', items: liveItems() }));
}

/** Objects of a live cluster: two nodes of the pool with an older driver. */
export function liveItems(nodes = 2): readonly { readonly kind: string }[] {
  const { items } = fleetOf({ nodes }).snapshot;
  return items.map((item) => {
    const { kind, metadata } = item as { readonly kind: string; readonly metadata: object & { labels?: object } };
    if (kind !== 'Node') return { ...item, kind };
    return { ...item, kind, metadata: { ...metadata, labels: { ...metadata.labels, ...NODE_LABELS } } };
  });
}
