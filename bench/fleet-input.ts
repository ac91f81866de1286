import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FULL_CLUSTER = 'bench/full-cluster';
const names = ['cluster.yaml', 'policy.yaml', 'networks.yaml'] as const;
const texts = new Map(names.map((name) => [name, readFileSync(join(FULL_CLUSTER, name), 'utf8')]));

export interface FleetOptions {
  /** Default: 9000. Another value changes 12 objects in each cluster. */
  readonly mtu?: number;
  /**
   * Whether no two clusters have an object in common but those of kinds that are the same in every cluster: names, pools, kernels, releases,
   * networks and their addresses differ. Default: false.
   */
  readonly areAllDifferent?: boolean;
  /** Whether the companion is rendered too, with its program. Default: false. */
  readonly hasCompanion?: boolean;
}

/** Writes the input of `count` clusters of 103 objects below `clusters/`. By default they differ only in their names. */
export function writeFleet(
  root: string,
  count: number,
  { mtu = 9000, areAllDifferent = false, hasCompanion = false }: FleetOptions = {},
): void {
  for (let index = 0; index < count; index += 1) {
    const folder = join(root, 'clusters', `c${index}`);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of texts) {
      const own = (areAllDifferent ? otherwise(text, index) : text)
        .replace('name: full', `name: c${index}`)
        .replaceAll('mtu: 9000', `mtu: ${mtu}`)
        .replace('autoUpgrade: true', `autoUpgrade: ${hasCompanion}`);
      writeFileSync(join(folder, name), own);
    }
  }
}

const RELEASES = ['v26.7', 'v26.4'];

/** Writes the input of `count` clusters that extend one base, which has all but their names. */
export function writeFleetOnBase(root: string, count: number): void {
  const base = join(root, 'base/common');
  mkdirSync(base, { recursive: true });
  for (const [name, text] of texts)
    writeFileSync(join(base, name), text.replace('kind: Cluster\n', 'kind: ClusterBase\n'));
  for (let index = 0; index < count; index += 1) {
    const folder = join(root, 'clusters', `c${index}`);
    mkdirSync(folder, { recursive: true });
    const spec = 'spec:\n  extends: [../../base/common]\n';
    writeFileSync(
      join(folder, 'cluster.yaml'),
      `apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata:\n  name: c${index}\n${spec}`,
    );
  }
}

/** The text with names, pools, kernels, addresses, a namespace and a release of this cluster. */
function otherwise(text: string, index: number): string {
  const [high, low] = [Math.floor(index / 250), index % 250];
  return text
    .replace('release: v26.7', `release: ${RELEASES[index % RELEASES.length] ?? ''}`)
    .replace('spec:\n  release', `spec:\n  namespace: network-${index}\n  release`)
    .replaceAll('nvidia-network-operator', `network-${index}`)
    .replaceAll('192.168.', `10.${high * 64 + (low % 64)}.`)
    .replaceAll('-generic', `.${index}-generic`)
    .replaceAll('1015-nvidia', `${1000 + index}-nvidia`)
    .replace(
      /(name|poolName|resourceName): (rail|device|infiniband|h100|gh200|hostdev|rdma_shared_device_a)/g,
      `$1: $2${index}`,
    )
    .replaceAll('"poolName": "rail', `"poolName": "rail${index}`)
    .replaceAll('networkNamespace: training', `networkNamespace: training-${index}`)
    .replace('timeoutSeconds: 600', `timeoutSeconds: ${600 + index}`)
    .replace('rdmaHcaMax: 63', `rdmaHcaMax: ${64 + index}`);
}
