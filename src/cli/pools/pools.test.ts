import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Io } from '../io.js';
import { nodesTextMax } from '../../review/pools/text.js';
import { pools, type PoolsOptions } from './pools.js';

const NFD = 'feature.node.kubernetes.io';

function node(name: string, labels: Readonly<Record<string, string | undefined>> = {}): unknown {
  const defaults = {
    [`${NFD}/pci-15b3.present`]: 'true',
    [`${NFD}/system-os_release.ID`]: 'ubuntu',
    [`${NFD}/system-os_release.VERSION_ID`]: '24.04',
    [`${NFD}/kernel-version.full`]: '6.8.0-31-generic',
    'kubernetes.io/arch': 'amd64',
  };
  const metadata = { name, labels: { ...defaults, ...labels } };
  return { kind: 'Node', metadata, status: { nodeInfo: { containerRuntimeVersion: 'containerd://2.0.0' } } };
}

const list = (...items: readonly unknown[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

const cluster = (kernel: string): string => `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  nodePools:
    - {name: main, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: ${kernel}}
`;

const nodePolicy = `apiVersion: mellanox.com/v1alpha1
kind: NicNodePolicy
metadata: {name: h100}
spec: {nodeSelector: {pool: h100}}
`;

const files: Readonly<Record<string, string>> = {
  'one/clusters/east/cluster.yaml': cluster('6.8.0-31-generic'),
  'two/clusters/east/cluster.yaml': cluster('6.8.0-31-generic'),
  'two/clusters/west/cluster.yaml': cluster('6.8.0-60-generic'),
  'broken/cluster.yaml': 'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec: {}\n',
  'new/cluster.yaml': 'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec: {}\n',
  'new/policy.yaml': nodePolicy,
  'none/readme.txt': '',
  'ignored/clusters/east/cluster.yaml': `${cluster('6.8.0-31-generic')}  release: v26.7 # weft-ignore WEFT0310: a test\n`,
  'denied/clusters/east/cluster.yaml': `${cluster('6.8.0-31-generic')}  release: v26.7\n  denyWarnings: [WEFT0310]\n`,
};

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-pools-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

interface Call {
  readonly stdin?: string;
  readonly folder?: string;
  readonly options?: Partial<PoolsOptions>;
  /** Below the root of the test. */
  readonly cwd?: string;
  readonly isStdinTerminal?: boolean;
  readonly readStdin?: Io['readStdin'];
}

async function call({ folder, options, cwd = 'none', isStdinTerminal = false, ...input }: Call) {
  const { stdin = list(node('a')) } = input;
  const readStdin = () => (isStdinTerminal ? Promise.reject(new Error('would hang')) : Promise.resolve(stdin));
  let [stdout, stderr] = ['', ''];
  const io: Io = {
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
    readStdin: input.readStdin ?? readStdin,
    cwd: join(root, cwd),
    env: {},
    readCompanionProgram: () => 'the program of the companion\n',
    isStdinTerminal,
    isStderrTerminal: false,
  };
  const exit = await pools(folder, { output: 'yaml', format: 'text', ...options }, io);
  return { exit, stdout, stderr };
}

describe('weft pools', () => {
  const onePool = `nodePools:
  - name: ubuntu-24-04-amd64
    arch: amd64
    kernel: 6.8.0-31-generic
    osName: ubuntu
    osVersion: "24.04"
`;

  it('prints what goes below `spec:` of a Cluster', async () => {
    expect(await call({})).toEqual({ exit: 0, stdout: onePool, stderr: 'pool `ubuntu-24-04-amd64`: 1 node\n' });
    expect((await call({ stdin: `\uFEFF${list(node('a'))}` })).stdout).toBe(onePool);
  });

  it('says which nodes have no NIC and are left out', async () => {
    const other = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'b', labels: {} } };
    const { stderr } = await call({ stdin: list(node('a'), other) });
    expect(stderr).toBe('pool `ubuntu-24-04-amd64`: 1 node\nleft out: 1 node without an NVIDIA NIC: `b`\n');
  });

  it('prints a whole Cluster document on request', async () => {
    const { stdout } = await call({ options: { cluster: 'east' } });
    expect(stdout).toMatch(
      /^apiVersion: weft.dev\/v1alpha1\nkind: Cluster\nmetadata:\n {2}name: east\nspec:\n {2}nodePools:\n/,
    );
  });

  it('prints JSON', async () => {
    const { exit, stdout } = await call({ options: { output: 'json' } });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ nodePools: [{ name: 'ubuntu-24-04-amd64', osVersion: '24.04' }] });
  });

  it('takes the labels that the policies of a folder select by, also while its Cluster has no pools', async () => {
    const stdin = list(node('a'), node('b', { pool: 'h100' }));
    const { exit, stdout, stderr } = await call({ stdin, folder: '../new' });
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: 'pool `ubuntu-24-04-amd64-h100`: 1 node\npool `ubuntu-24-04-amd64`: 1 node\n',
    });
    expect(stdout).toContain('  - name: ubuntu-24-04-amd64-h100\n');
    expect(stdout).toContain('    labels:\n      pool: h100\n');
  });

  it('names NIC nodes that are left out', async () => {
    const stdin = list(node('a'), node('b\u001b[31m', { [`${NFD}/kernel-version.full`]: '' }));
    const { exit, stdout, stderr } = await call({ stdin });
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: onePool });
    expect(stderr).toBe(
      `warning[WEFT0062]: NIC node \`b\\u{1b}[31m\` is left out: the label \`${NFD}/kernel-version.full\` is missing\n` +
        '  = help: Node Feature Discovery sets these labels: it must be deployed and run on the NIC nodes\n' +
        '  = see: weft explain WEFT0062\n1 warning\npool `ubuntu-24-04-amd64`: 1 node\n',
    );
  });

  it('ends with 2 for a warning where warnings are denied', async () => {
    const options = { denyWarnings: true };
    const stdin = list(node('a'), node('b', { [`${NFD}/kernel-version.full`]: '' }));
    expect(await call({ options })).toMatchObject({ exit: 0 });
    expect(await call({ options, stdin })).toMatchObject({ exit: 2, stdout: '' });
    const check = await call({ options: { ...options, check: true }, stdin: list(), cwd: 'one' });
    expect(check).toMatchObject({ exit: 2, stdout: '' });
    expect(check.stderr).toContain('error[WEFT0063]');
  });

  it('names what many nodes lack once', async () => {
    const unlabelled = Array.from({ length: 7 }, (_, index) =>
      node(`n${index}`, { [`${NFD}/system-os_release.ID`]: '' }),
    );
    const { stderr } = await call({ stdin: list(...unlabelled, node('z', { 'kubernetes.io/arch': 's390x' })) });
    expect(stderr).toContain('NIC nodes `n0`, `n1`, `n2`, `n3`, `n4` and 2 more are left out: the label ');
    expect(stderr).toContain('NIC node `z` is left out: there are no drivers for the architecture `s390x`\n');
    expect(stderr).toMatch(/\n2 warnings\n$/);
  });

  it('keeps standard error one document for a program', async () => {
    const codesOf = (text: string) =>
      (JSON.parse(text) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
    const options = { format: 'json' } as const;
    const openShift = node('a', { [`${NFD}/system-os_release.OSTREE_VERSION`]: '417.94.1' });
    expect(codesOf((await call({ options, stdin: list(openShift) })).stderr)).toEqual([]);
    expect(codesOf((await call({ options, stdin: list() })).stderr)).toEqual(['WEFT0063']);
    expect(codesOf((await call({ options, stdin: '' })).stderr)).toEqual(['WEFT0060']);
    const check = { ...options, check: true };
    expect(codesOf((await call({ options: check, cwd: 'one' })).stderr)).toEqual([]);
    expect(codesOf((await call({ options: check, cwd: 'two' })).stderr)).toEqual(['WEFT0061']);
  });

  it('warns where no node has a NIC', async () => {
    const { exit, stdout, stderr } = await call({ stdin: list() });
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'nodePools: []\n' });
    expect(stderr).toContain(`warning[WEFT0063]: none of the 0 nodes has the label \`${NFD}/pci-15b3.present=true\`\n`);
  });

  it('finds NIC nodes that only Node Feature Discovery itself has labelled, and names the rule', async () => {
    const stock = (name: string, label: string) =>
      node(name, { [`${NFD}/pci-15b3.present`]: undefined, [`${NFD}/${label}`]: 'true' });
    const stdin = list(stock('a', 'pci-0200_15b3.present'), stock('b', 'pci-0207_15b3_1021.present'), node('c'));
    const { exit, stdout, stderr } = await call({ stdin });
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('ubuntu-24-04-amd64') as unknown });
    expect(stderr).toMatch(/^warning\[WEFT0350\]: NIC nodes `a`, `b` lack the label `\S+\/pci-15b3\.present`/m);
    expect(stderr).toContain('the NodeFeatureRule `nvidia-nics-rules` is not');
    const gpu = stock('g', 'pci-0302_10de.present');
    expect((await call({ stdin: list(gpu) })).stderr).toContain('WEFT0063');
    const check = await call({
      options: { check: true },
      cwd: 'one',
      stdin: list(stock('a', 'pci-0200_15b3.present')),
    });
    expect(check.exit).toBe(1);
    expect(check.stderr).toContain('WEFT0350');
  });

  it('says what OpenShift needs', async () => {
    const stdin = list(node('a', { [`${NFD}/system-os_release.OSTREE_VERSION`]: '417.94.1' }));
    expect((await call({ stdin })).stderr).toContain('`platform: openshift`');
  });

  const refused: readonly (Call & { readonly name: string; readonly message: string })[] = [
    { name: 'a terminal', isStdinTerminal: true, message: 'is a terminal' },
    {
      name: 'a terminal, with the command to type',
      isStdinTerminal: true,
      folder: '../new',
      message: '`kubectl get nodes -o json | weft pools ../new`',
    },
    { name: 'nothing', stdin: ' \n', message: 'standard input is empty' },
    { name: 'YAML', stdin: 'kind: List\n', message: 'standard input cannot be used: it is not JSON: ' },
    { name: 'brackets without end', stdin: '['.repeat(1_000_000), message: 'it is nested more than 64 deep\n' },
    {
      name: 'more than all nodes of a cluster',
      readStdin: (charactersMax: number) => Promise.resolve(charactersMax === nodesTextMax ? undefined : ''),
      message: 'it has more than 268435456 characters\n  = help: leave nodes without a NIC away: ',
    },
    { name: 'pods', stdin: '{"kind":"PodList"}', message: 'it is a PodList, not a list of nodes' },
    { name: 'a folder that is not there', folder: 'nowhere', message: 'the folder cannot be read: it does not exist' },
  ];
  it.each(refused)('refuses $name', async ({ message, ...input }) => {
    const { exit, stdout, stderr } = await call(input);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('weft pools --check', () => {
  const check = { check: true };
  const drifted = list(node('b', { [`${NFD}/kernel-version.full`]: '6.8.0-60-generic' }));

  it('takes the only folder of clusters/ and finds no difference', async () => {
    const stderr = 'clusters/east: 1 NIC node, each in a pool; no pool is empty\n';
    expect(await call({ options: check, cwd: 'one' })).toEqual({ exit: 0, stdout: '', stderr });
  });

  it('names nodes in no pool and pools without a node', async () => {
    const { exit, stdout, stderr } = await call({
      stdin: drifted,
      folder: 'clusters/east',
      options: check,
      cwd: 'two',
    });
    expect(exit).toBe(1);
    expect(stdout).toBe(
      "node `b` is in no pool: nearest is pool `main`, but the node's kernel is `6.8.0-60-generic`, the pool's is `6.8.0-31-generic`\n" +
        'pool `main` has no node\n',
    );
    expect(stderr).toContain('clusters/east: 1 NIC node, 1 in no pool; 1 empty pool\n');
  });

  it('respects comments that silence a warning, and the warnings that the Cluster denies', async () => {
    const { stderr } = await call({ options: check, cwd: 'ignored' });
    expect(stderr).toBe('clusters/east: 1 NIC node, each in a pool; no pool is empty\n');
    const denied = await call({ options: check, cwd: 'denied' });
    expect(denied).toMatchObject({ exit: 2, stdout: '' });
    expect(denied.stderr).toContain('error[WEFT0310]');
  });

  it('prints JSON', async () => {
    const options = { ...check, output: 'json' } as const;
    const { exit, stdout } = await call({ stdin: drifted, options, cwd: 'one' });
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ uncovered: [{ node: 'b' }], empty: ['main'] });
  });

  const refused: readonly (Call & { readonly name: string; readonly message: string })[] = [
    { name: 'to choose between clusters', cwd: 'two', message: 'there are 2: clusters/east, clusters/west\n' },
    { name: 'to guess a folder', cwd: 'none', message: 'there is no folder `clusters` here or above' },
    { name: 'a folder with errors', folder: '../broken', message: 'error[WEFT0141]' },
    { name: 'a folder that is not there', folder: 'nowhere', message: 'the folder cannot be read: it does not exist' },
  ];
  it.each(refused)('refuses $name', async ({ message, ...input }) => {
    const { exit, stdout, stderr } = await call({ ...input, options: check });
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
