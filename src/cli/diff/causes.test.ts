import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DiffDocument } from '../../review/diff/json.js';
import { runWeft } from '../../../test/kit/run-weft.js';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-causes-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

const network = (mtu: number) => `apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: rdma-net}
spec:
  networkNamespace: default
  master: ens1f0np0
  mtu: ${mtu}
  ipam: {type: nv-ipam, poolName: rdma-pool}
`;
const ipPool = `apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {name: rdma-pool, namespace: nvidia-network-operator}
spec: {subnet: 192.168.0.0/16, perNodeBlockSize: 32, gateway: 192.168.0.1}
`;
const policy = `apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  ofedDriver: {upgradePolicy: {autoUpgrade: true, drain: {enable: true}}}
  nvIpam: {}
`;
const base = (release: string) => `apiVersion: weft.dev/v1alpha1
kind: ClusterBase
metadata: {name: common}
spec:
  release: ${release}
`;
const cluster = (name: string, kernel: string, lines = '') => `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: ${name}}
spec:
  extends: [../../base/common]
  nodePools: [{name: ${name}-nodes, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: ${kernel}}]
${lines}`;

/** Five clusters on one base: two alike, one with other values for all, one that removes the network, and one that has a release of its own. */
const PROJECT = {
  'base/common/cluster.yaml': base('v26.4'),
  'base/common/network.yaml': `${ipPool}---\n${network(9000)}`,
  'base/common/policy.yaml': policy,
  'clusters/lyon/cluster.yaml': cluster('lyon', '6.8.0-31-generic'),
  'clusters/oslo/cluster.yaml': cluster('oslo', '6.8.0-45-generic'),
  'clusters/rome/cluster.yaml': `${cluster('rome', '6.8.0-31-generic', '  release: v26.4\n')}---\n${network(1500)}`,
  'clusters/nice/cluster.yaml': `${cluster('nice', '6.8.0-31-generic')}---
apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: rdma-net}
$patch: delete
`,
  'clusters/york/cluster.yaml': cluster('york', '6.8.0-31-generic', '  release: v26.4\n'),
};

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root, stdio: 'pipe' });

const weft = (...args: readonly string[]) =>
  runWeft(args, { cwd: root, env: { PATH: process.env['PATH'] }, isStdinTerminal: true });

async function commitProject(files: Readonly<Record<string, string>> = PROJECT): Promise<void> {
  put(files);
  expect(await weft('synth')).toMatchObject({ exit: 0 });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
}

/** What text says before the first cluster. */
const causesIn = (stdout: string) => stdout.split('\n\n')[0]?.split('\n');

async function causesAsJson(...args: readonly string[]) {
  const { stdout } = await weft('diff', '--format', 'json', ...args);
  return (JSON.parse(stdout) as DiffDocument).causes;
}

