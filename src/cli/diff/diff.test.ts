import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DiffDocument } from '../../review/diff/json.js';
import { policyText } from '../../../test/golden/compile.js';
import { runWeft } from '../../../test/kit/run-weft.js';

const cluster = (name: string): string => `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: ${name}}
spec:
  nodePools:
    - {name: main, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic}
`;

const settings = (name: string, mtu: number): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: default}
data: {config: '{"mtu": ${mtu}}'}
`;

const policy = 'apiVersion: mellanox.com/v1alpha1\nkind: NicNodePolicy\nmetadata: {name: none}\n';

const INPUT = {
  'clusters/east/policy.yaml': policy,
  'clusters/west/policy.yaml': policy,
  'clusters/east/cluster.yaml': cluster('east'),
  'clusters/east/settings.yaml': settings('rail', 1500),
  'clusters/west/cluster.yaml': cluster('west'),
  'clusters/west/settings.yaml': settings('rail', 1500),
};

const roots: string[] = [];
let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-diff-')));
  roots.push(root);
  write(INPUT);
});
afterAll(() => {
  for (const folder of roots) rmSync(folder, { recursive: true });
});

function write(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const AUTHOR = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
const git = (...args: readonly string[]) =>
  execFileSync('git', [...AUTHOR, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

async function weft(command: string | readonly string[], cwd = root, more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], ...more };
  return runWeft(typeof command === 'string' ? command.split(' ') : command, { cwd, env, isStdinTerminal: true });
}

async function commitOutput(): Promise<void> {
  expect((await weft('synth')).exit).toBe(0);
  git('init', '-q', '--template=');
  git('add', '-A');
  git('commit', '-qm', 'first');
}

/** The repository of INPUT and its output, which is made once and copied. */
let committed: string | undefined;
async function commitInput(): Promise<void> {
  if (committed !== undefined) return cpSync(committed, root, { recursive: true });
  await commitOutput();
  committed = mkdtempSync(join(tmpdir(), 'weft-diff-'));
  roots.push(committed);
  cpSync(root, committed, { recursive: true });
}

const mtuChange = (names: string): string => `${names}: rights: 1 ConfigMap
  rights: rights are gained or lost, or what runs, is admitted or is delivered
    ~ ConfigMap default/rail
        = goes to the cluster as the document has it, and Weft does not know what it does: review it as code
        ~ data.config<json>.mtu: 1500 -> 9000
`;

describe('another namespace', () => {
  const file = (spec: string) => cluster('east').replace('spec:\n', `spec:\n  release: v26.4\n${spec}`);
  const input = (spec: string, section: string) =>
    write({
      'clusters/east/cluster.yaml': file(spec),
      'clusters/east/policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${section}: {}\n`),
    });
  const moved = '  namespace: drivers\n';

  it('is refused while drivers run, and not between the steps that work', async () => {
    input('', 'ofedDriver');
    await weft('synth');
    input(moved, 'ofedDriver');
    const refused = await weft('diff dist --folder clusters/east');
    expect(refused).toMatchObject({ exit: 2, stdout: '' });
    expect(refused.stderr).toContain('clusters/east/cluster.yaml:6:14');
    expect(refused.stderr).toContain(
      'the namespace changes from `nvidia-network-operator` to `drivers` while drivers run: ' +
        '`nvidia-network-operator/mofed-ubuntu24.04-d57dd4984-ds` would stay',
    );
    // An uninstall from the new namespace does not see the drivers of the old one.
    input(`${moved}  driver: {uninstall: true}\n`, 'ofedDriver');
    expect((await weft('diff dist --folder clusters/east')).stderr).toContain('WEFT0280');
    for (const step of ['  driver: {uninstall: true}\n', moved]) {
      input(step, 'ofedDriver');
      expect((await weft('diff dist --folder clusters/east')).exit).toBe(1);
      await weft('synth');
    }
  });

  it('is no error for a cluster without drivers', async () => {
    input('', 'nicFeatureDiscovery');
    await weft('synth');
    input(moved, 'nicFeatureDiscovery');
    expect((await weft('diff dist --folder clusters/east')).exit).toBe(1);
  });
});

