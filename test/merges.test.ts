import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runWeft } from './kit/run-weft.js';
import { shareOf } from './kit/shares.js';

/** `weft synth` must repair `dist/` after git has merged two branches, in whatever state git left it. */

type Files = Readonly<Record<string, string | undefined>>;

const K1 = '6.8.0-31-generic';
const K2 = '6.8.0-45-generic';
const K3 = '6.8.0-60-generic';

const cluster = (kernels: string, name = 'east') => `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: ${name}}
spec:
  release: v26.4
  nodePools:
    - {name: h100, osName: ubuntu, osVersion: "24.04", arch: amd64, kernels: [${kernels}], labels: {pool: h100}}
`;
const driver = (version: string) =>
  `  ofedDriver: {version: ${version}, upgradePolicy: {autoUpgrade: true, maxParallelUpgrades: 1}}\n`;
const rdma = (max: number) => `  rdmaSharedDevicePlugin:
    config: {configList: [{resourceName: a, rdmaHcaMax: ${max}, selectors: {vendors: ["15b3"]}}]}
`;
const POLICY =
  'apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\nspec:\n';
const policy = (...sections: readonly string[]) => POLICY + sections.join('');
const MULTUS = '  secondaryNetwork: {multus: {}}\n';
const DISCOVERY = '  nicFeatureDiscovery: {}\n';
const nodePolicy = (name: string) =>
  `apiVersion: mellanox.com/v1alpha1\nkind: NicNodePolicy\nmetadata: {name: ${name}}\n` +
  `spec:\n  nodeSelector: {pool: h100}\n${driver('25.10-1.2.8.0-2')}`;
