import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Io } from '../io.js';
import { compile, policyText } from '../../../test/golden/compile.js';
import { proposedRelease } from '../../compile/releases/catalog.js';
import { nodesTextMax } from '../../cluster/pools/nodes.js';
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

const clusterPolicy = `apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec: {ofedDriver: {}}
`;

/** A cluster with a driver, and a pool with a taint. */
const tainted = (more = ''): Readonly<Record<string, string>> => ({
  'cluster.yaml': `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  release: v26.4
  nodePools:
    - {name: main, osName: ubuntu, osVersion: "24.04", arch: amd64}
    - {name: gpu, osName: ubuntu, osVersion: "24.04", arch: amd64, taints: [{key: dedicated, effect: NoSchedule}]}
${more}`,
  'policy.yaml': clusterPolicy,
});
const inFolder = (folder: string, all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(all).map(([name, text]) => [`${folder}/${name}`, text]));

const nodePolicy = `apiVersion: mellanox.com/v1alpha1
kind: NicNodePolicy
metadata: {name: h100}
spec: {nodeSelector: {pool: h100}}
`;

/** Its one pool has a taint that the policy does not tolerate, so the output has no driver. */
const untolerated = {
  'cluster.yaml':
    'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec:\n  release: v26.4\n  nodePools:\n' +
    '    - {name: gpu, osName: ubuntu, osVersion: "24.04", arch: amd64, taints: [{key: dedicated, effect: NoSchedule}]}\n',
  'policy.yaml':
    'apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\nspec: {ofedDriver: {}}\n',
};

const files: Readonly<Record<string, string>> = {
  'one/clusters/east/cluster.yaml': cluster('6.8.0-31-generic'),
  'two/clusters/east/cluster.yaml': cluster('6.8.0-31-generic'),
  'two/clusters/west/cluster.yaml': cluster('6.8.0-60-generic'),
  'broken/cluster.yaml': 'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec: {}\n',
  'new/cluster.yaml': 'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec: {}\n',
  'new/policy.yaml': nodePolicy,
  ...inFolder('tainted', tainted()),
  ...inFolder('untolerated', untolerated),
  'blocks/cluster.yaml': cluster('6.8.0-31-generic'),
  'blocks/pool.yaml':
    'apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: rail}\nspec: {subnet: 10.0.0.0/24, perNodeBlockSize: 100}\n',
  ...inFolder('fleet', {
    'cluster.yaml': `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  release: v26.4
  nodePools:
    - {name: main, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: main}}
    - {name: gpu, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: gpu}, taints: [{key: dedicated, effect: NoSchedule}]}
    - {name: rhel, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: rhel}}
`,
    'policy.yaml': [
      clusterPolicy.replace('ofedDriver: {}', 'secondaryNetwork: {multus: {}}'),
      ...['main', 'gpu'].map(
        (pool) => `apiVersion: mellanox.com/v1alpha1
kind: NicNodePolicy
metadata: {name: ${pool}}
spec: {nodeSelector: {pool: ${pool}}, ofedDriver: {}, tolerations: [{key: dedicated, operator: Exists}]}
`,
      ),
    ].join('---\n'),
  }),
  ...inFolder('uninstalled', tainted('  driver: {uninstall: {nodePools: [gpu]}}\n')),
  'none/readme.txt': '',
  'ignored/clusters/east/cluster.yaml': `${cluster('6.8.0-31-generic')}  driver: {initContainerImage: a.staging/b:1} # weft-ignore WEFT0311: a test\n`,
  'denied/clusters/east/cluster.yaml': `${cluster('6.8.0-31-generic')}  driver: {initContainerImage: a.staging/b:1}\n  denyWarnings: [WEFT0311]\n`,
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
  readonly env?: Io['env'];
}