describe('weft diff in a git repository', () => {
  beforeEach(commitInput);

  it('finds nothing in what is committed', async () => {
    expect(await weft('diff')).toEqual({ exit: 0, stdout: '', stderr: 'no differences from HEAD:dist/\n' });
    expect(await weft('diff HEAD --format markdown')).toMatchObject({ exit: 0, stdout: '### Weft: no differences\n' });
    expect(await weft('diff', join(root, 'clusters/east'))).toMatchObject({ exit: 0, stdout: '' });
  });

  it('compares the input with HEAD, whatever lies on disk', async () => {
    write({ 'clusters/east/settings.yaml': settings('rail', 9000) });
    await weft('synth');
    expect(await weft('diff')).toEqual({ exit: 1, stdout: mtuChange('east'), stderr: '' });
    expect((await weft('diff dist')).exit).toBe(0);
  });

  it('compares with a revision', async () => {
    write({
      'clusters/east/settings.yaml': settings('rail', 9000),
      'clusters/west/settings.yaml': settings('rail', 9000),
    });
    await weft('synth');
    git('add', '-A');
    git('commit', '-qm', 'second');
    expect((await weft('diff')).exit).toBe(0);
    expect(await weft('diff HEAD~1')).toEqual({ exit: 1, stdout: mtuChange('east, west'), stderr: '' });
    expect(await weft('diff HEAD~1 --folder clusters/west')).toEqual({
      exit: 1,
      stdout: mtuChange('west'),
      stderr: '',
    });
  });

  it('names clusters and objects that come and go', async () => {
    rmSync(join(root, 'clusters/west'), { recursive: true });
    write({ 'clusters/north/cluster.yaml': cluster('north'), 'clusters/east/more.yaml': settings('rail-2', 1500) });
    const { exit, stdout } = await weft('diff --format json');
    const { clusters } = JSON.parse(stdout) as DiffDocument;
    expect(exit).toBe(1);
    expect(clusters.map(({ name, change }) => [name, change])).toEqual([
      ['east', 'changed'],
      ['north', 'added'],
      ['west', 'removed'],
    ]);
    const [east, , west] = clusters;
    expect(east?.objects.map(({ name, change, impact }) => [name, change, impact])).toEqual([
      ['rail-2', 'added', 'rights'],
    ]);
    expect(west?.counts).toMatchObject({ add: 0, metadata: 0, remove: west?.objects.length ?? -1 });
  });

  it.each([
    ['access: {context: east}', 'access: {context: west}', 'policy'],
    ['gitops: {flux: {path: a}}', 'gitops: {flux: {path: b}}', 'rights'],
    ['patches: []', 'patches: [{target: {kind: Namespace}, patch: {metadata: {labels: {a: b}}}}]', 'rights'],
  ])('says what no object of the output shows: %s', async (before, after, impact) => {
    const spec = (text: string) => cluster('east').replace('spec:\n', `spec:\n  ${text}\n`);
    write({ 'clusters/east/cluster.yaml': spec(before) });
    await commitOutput();
    expect(await weft('diff')).toMatchObject({ exit: 0 });
    write({ 'clusters/east/cluster.yaml': spec(after) });
    const { exit, stdout } = await weft(`diff --fail-on ${impact}`);
    expect([exit, stdout]).toEqual([1, expect.stringContaining('~ Cluster east\n')]);
  });

  it('leaves files alone that Weft did not write', async () => {
    write({
      'dist/east/extra.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n',
      'dist/notes/a.yaml': 'a',
    });
    git('add', '-A');
    git('commit', '-qm', 'mine');
    expect((await weft('diff')).exit).toBe(0);
    expect((await weft('diff dist')).exit).toBe(0);
  });

  it('ends by the classes that are asked for', async () => {
    write({ 'clusters/east/settings.yaml': settings('rail-2', 1500) });
    const exits = [];
    for (const gate of ['', ' --fail-on remove', ' --fail-on drain', ' --fail-on drain --fail-on restart,remove']) {
      const { exit, stdout } = await weft(`diff${gate}`);
      expect(stdout).toMatch(/- ConfigMap default\/rail\n/);
      exits.push(exit);
    }
    expect(exits).toEqual([1, 1, 0, 1]);
    expect(await weft('diff --fail-on cosmetics')).toMatchObject({ exit: 2, stdout: '' });
  });

  it('names the run of the companion that a change starts, and how many nodes it is for', async () => {
    const driver = (version: string) => ({
      'clusters/east/cluster.yaml': cluster('east').replace('spec:\n', 'spec:\n  release: v26.4\n'),
      'clusters/east/policy.yaml':
        'apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\n' +
        `spec: {ofedDriver: {version: ${version}, upgradePolicy: {autoUpgrade: true, drain: {}}}}\n`,
    });
    write(driver('25.07-0.9.7.0-0'));
    expect((await weft('synth')).exit).toBe(0);
    write({ ...driver('25.10-1.2.8.0-2'), 'nodes.json': '{"kind": "List", "items": []}' });
    const { exit, stdout } = await weft('diff dist --folder clusters/east --nodes nodes.json --fail-on drain');
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /^ {2}pool main \(0 nodes\): the companion drains the nodes, and they get driver 25\.10-1\.2\.8\.0-2$/m,
    );
    expect(stdout).toMatch(/^ {2}applying this starts the run weft-companion-\w+ of the companion$/m);
    expect(stdout).toMatch(/^ {4}pool main, kernel 6\.8\.0-31-generic: 25\.07-0\.9\.7\.0-0 of mofed-.* -> 25\.10-1/m);
    expect((await weft('diff dist --nodes nodes.json')).stderr).toMatch(/^error\[WEFT0410\]/);
    expect((await weft('diff dist --folder clusters/east --nodes nowhere')).stderr).toMatch(/^error\[WEFT0411\]/);
  });

  it('reads nodes and addresses in use from the live cluster', async () => {
    const driver = (version: string, subnet: string) => ({
      'clusters/east/cluster.yaml': cluster('east').replace('spec:\n', 'spec:\n  release: v26.4\n'),
      'clusters/east/policy.yaml':
        'apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\n' +
        `spec: {ofedDriver: {version: ${version}}}\n`,
      'clusters/east/pool.yaml':
        'apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: p}\n' +
        `spec: {subnet: ${subnet}, perNodeBlockSize: 16}\n`,
    });
    write(driver('25.07-0.9.7.0-0', '10.0.0.0/24'));
    await weft('synth');
    const label = (name: string) => `feature.node.kubernetes.io/${name}`;
    const labels = {
      [label('pci-15b3.present')]: 'true',
      [label('system-os_release.ID')]: 'ubuntu',
      [label('system-os_release.VERSION_ID')]: '24.04',
      [label('kernel-version.full')]: '6.8.0-31-generic',
      'kubernetes.io/arch': 'amd64',
    };
    const status = JSON.stringify([{ name: 'apps/rail', ips: ['10.0.0.200'] }]);
    const annotations = { 'k8s.v1.cni.cncf.io/network-status': status };
    const list = (...items: readonly object[]) => ({ metadata: { resourceVersion: '1' }, items });
    const live = {
      '/api/v1/nodes': list({ metadata: { name: 'a', labels } }),
      '/api/v1/pods': list({ metadata: { namespace: 'apps', name: 'job', annotations } }),
    };
    write({ ...driver('25.10-1.2.8.0-2', '10.0.0.0/25'), 'live.json': JSON.stringify(live) });
    const bin = join(process.cwd(), 'test/kube-server/bin');
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, FAKE_CLUSTER: join(root, 'live.json') };
    const call = (options: string) => weft(`diff dist --folder clusters/east ${options}`, root, env);
    const { exit, stdout } = await call('--nodes live');
    expect(exit).toBe(1);
    expect(stdout).toContain('  pool main (1 node): the nodes keep driver 25.07-0.9.7.0-0, and nothing upgrades it;');
    expect(stdout).toContain('in use: 10.0.0.200 (pod apps/job); these pods keep their addresses');
    expect((await call('--nodes live --context east')).stdout).toBe(stdout);
    const nowhere = await call('--nodes live --context nowhere --format json');
    expect([nowhere.exit, nowhere.stdout]).toEqual([2, '']);
    expect(JSON.parse(nowhere.stderr)).toMatchObject({ diagnostics: [{ code: 'WEFT0391' }] });
    expect((await call('--nodes live --kubectl ./nokube')).stderr).toMatch(/error\[WEFT0390\]/);
    expect((await weft('diff dist --nodes live', root, env)).stderr).toMatch(/^error\[WEFT0410\]: `--nodes` has/);
    expect((await call('--live --nodes nodes.json')).stderr).toContain(
      "option '--live' cannot be used with option '--nodes",
    );
  });

  it('knows a claim whose storage class cannot be changed, and ends by it', async () => {
    const storage = (spec: string) =>
      write({
        'clusters/east/cluster.yaml': cluster('east').replace('spec:\n', 'spec:\n  release: v26.4\n'),
        'clusters/east/policy.yaml':
          'apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\n' +
          `spec: {nicConfigurationOperator: {nicFirmwareStorage: {${spec}}}}\n`,
      });
    storage('storageClassName: nfs, availableStorageSize: 1Gi');
    expect((await weft('synth')).exit).toBe(0);
    storage('storageClassName: ceph, availableStorageSize: 2Gi');
    const { exit, stdout } = await weft('diff dist --fail-on drain,refused');
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /PersistentVolumeClaim .*\n += cannot be applied: .* change `spec.storageClassName`; delete the object/,
    );
    storage('storageClassName: nfs, availableStorageSize: 2Gi');
    const growth = await weft('diff dist --fail-on drain,restart,remove,refused');
    expect(growth.exit).toBe(0);
    expect(growth.stdout).toContain('lacks `allowVolumeExpansion: true`');
  });

  it.each([
    ['nowhere', /^error\[WEFT0058\]: `nowhere` is neither a folder nor a revision .*\n.*help: `git branch --all`/],
    ['--end-of-options', /^error\[WEFT0058\]: .* is neither a folder nor a revision/],
    ['HEAD:dist', /^error\[WEFT0058\]: .* is neither a folder nor a revision/],
    ['', /^error\[WEFT0058\]: the revision is empty/],
    ['@{upstream}', /^error\[WEFT0059\]: git refuses: fatal: no upstream configured/],
    ['clusters/east', /^error\[WEFT0058\]: .* is the input of a cluster.*\n.*`weft diff --folder clusters\/east`/],
    ['clusters', /^error\[WEFT0058\]: `clusters` is the input of the clusters/],
  ])('refuses the revision %j', async (revision, expected) => {
    const { exit, stdout, stderr } = await weft(['diff', '--', revision]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
    expect(stderr).toMatch(/1 error; nothing compared\n$/);
  });

  it('says what to do in a clone that has the last commit only', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'second');
    git('clone', '-q', '--depth', '1', `file://${root}`, 'shallow');
    expect(await weft('diff HEAD~1', join(root, 'shallow'))).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringMatching(/git fetch --depth 1 origin <branch>.*weft diff FETCH_HEAD/),
    });
  });

  it('shows what git asks for where the repository belongs to another user', async () => {
    expect(await weft('diff HEAD', root, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' })).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringMatching(/WEFT0059.*dubious ownership[^]*git config --global --add safe\.directory/),
    });
    // As the guide says for the image.
    const trusted = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: root };
    expect(await weft('diff HEAD', root, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1', ...trusted })).toMatchObject({
      exit: 0,
    });
  });

  it('names what is missing in the repository', async () => {
    const id = git('rev-parse', 'HEAD:dist/east/config-maps/configmap.rail.yaml').trim();
    write({ 'clusters/east/settings.yaml': settings('rail', 9000) });
    rmSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
    expect(await weft('diff')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining(`error[WEFT0059]: HEAD:dist/ cannot be read: git has no content ${id}`),
    });
  });

  it('prints one JSON document on each stream with --format json', async () => {
    const warning = 'apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: net}\n';
    const spec = 'spec: {networkNamespace: default, master: eth0, ipam: {type: nv-ipam, poolName: none}}\n';
    write({ 'clusters/east/network.yaml': warning + spec });
    const found = await weft('diff --format json');
    const diagnosed = (text: string) => (JSON.parse(text) as { diagnostics: { code: string }[] }).diagnostics;
    expect([found.exit, (JSON.parse(found.stdout) as DiffDocument).old]).toEqual([1, 'HEAD:dist/']);
    expect(diagnosed(found.stderr).map(({ code }) => code)).toContain('WEFT0263');
    const refused = await weft('diff nowhere --format json');
    expect([refused.exit, refused.stdout]).toEqual([2, '']);
    expect(diagnosed(refused.stderr)).toMatchObject([{ code: 'WEFT0058', severity: 'error' }]);
    git('rm', '-rq', '--cached', 'dist');
    git('commit', '-qm', 'input only');
    expect(diagnosed((await weft('diff --format json')).stderr).length).toBeGreaterThan(0);
  });

  it('prints what a gate asks for as a log in SARIF and as annotations', async () => {
    interface Log {
      readonly runs: readonly {
        readonly results: readonly { readonly ruleId: string; readonly locations: unknown }[];
      }[];
    }
    const resultsOf = (text: string) => (JSON.parse(text) as Log).runs[0]?.results;
    write({ 'clusters/east/settings.yaml': settings('rail', 9000) });
    const { exit, stdout, stderr } = await weft('diff --format sarif --fail-on rights', join(root, 'clusters'));
    expect([exit, resultsOf(stderr)]).toEqual([1, []]);
    expect(resultsOf(stdout)).toMatchObject([
      {
        ruleId: 'rights',
        level: 'warning',
        message: { text: expect.stringMatching(/^east: ConfigMap default\/rail: goes to the cluster as/) },
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'dist/east/config-maps/configmap.rail.yaml' }, region: {} } },
        ],
      },
    ]);
    expect(resultsOf((await weft('diff --format sarif')).stdout)).toMatchObject([{ ruleId: 'rights' }]);
    const github = await weft('diff --format github --fail-on rights');
    expect(github).toMatchObject({ exit: 1, stderr: '' });
    expect(github.stdout).toMatch(
      /^::warning file=dist\/east\/config-maps\/configmap\.rail\.yaml,line=1,col=1,title=rights::east: ConfigMap/,
    );
    const refused = await weft('diff nowhere --format sarif');
    expect([refused.exit, refused.stdout]).toEqual([2, '']);
    expect(resultsOf(refused.stderr)).toMatchObject([{ ruleId: 'WEFT0058' }]);
  });

  it('prints what is wrong with the input and nothing else', async () => {
    write({ 'clusters/east/settings.yaml': settings('rail', 9000).replace('metadata', 'metadataa') });
    const { exit, stdout, stderr } = await weft('diff --folder clusters/east');
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/metadataa/);
    expect(stderr).toMatch(/1 error; nothing compared\n$/);
  });

  it('takes warnings for errors on request', async () => {
    write({ 'clusters/east/cluster.yaml': cluster('east').replace('spec:\n', 'spec:\n  companion: {image: b}\n') });
    expect((await weft('diff')).stderr).toMatch(/^warning\[WEFT0241\]/);
    const { exit, stdout, stderr } = await weft('diff --deny-warnings --folder clusters/east');
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error\[WEFT0241\][^]*nothing compared\n$/);
  });

  it('prints what is wrong with the old tree', async () => {
    const path = 'dist/east/config-maps/configmap.rail.yaml';
    write({ [path]: 'a: [' });
    git('commit', '-qam', 'broken');
    expect(await weft('diff --folder clusters/east')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining(`HEAD:${path}:1`),
    });
    write({ [path]: Buffer.from([0x61, 0xff]) });
    expect(await weft('diff dist')).toMatchObject({ exit: 2, stderr: expect.stringContaining('is not UTF-8 text') });
  });

  it('takes everything for new where nothing of the output is committed', async () => {
    git('rm', '-rq', '--cached', 'dist');
    git('commit', '-qm', 'input only');
    const { exit, stdout, stderr } = await weft('diff');
    expect([exit, stderr]).toEqual([1, 'note: HEAD:dist/ has no folder of any cluster: all is new\n']);
    expect(stdout).toMatch(/^east, west \(new cluster\): rights: 1 ConfigMap, add: 1 Namespace\n/);
  });

  it('works below the root of the repository, and with SHA-256', async () => {
    rmSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, 'below'));
    for (const name of ['clusters', 'dist']) renameSync(join(root, name), join(root, 'below', name));
    git('init', '-q', '--object-format=sha256');
    git('add', '-A');
    git('commit', '-qm', 'first');
    write({ 'below/clusters/east/settings.yaml': settings('rail', 9000) });
    const below = join(root, 'below');
    expect(await weft('diff', below)).toEqual({ exit: 1, stdout: mtuChange('east'), stderr: '' });
    for (const output of ['', ' --output-dir below/dist']) {
      expect(await weft(`diff --folder below/clusters/east${output}`)).toMatchObject({
        exit: 1,
        stdout: mtuChange('east'),
      });
    }
  });
});

