import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runWeft } from './kit/run-weft.js';
import { clusterText, policyText, UBUNTU_POOL } from './golden/compile.js';

/** `npx cdk8s synth` runs src/main.ts. It must refuse what `weft synth` refuses. */
const root = join(__dirname, '..');

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'weft-app-')));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const CLUSTER = clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`);
const POLICY = policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n');
const ACCOUNT = `apiVersion: v1
kind: ServiceAccount
metadata: {name: ofed-driver, namespace: nvidia-network-operator}
`;

const cases: readonly {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly code: string;
}[] = [
  {
    name: 'two ServiceAccounts of one name',
    files: { 'east/cluster.yaml': CLUSTER, 'east/policy.yaml': POLICY, 'east/account.yaml': ACCOUNT },
    code: 'WEFT0243',
  },
  {
    name: 'two clusters of one name',
    files: {
      'east/cluster.yaml': CLUSTER,
      'east/policy.yaml': POLICY,
      'west/cluster.yaml': CLUSTER,
      'west/policy.yaml': POLICY,
    },
    code: 'WEFT0052',
  },
  {
    name: 'a document beside the folders',
    files: { 'east/cluster.yaml': CLUSTER, 'east/policy.yaml': POLICY, 'account.yaml': ACCOUNT },
    code: 'WEFT0039',
  },
];

it.each(cases)('refuses $name, as `weft synth` does', async ({ files, code }) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, 'clusters', path, '..'), { recursive: true });
    writeFileSync(join(cwd, 'clusters', path), text);
  }
  const { exit, stderr } = await runWeft(['synth'], { cwd });
  const tsx = join(root, 'node_modules/tsx/dist/esm/index.mjs');
  const app = spawnSync(process.execPath, ['--import', tsx, join(root, 'src/main.ts')], { cwd, encoding: 'utf8' });
  expect({ exit, app: app.status }).toEqual({ exit: 2, app: 2 });
  expect(stderr).toContain(`error[${code}]`);
  expect(app.stderr).toContain(`error[${code}]`);
});