async function call({ folder, options, cwd = 'none', isStdinTerminal = false, env = {}, ...input }: Call) {
  const { stdin = list(node('a')) } = input;
  const readStdin = () => (isStdinTerminal ? Promise.reject(new Error('would hang')) : Promise.resolve(stdin));
  let [stdout, stderr] = ['', ''];
  const io: Io = {
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
    readStdin: input.readStdin ?? readStdin,
    cwd: join(root, cwd),
    env,
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
    osName: ubuntu
    osVersion: "24.04"
    arch: amd64
    kernel: 6.8.0-31-generic
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
    expect(stdout).toBe(`apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata:
  name: east
spec:
  # Fills the images that a policy leaves out: the newest final release.
  release: ${proposedRelease.release}
  driver:
    # Device plugins wait for a file of the driver on their node.
    gate: ready-file
  ${onePool.replaceAll('\n', '\n  ').trimEnd()}
`);
    const { diagnostics } = compile({
      'cluster.yaml': stdout,
      'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n'),
    });
    expect(diagnostics).toEqual([]);
  });

  it('keeps the gate of the operator where the nodes have its label', async () => {
    const stdin = list(node('a'), node('b', { 'network.nvidia.com/operator.mofed.wait': 'false' }));
    const { stdout } = await call({ stdin, options: { cluster: 'east' } });
    expect(stdout).toContain('\n    gate: label\n');
  });

  describe('with the nodes of a live cluster', () => {
    const kubectl = join(process.cwd(), 'test/kube-server/bin/kubectl');
    const NODES = '/api/v1/nodes';
    const live = (answer: object, options: Partial<PoolsOptions> = {}, folder?: string) => {
      writeFileSync(join(root, 'live.json'), JSON.stringify({ [NODES]: answer }));
      const env = { PATH: process.env['PATH'], FAKE_CLUSTER: join(root, 'live.json') };
      const all = { live: true, kubectl, ...options };
      return call({ isStdinTerminal: true, env, options: all, cwd: 'one', ...(folder !== undefined && { folder }) });
    };
    const items = [node('a')];

    it('prints the pools, or compares them', async () => {
      const stderr = 'pool `ubuntu-24-04-amd64`: 1 node\n';
      expect(await live({ items, metadata: {} })).toEqual({ exit: 0, stdout: onePool, stderr });
      expect(await live({ items, metadata: {} }, { context: 'east' })).toMatchObject({ exit: 0, stdout: onePool });
      const drifted = [node('b', { [`${NFD}/kernel-version.full`]: '6.8.0-60-generic' })];
      const compared = await live({ items: drifted, metadata: {} }, { check: true, context: 'east' });
      expect(compared).toMatchObject({ exit: 1, stdout: expect.stringContaining('node `b` is in no pool') });
      expect(compared.stderr).toContain('note: none of the nodes is in a pool; `--context` names another cluster\n');
      expect(compared.stderr).toContain('help: `weft pools --context east clusters/east` prints the pools');
    });

    it('names a context that is not there, in one document for programs', async () => {
      const { exit, stdout, stderr } = await live({ items }, { context: 'nowhere', format: 'json' });
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
      const message = expect.stringContaining('context \"nowhere\" does not exist');
      expect(JSON.parse(stderr)).toMatchObject({ diagnostics: [{ code: 'WEFT0391', message }] });
    });

    it('names a right that is missing', async () => {
      const message = 'nodes is forbidden: User "jo" cannot list resource "nodes" in API group "" at the cluster scope';
      const { exit, stderr } = await live({ kind: 'Status', code: 403, message });
      expect(exit).toBe(2);
      expect(stderr).toContain(`error[WEFT0391]: ${message}`);
      expect(stderr).toContain('help: ask for this right, which `kubectl auth can-i` shows');
    });
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
    expect((await call({ stdin: list(gpu) })).stderr).not.toContain('must be deployed');
    const bare = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'b', labels: { 'kubernetes.io/arch': 'amd64' } } };
    expect((await call({ stdin: list(bare) })).stderr).toMatch(/WEFT0063[^]*it must be deployed/);
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
    { name: 'YAML', stdin: 'kind: List\n', message: 'standard input cannot be used: it is no JSON' },
    {
      name: 'brackets without end',
      stdin: '['.repeat(1_000_000),
      message: 'standard input cannot be used: it is no JSON',
    },
    {
      name: 'labels that are no text',
      stdin: '{"kind": "Node", "metadata": {"name": "a", "labels": {"b": 1}}}',
      message: 'standard input cannot be used: Node a: `metadata.labels.b` is no text',
    },
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
    const stderr =
      'clusters/east: 1 NIC node, each in a pool and without a driver or a device plugin: no policy has one; no pool is empty\n';
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

  const dedicated = { spec: { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } };
  const gpuNodes = list(node('a'), { ...(node('b') as object), ...dedicated });

  it('names nodes of a pool to which no driver DaemonSet brings a pod, with the reason', async () => {
    const { exit, stdout, stderr } = await call({ stdin: gpuNodes, folder: '../tainted', options: check });
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /^node `b` gets no driver: DaemonSet mofed-ubuntu24\.04-ds does not tolerate the taint dedicated:NoSchedule\n$/,
    );
    expect(stderr).toContain('2 NIC nodes, 0 in no pool, 1 without a driver; 0 empty pools\n');
  });

  it('gives the reason where the output has no driver at all', async () => {
    const stdin = list({ ...(node('b') as object), ...dedicated });
    const { stdout } = await call({ stdin, folder: '../untolerated', options: check });
    expect(stdout).toBe(
      'node `b` gets no driver: NicClusterPolicy `nic-cluster-policy` does not tolerate `dedicated:NoSchedule`\n',
    );
  });

  it('names nodes without the programs of networks, and nodes that no policy with a driver selects', async () => {
    const nodes = list(
      node('a', { pool: 'main' }),
      { ...(node('b', { pool: 'gpu' }) as object), ...dedicated },
      node('c', { pool: 'rhel' }),
    );
    const { exit, stdout, stderr } = await call({ stdin: nodes, folder: '../fleet', options: check });
    expect(exit).toBe(1);
    expect(stdout).toBe(
      'node `b` gets no pods of `multus-cni`: NicClusterPolicy `nic-cluster-policy` does not tolerate `dedicated:NoSchedule`\n' +
        'node `c` gets no pods of `ofed-driver`: no policy with `ofedDriver` selects the node\n',
    );
    expect(stderr).toContain('3 NIC nodes, 0 in no pool, 2 without pods that they need; 0 empty pools\n');
  });

  it('counts the nodes for which a pool of addresses has blocks', async () => {
    const said =
      'warning[WEFT0506]: IPPool `rail` has 2 blocks of addresses, each for one node, and there are 3 nodes\n';
    const three = list(node('a'), node('b'), node('c'));
    expect((await call({ stdin: three, folder: '../blocks', options: check })).stderr).toContain(said);
    const two = await call({ stdin: list(node('a'), node('b')), folder: '../blocks', options: check });
    expect(two.stderr).not.toContain('WEFT0506');
  });

  it('does not miss a driver that is uninstalled', async () => {
    const stderr = expect.stringContaining('each in a pool with what it needs; no pool is empty');
    expect(await call({ stdin: gpuNodes, folder: '../uninstalled', options: check })).toMatchObject({
      exit: 0,
      stderr,
    });
  });

  it('respects comments that silence a warning, and the warnings that the Cluster denies', async () => {
    const { stderr } = await call({ options: check, cwd: 'ignored' });
    expect(stderr).toBe(
      'clusters/east: 1 NIC node, each in a pool and without a driver or a device plugin: no policy has one; no pool is empty\n',
    );
    const denied = await call({ options: check, cwd: 'denied' });
    expect(denied).toMatchObject({ exit: 2, stdout: '' });
    expect(denied.stderr).toContain('error[WEFT0311]');
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