const settings = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\ndata: {a: b}\n`;

const CLUSTER = 'clusters/east/cluster.yaml';
const POLICY_FILE = 'clusters/east/policy.yaml';
const BASE = { [CLUSTER]: cluster(K1), [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), rdma(63), MULTUS) };

interface Case {
  readonly name: string;
  readonly base?: Files;
  readonly ours: Files;
  readonly theirs: Files;
  /** The input after a user resolved its conflicts. */
  readonly merged?: Files;
  /** Whether git reports a merge without conflicts. */
  readonly isClean?: boolean;
}

const cases: readonly Case[] = [
  {
    name: 'two kernels at one place',
    ours: { [CLUSTER]: cluster(K2) },
    theirs: { [CLUSTER]: cluster(K3) },
    merged: { [CLUSTER]: cluster(`${K2}, ${K3}`) },
  },
  {
    name: 'an addition beside a removal',
    ours: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), MULTUS) },
    theirs: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), rdma(63), MULTUS, DISCOVERY) },
    merged: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), MULTUS, DISCOVERY) },
    isClean: true,
  },
  {
    name: 'a change of what the other branch removes',
    ours: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), MULTUS) },
    theirs: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), rdma(127), MULTUS) },
    merged: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), MULTUS) },
  },
  {
    name: 'two changes of one object',
    ours: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), rdma(127), MULTUS) },
    theirs: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), rdma(31), MULTUS) },
    merged: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), rdma(31), MULTUS) },
  },
  {
    name: 'one policy with two new names',
    base: { [CLUSTER]: cluster(K1), 'clusters/east/node.yaml': nodePolicy('first') },
    ours: { 'clusters/east/node.yaml': nodePolicy('second') },
    theirs: { 'clusters/east/node.yaml': nodePolicy('third') },
    merged: { 'clusters/east/node.yaml': nodePolicy('fourth') },
  },
  {
    name: 'a renamed cluster and an addition',
    ours: {
      [CLUSTER]: undefined,
      [POLICY_FILE]: undefined,
      'clusters/west/cluster.yaml': cluster(K1, 'west'),
      'clusters/west/policy.yaml': BASE[POLICY_FILE],
    },
    theirs: { 'clusters/east/more.yaml': settings('more') },
    merged: { 'clusters/east/more.yaml': undefined, 'clusters/west/more.yaml': settings('more') },
  },
  {
    name: 'additions that git merges cleanly, each with a driver or an object of its own',
    ours: { 'clusters/east/zz.yaml': settings('zz') },
    theirs: { [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), rdma(127), MULTUS) },
    isClean: true,
  },
  {
    name: 'two clusters, which git merges cleanly',
    ours: { 'clusters/west/cluster.yaml': cluster(K2, 'west') },
    theirs: { [CLUSTER]: cluster(K3) },
    isClean: true,
  },
];

const roots: string[] = [];
afterAll(() => {
  for (const folder of roots) rmSync(folder, { recursive: true });
});

function newRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-merge-')));
  roots.push(root);
  return root;
}

function write(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(root, path);
    if (text === undefined) rmSync(full, { force: true });
    else {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
    }
  }
}

function read(root: string, folder: string): Files {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    files
      .filter((path) => statSync(join(root, folder, path)).isFile())
      .map((path) => [path, readFileSync(join(root, folder, path), 'utf8')]),
  );
}

function git(root: string, ...args: readonly string[]): number {
  const settings = ['user.name=t', 'user.email=t@example.com', 'init.defaultBranch=main', 'core.autocrlf=false'];
  const options = settings.flatMap((setting) => ['-c', setting]);
  const { status } = spawnSync('git', [...options, ...args], { cwd: root, stdio: 'ignore' });
  return status ?? -1;
}

async function weft(root: string, ...args: readonly string[]): Promise<void> {
  const { exit, stderr } = await runWeft(args, { cwd: root });
  if (exit !== 0) throw new Error(`weft ${args.join(' ')}: ${exit}\n${stderr}`);
}

async function commit(root: string, files: Files): Promise<void> {
  write(root, files);
  // A renamed cluster leaves its folder, which users remove.
  const clusters = readdirSync(join(root, 'clusters'));
  for (const name of clusters.filter((one) => Object.keys(read(root, `clusters/${one}`)).length === 0)) {
    rmSync(join(root, 'clusters', name), { recursive: true });
    rmSync(join(root, 'dist', name), { recursive: true });
  }
  await weft(root, 'synth');
  git(root, 'add', '-A');
  expect(git(root, 'commit', '-qm', 'change')).toBe(0);
}

/** Repositories with the two branches of each case, of which each test gets a copy. */
const branched = new Map<Case, string>();

async function branch({ base = BASE, ours, theirs }: Case): Promise<string> {
  const root = newRoot();
  git(root, 'init', '-q', '--template=');
  await commit(root, base);
  git(root, 'checkout', '-qb', 'theirs');
  await commit(root, theirs);
  git(root, 'checkout', '-q', 'main');
  await commit(root, ours);
  // One file with all objects, because a copy of hundreds of files takes longer.
  git(root, 'gc', '--quiet');
  return root;
}

/** Merges both branches as far as git can; returns whether git reports no conflict. */
async function merge(root: string, one: Case, attributes = ''): Promise<boolean> {
  const { merged = {} } = one;
  const original = branched.get(one) ?? (await branch(one));
  branched.set(one, original);
  cpSync(original, root, { recursive: true });
  write(root, { '.git/info/attributes': attributes });
  const status = git(root, 'merge', '-q', '--no-edit', 'theirs');
  write(root, merged);
  return status === 0;
}

interface Rendered {
  readonly names: readonly string[];
  readonly files: Files;
}

const rendered = new Map<string, Rendered>();

/** The output of `weft synth` for some input in an empty folder. */
async function cleanRender(clusters: Files): Promise<Rendered> {
  const key = JSON.stringify(clusters);
  const known = rendered.get(key);
  if (known) return known;
  const clean = newRoot();
  write(clean, Object.fromEntries(Object.entries(clusters).map(([path, text]) => [`clusters/${path}`, text])));
  await weft(clean, 'synth');
  const result = { names: readdirSync(join(clean, 'dist')), files: read(clean, 'dist') };
  rendered.set(key, result);
  return result;
}

async function expectRepaired(root: string): Promise<void> {
  await weft(root, 'synth');
  const { names, files } = await cleanRender(read(root, 'clusters'));
  const found = Object.entries(read(root, 'dist')).filter(([path]) =>
    names.some((name) => path.startsWith(`${name}/`)),
  );
  expect(Object.fromEntries(found)).toEqual(files);
  // A check refuses what a merge left of a renamed cluster.
  const others = readdirSync(join(root, 'dist')).filter((name) => !names.includes(name));
  for (const name of others) rmSync(join(root, 'dist', name), { recursive: true });
  await weft(root, 'synth', '--check');
}

/** Each way to merge tries another third of the cases; with `WEFT_ALL_CASES=1` all of them. */
const casesOf = (way: number) => shareOf(cases, 3, way);

describe('weft synth after a merge', () => {
  it.each(cases)('of $name writes what a clean render writes', async (one) => {
    const root = newRoot();
    expect(await merge(root, one)).toBe(one.isClean ?? false);
    await expectRepaired(root);
  });

  it.each(casesOf(0))('of $name, each conflict being committed as it is', async (one) => {
    const root = newRoot();
    await merge(root, one);
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'merged');
    await expectRepaired(root);
  });

  it.each(casesOf(1))('of $name with doubled lines, as `merge=union` leaves them', async (one) => {
    const root = newRoot();
    await merge(root, one, 'dist/** merge=union\n');
    await expectRepaired(root);
  });

  it.each(casesOf(2))('of $name, the index being taken from one side', async (one) => {
    for (const side of ['--ours', '--theirs']) {
      const root = newRoot();
      await merge(root, one);
      git(root, 'checkout', side, '--', 'dist/east/weft.index');
      await expectRepaired(root);
    }
  });

  it.each([
    { layout: 'plain', gitops: '{}' },
    { layout: 'Argo CD', gitops: '{argocd: {repoURL: "https://git.example.com/network.git", appProject: true}}' },
    {
      layout: 'Argo CD for a fleet',
      gitops: '{argocd: {repoURL: "https://git.example.com/network.git", applicationSet: {name: network}}}',
    },
    {
      layout: 'Flux',
      gitops: '{flux: {source: {name: network, url: "https://git.example.com/network.git", branch: main}}}',
    },
    { layout: 'Helm', gitops: '{helm: {}}' },
  ])('with conflict markers in every generated file, and a Job of another branch: $layout', async ({ gitops }) => {
    const root = newRoot();
    const spec = (kernel: string) => ({ [CLUSTER]: `${cluster(kernel)}  gitops: ${gitops}\n` });
    write(root, { ...BASE, ...spec(K2) });
    await weft(root, 'synth');
    const theirs = read(root, 'dist');
    write(root, spec(K1));
    await weft(root, 'synth');
    const ours = read(root, 'dist');
    const leftover = Object.keys(theirs).filter((path) => !(path in ours));
    expect(leftover.filter((path) => path.includes('/job.weft-companion-'))).toHaveLength(1);
    const conflicting = (path: string) =>
      `<<<<<<< HEAD\n${ours[path] ?? ''}=======\n${theirs[path] ?? ''}>>>>>>> theirs\n`;
    const all = [...new Set([...Object.keys(ours), ...leftover])];
    write(root, Object.fromEntries(all.map((path) => [`dist/${path}`, conflicting(path)])));
    await expectRepaired(root);
    expect(Object.keys(read(root, 'dist')).sort()).toEqual(Object.keys(ours).sort());
    expect(Object.values(read(root, 'dist')).some((text) => text?.includes('<<<<<<<'))).toBe(false);
  });

  it('leaves files that it did not write, a copy of a generated one and one without its first line among them', async () => {
    const root = newRoot();
    await commitBase(root);
    const [path = ''] = Object.keys(read(root, 'dist/east')).filter((name) => name.startsWith('rdma-'));
    const text = read(root, 'dist/east')[path] ?? '';
    const own = {
      'dist/east/README.md': '# Made by people\n',
      'dist/east/copy.yaml': text,
      [`dist/east/${path}.orig`]: text,
      [`dist/east/${path}`]: text.slice(text.indexOf('\n') + 1),
    };
    write(root, { ...own, [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), MULTUS) });
    await weft(root, 'synth');
    expect(read(root, '.')).toMatchObject(own);
  });
});

async function commitBase(root: string): Promise<void> {
  git(root, 'init', '-q', '--template=');
  await commit(root, BASE);
}

describe('the index', () => {
  it('has no line that an unrelated object changes', async () => {
    const root = newRoot();
    await commitBase(root);
    const before = new Set(read(root, 'dist')['east/weft.index']?.split('\n'));
    await commit(root, {
      [POLICY_FILE]: policy(driver('25.10-1.2.8.0-2'), rdma(127), MULTUS, DISCOVERY),
      'clusters/east/more.yaml': settings('more'),
    });
    const after = read(root, 'dist')['east/weft.index']?.split('\n') ?? [];
    const added = after.filter((line) => !before.has(line));
    expect([...before].filter((line) => !after.includes(line))).toEqual([]);
    expect(added.filter((line) => !/^file (?:nic-feature-discovery|config-maps)\//.test(line))).toEqual([]);
  });
});
