import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FULL_CLUSTER = 'bench/full-cluster';
const names = ['cluster.yaml', 'policy.yaml', 'networks.yaml'] as const;
const texts = new Map(names.map((name) => [name, readFileSync(join(FULL_CLUSTER, name), 'utf8')]));

export interface FleetOptions {
  /** Default: 9000. Another value changes 12 objects in each cluster. */
  readonly mtu?: number;
  /** Whether all documents differ, by a comment, so that no two clusters have one in common. Default: false. */
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
      const mark = areAllDifferent ? `# of c${index}\n` : '';
      const own = text
        .split(/^(?=---)/m)
        .map((document) => document + mark)
        .join('')
        .replace('name: full', `name: c${index}`)
        .replaceAll('mtu: 9000', `mtu: ${mtu}`)
        .replace('autoUpgrade: true', `autoUpgrade: ${hasCompanion}`);
      writeFileSync(join(folder, name), own);
    }
  }
}
