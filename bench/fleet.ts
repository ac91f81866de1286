import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/**
 * A fleet: 10, 100 and 1,000 clusters of about 100 objects, written as files, then checked. Prints seconds, peak memory and
 * the time for one cluster, which must not grow with their number. `npx tsx bench/fleet.ts [clusters...]`
 */
const sizes = process.argv.slice(2).map(Number);
const clusterText = readFileSync('clusters/quickstart/cluster.yaml', 'utf8');
const policyText = readFileSync('clusters/quickstart/policy.yaml', 'utf8');

/** Networks make up the number of objects. */
const NETWORKS = 70;

function network(index: number): string {
  return [
    'apiVersion: mellanox.com/v1alpha1',
    'kind: MacvlanNetwork',
    `metadata: {name: net-${index}}`,
    `spec: {networkNamespace: training, master: ens${index}f0np0, mode: bridge, mtu: 9000, ipam: {type: nv-ipam, poolName: rdma-pool}}`,
  ].join('\n');
}

function writeFleet(root: string, count: number): void {
  const networks = Array.from({ length: NETWORKS }, (_value, index) => network(index)).join('\n---\n');
  for (let index = 0; index < count; index += 1) {
    const folder = join(root, 'clusters', `c${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'cluster.yaml'), clusterText.replace('name: quickstart', `name: c${index}`));
    writeFileSync(join(folder, 'policy.yaml'), policyText);
    writeFileSync(join(folder, 'networks.yaml'), networks);
  }
}

interface Figures {
  readonly seconds: number;
  readonly mebibytes: number;
}

function measure(root: string, ...args: readonly string[]): Figures {
  const start = performance.now();
  const weft = resolve('bin/weft.mjs');
  const { stderr, status } = spawnSync('/usr/bin/time', ['-f', '%M', process.execPath, weft, 'synth', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr.slice(-2000));
  return { seconds: (performance.now() - start) / 1000, mebibytes: Number(stderr.trim().split('\n').at(-1)) / 1024 };
}

for (const count of sizes.length > 0 ? sizes : [10, 100, 1000]) {
  const root = mkdtempSync(join(tmpdir(), 'weft-fleet-'));
  writeFleet(root, count);
  for (const [name, args] of [
    ['write', []],
    ['again', []],
    ['--check', ['--check']],
  ] as const) {
    const { seconds, mebibytes } = measure(root, ...args);
    const each = ((seconds / count) * 1000).toFixed(1);
    process.stdout.write(
      `${String(count).padStart(5)} clusters  ${name.padEnd(8)} ${seconds.toFixed(2).padStart(7)} s ${each.padStart(6)} ms each ${mebibytes.toFixed(0).padStart(5)} MiB\n`,
    );
  }
  rmSync(root, { recursive: true });
}
