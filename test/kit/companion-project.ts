import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clusterText, policyText, UBUNTU_POOL } from '../golden/compile.js';

/** A policy whose driver the companion upgrades. */
export const UPGRADED_POLICY = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  ofedDriver: {upgradePolicy: {autoUpgrade: true}}\n',
);

/** Writes files and clusters with a companion below the folder of a project. */
export function companionProject(root: () => string) {
  const write = (path: string, text: string): void => {
    const file = join(root(), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const writeCluster = (name: string, spec = ''): void => {
    write(`clusters/${name}/cluster.yaml`, clusterText(`  release: v26.7\n${spec}  nodePools:\n${UBUNTU_POOL}`, name));
    write(`clusters/${name}/policy.yaml`, UPGRADED_POLICY);
  };
  return { write, writeCluster };
}