describe('weft diff of a change of a base', () => {
  it('names what changed, and what becomes of the clusters that extend it', async () => {
    await commitProject();
    put({ 'base/common/network.yaml': `# Comments are no change.\n${ipPool}---\n${network(4000)}` });
    const { stdout } = await weft('diff');
    expect(causesIn(stdout)).toEqual([
      'base/common/network.yaml:13: spec.mtu of MacvlanNetwork rdma-net: 9000 -> 4000',
      '  3 clusters: network, shown: lyon',
      '  2 clusters with values of their own: nice, rome',
    ]);
    expect(stdout).toContain('\n\nlyon, oslo, york: network: 1 NetworkAttachmentDefinition\n');
    expect((await weft('diff', '--format', 'markdown')).stdout).toContain(
      [
        'Changed in bases:',
        '- `base/common/network.yaml:13`: `spec.mtu` of MacvlanNetwork rdma-net: 9000 `->` 4000',
        'The clusters that extend them:',
        '- 3 clusters: network, shown: `lyon`\n- 2 clusters with values of their own: `nice`, `rome`',
        'What happens:',
        '',
      ].join('\n\n'),
    );
    expect((await weft('diff', '--format', 'github', '--fail-on', 'network')).stdout).toMatch(
      /lyon, oslo, york: .*changed in a base of the cluster: base\/common\/network\.yaml:13/,
    );
    expect(await causesAsJson()).toMatchObject({
      changes: [
        { file: 'base/common/network.yaml', line: 13, change: 'changed', field: { path: 'spec.mtu', to: 4000 } },
      ],
      clusters: ['lyon', 'nice', 'oslo', 'rome', 'york'],
      setElsewhere: ['nice', 'rome'],
      same: [],
    });
  });

  it('groups clusters whose pools and kernels have other names', async () => {
    await commitProject();
    put({ 'base/common/cluster.yaml': base('v26.7') });
    const { stdout } = await weft('diff');
    expect(causesIn(stdout)).toEqual([
      'base/common/cluster.yaml:5: spec.release of ClusterBase common: "v26.4" -> "v26.7"',
      expect.stringMatching(/^ {2}3 clusters: drain, restart, .*, shown: lyon$/),
      '  2 clusters with values of their own: rome, york',
    ]);
    expect(stdout).toContain(
      'the same but for names of pools, kernels and drivers: nice, oslo\n  pool lyon-nodes: the companion drains',
    );
  });

  it('says where the output is as before, names programs as files, and leaves out documents that moved', async () => {
    const program = `export const extra = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'extra', namespace: 'default' } };\n`;
    await commitProject({ ...PROJECT, 'base/common/more.ts': program });
    put({ 'base/common/more.ts': `// Changed.\n${program}` });
    rmSync(join(root, 'base/common/policy.yaml'));
    put({ 'base/common/cluster.yaml': `${base('v26.4')}  extends: []\n`, 'base/common/all.yaml': policy });
    put({ 'clusters/lyon/more.yaml': network(1500).replaceAll('rdma', 'other') });
    const { stdout } = await weft('diff');
    expect(causesIn(stdout)).toEqual([
      'base/common/cluster.yaml:6: spec.extends of ClusterBase common is new: []',
      'base/common/more.ts: the file has changed',
      '  1 cluster: add, shown: lyon',
      '  4 clusters with the same output as before: nice, oslo, rome, york',
    ]);
  });

  it('has the clusters with errors by their codes', async () => {
    await commitProject();
    put({ 'base/common/network.yaml': `${ipPool}---\n${network(4000).replace('mtu: 4000', 'mtu: many')}` });
    const { exit, stdout, stderr } = await weft('diff');
    const [change, ...outcomes] = [
      'base/common/network.yaml:12: spec.mtu of MacvlanNetwork rdma-net: 9000 -> "many"',
      '  2 clusters with values of their own: nice, rome',
      '  3 clusters with errors, not compared: WEFT0142: lyon, oslo, york',
    ];
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: `${[change, ...outcomes].join('\n')}\n` });
    expect(stderr).toMatch(
      /1 error, 4 warnings; 3 of 5 clusters not compared\nno differences from HEAD:dist\/, in the/,
    );
    for (const name of ['rome', 'nice']) rmSync(join(root, 'clusters', name), { recursive: true });
    const all = await weft('diff', '--folder', 'clusters/lyon', '--folder', 'clusters/york');
    expect([all.exit, all.stdout, all.stderr.split('\n').slice(0, 2)]).toEqual([
      2,
      '',
      [change, '  2 clusters with errors, not compared: WEFT0142: lyon, york'],
    ]);
    expect((await weft('diff', '--format', 'json')).stderr).toMatch(/^[[{]/);
  });

  it('says nothing without a revision, about a base that is new, and about links', async () => {
    await commitProject();
    put({ 'base/common/network.yaml': `${ipPool}---\n${network(4000)}` });
    expect(await causesAsJson('dist')).toBeUndefined();
    put({
      'base/common/network.yaml': PROJECT['base/common/network.yaml'],
      'base/other/network.yaml': network(4000),
      'clusters/lyon/cluster.yaml': cluster('lyon', '6.8.0-31-generic').replace('common]', 'common, ../../base/other]'),
    });
    expect(await causesAsJson()).toBeUndefined();
    symlinkSync('/etc', join(root, 'base/link'));
    git('add', '-A');
    git('commit', '-qm', 'second');
    rmSync(join(root, 'base/link'));
    put({ 'base/link/network.yaml': network(3000) });
    put({
      'clusters/lyon/cluster.yaml': cluster('lyon', '6.8.0-31-generic').replace('common]', 'common, ../../base/link]'),
    });
    expect(await causesAsJson()).toBeUndefined();
  });
});