describe('weft diff with a folder', () => {
  beforeEach(async () => {
    await weft('synth');
    cpSync(join(root, 'dist'), join(root, 'before'), { recursive: true });
    write({ 'clusters/east/settings.yaml': settings('rail', 9000) });
  });

  it.each(['before', './before/', 'before/east', 'before/east --folder clusters/east'])('%s', async (args) => {
    expect(await weft(`diff ${args}`)).toEqual({ exit: 1, stdout: mtuChange('east'), stderr: '' });
  });

  it('of a cluster that has another name', async () => {
    renameSync(join(root, 'before/east'), join(root, 'before/old'));
    expect(await weft('diff before/old')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('--folder'),
    });
    expect(await weft('diff before/old --folder clusters/east')).toMatchObject({ exit: 1, stdout: mtuChange('east') });
  });

  it('without an index', async () => {
    rmSync(join(root, 'before/east/weft.index'));
    expect(await weft('diff before')).toEqual({ exit: 1, stdout: mtuChange('east'), stderr: '' });
  });

  it.each(['east/loop', 'west'])('with the link %s', async (name) => {
    rmSync(join(root, 'before', name), { recursive: true, force: true });
    symlinkSync('.', join(root, 'before', name));
    expect(await weft('diff before')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining(`\`before/${name}\` is a symbolic link, and its content is elsewhere`),
    });
  });

  it('by default where there is no repository, and says so', async () => {
    const note = 'note: nothing is committed, so this compares with dist as it lies on disk\n';
    expect(await weft('diff')).toEqual({ exit: 1, stdout: mtuChange('east'), stderr: note });
    expect(await weft('diff main')).toMatchObject({ exit: 2, stderr: expect.stringContaining('in no git repository') });
  });

  it('refuses two clusters of one name', async () => {
    write({ 'clusters/west/cluster.yaml': cluster('east') });
    expect(await weft('diff before')).toMatchObject({ exit: 2, stderr: expect.stringContaining('both named `east`') });
  });
});
