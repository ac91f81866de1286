import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { runWeft, withCluster } from '../../../test/kit/run-weft.js';
import { shareOf } from '../../../test/kit/shares.js';

const NFD = 'feature.node.kubernetes.io';
const NODE = {
  ...{ apiVersion: 'v1', kind: 'Node', spec: {} },
  metadata: {
    name: 'a',
    labels: {
      [`${NFD}/pci-15b3.present`]: 'true',
      [`${NFD}/system-os_release.ID`]: 'rhel',
      [`${NFD}/system-os_release.VERSION_ID`]: '9.6',
      [`${NFD}/kernel-version.full`]: '5.14.0-570.12.1.el9_6.x86_64',
      'kubernetes.io/arch': 'amd64',
    },
  },
};
const POLICY = {
  apiVersion: 'mellanox.com/v1alpha1',
  kind: 'NicClusterPolicy',
  metadata: { name: 'nic-cluster-policy', uid: 'u' },
  spec: { nicFeatureDiscovery: {} },
};
const OPERATED = {
  '/apis/mellanox.com/v1alpha1': { resources: [{ name: 'nicclusterpolicies', kind: 'NicClusterPolicy' }] },
  '/apis/mellanox.com/v1alpha1/nicclusterpolicies': { metadata: { resourceVersion: '1' }, items: [POLICY] },
};

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'weft-init-')));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
};
const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
const documentOf = (path: string) => parse(read(path)) as { readonly spec: Readonly<Record<string, unknown>> };
const poolsOf = (path: string) => documentOf(path).spec['nodePools'];

/** The environment of a cluster with one node, and what is added to it. */
const withLive = (more: object = {}) => {
  const version = { '/version': { gitVersion: 'v1.34.2' } };
  const lists = { '/api/v1/nodes': { metadata: { resourceVersion: '1' }, items: [NODE] } };
  put('.live/live.json', JSON.stringify({ ...version, ...lists, ...more }));
  return withCluster(join(cwd, '.live/live.json'));
};

const init = (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
  runWeft(['init', ...args], { cwd, env });

/** An `Io` of a terminal on which these lines are typed; the questions are kept. */
function terminal(lines: readonly string[]) {
  const asked: string[] = [];
  const ask = (question: string) => {
    asked.push(question);
    return Promise.resolve(lines[asked.length - 1] ?? '');
  };
  return { asked, io: { cwd, ask, isStdinTerminal: true, isStderrTerminal: true } };
}

const COMMON = ['.gitattributes', '.gitignore', '.vscode/settings.json', 'AGENTS.md', 'README.md', 'package.json'];
const ofCluster = (name: string) => [`clusters/${name}/cluster.yaml`, `clusters/${name}/policy.yaml`];
const ofFleet = (first: string) => [
  ...['base/common/cluster.yaml', 'base/common/policy.yaml'],
  ...[`clusters/${first}/cluster.yaml`, 'clusters/west/cluster.yaml'],
];
const REVIEW = ['.github/workflows/weft-review.yml', '.github/workflows/weft.yml'];

interface Combination {
  readonly args: readonly string[];
  readonly live?: object;
  readonly files: readonly string[];
}

/** Where the first cluster is from, by the options. */
const sources: readonly (Omit<Combination, 'files'> & { readonly cluster: string })[] = [
  { args: [], cluster: 'east' },
  { args: ['--yes', '--os', 'sles:15.7', '--kernel', '6.4.0-150700.51-default'], cluster: 'east' },
  { args: ['--arch', 'arm64', '--cluster', 'gb200'], cluster: 'gb200' },
  { args: ['--from-cluster'], live: {}, cluster: 'east' },
  { args: ['--context', 'east', '--cluster', 'lyon'], live: OPERATED, cluster: 'lyon' },
];
const pipelines: readonly Combination[] = [
  { args: [], files: [] },
  { args: ['--ci', 'github'], files: REVIEW },
  { args: ['--ci', 'gitlab'], files: ['.gitlab-ci.yml'] },
];

/** Each source in a repository of one cluster and in one with a base, with each host of pipelines; and a first cluster with the name of the second. */
const combinations: readonly Combination[] = [
  ...sources.flatMap(({ args, cluster, ...live }) =>
    pipelines.flatMap((ci) => [
      { ...live, args: [...args, ...ci.args], files: [...ofCluster(cluster), ...ci.files] },
      { ...live, args: ['--fleet', ...args, ...ci.args], files: [...ofFleet(cluster), ...ci.files] },
    ]),
  ),
  { args: ['--fleet', '--cluster', 'west', '--ci', 'none'], files: ofFleet('east') },
];

describe('a repository by weft init', () => {
  it.each(shareOf(combinations, 7, 1))('renders: $args', async ({ args, live, files }) => {
    const { exit, stdout, stderr } = await init(['fleet', ...args], live && withLive(live));
    const written = stdout.trimEnd().split('\n');
    expect({ exit, errors: /^error/m.test(stderr) }).toEqual({ exit: 0, errors: false });
    expect(written.sort()).toEqual([...COMMON, ...files].map((path) => `fleet/${path}`).sort());
    expect(read('fleet/README.md').trimEnd().split('\n')).toHaveLength(10);
    expect(stderr).toContain('next: `cd fleet && git init && npm install && npx weft synth`, and commit it all\n');
    const inside = { cwd: join(cwd, 'fleet') };
    expect(await runWeft(['synth', '--deny-warnings'], inside)).toMatchObject({ exit: 0 });
    expect(await runWeft(['synth', '--check'], inside)).toMatchObject({ exit: 0 });
    // It is all there, so a second run writes nothing.
    const again = await init(['fleet', ...args], live && withLive(live));
    expect({ exit: again.exit, stdout: again.stdout }).toEqual({ exit: 0, stdout: '' });
  });

  it('has the nodes that options describe', async () => {
    await init(['--os', 'rhel:9.6', '--kernel', '5.14.0-570.12.1.el9_6.x86_64', '--arch', 'arm64']);
    expect(poolsOf('clusters/east/cluster.yaml')).toEqual([
      { name: 'workers', osName: 'rhel', osVersion: '9.6', arch: 'arm64', kernel: '5.14.0-570.12.1.el9_6.x86_64' },
    ]);
  });

  it('has the nodes of a live cluster, and what the operator has there', async () => {
    await init(['a', '--from-cluster'], withLive());
    const pools = [expect.objectContaining({ osName: 'rhel', kernel: '5.14.0-570.12.1.el9_6.x86_64' })];
    expect(poolsOf('a/clusters/east/cluster.yaml')).toEqual(pools);
    expect(documentOf('a/clusters/east/cluster.yaml').spec).toMatchObject({ driver: { gate: 'ready-file' } });
    expect(documentOf('a/clusters/east/policy.yaml').spec).toHaveProperty('ofedDriver');
    await init(['b', '--from-cluster'], withLive(OPERATED));
    expect(poolsOf('b/clusters/east/cluster.yaml')).toEqual(pools);
    expect(documentOf('b/clusters/east/cluster.yaml').spec).toMatchObject({ driver: { gate: 'label' } });
    expect(documentOf('b/clusters/east/policy.yaml').spec).toEqual(POLICY.spec);
  });

  it('has what clusters share once, in a base', async () => {
    await init(['--fleet', '--kernel', '6.8.0-31-generic']);
    expect(documentOf('base/common/cluster.yaml').spec).toEqual({
      required: ['nodePools'],
      release: expect.stringMatching(/^v/),
    });
    expect(documentOf('clusters/east/cluster.yaml').spec).toMatchObject({
      extends: ['../../base/common'],
      nodePools: [{ kernel: '6.8.0-31-generic' }],
    });
    expect(documentOf('clusters/east/cluster.yaml').spec).not.toHaveProperty('release');
    expect(read('clusters/west/cluster.yaml')).toContain('# An example');
    expect(await runWeft(['synth'], { cwd })).toMatchObject({ exit: 0 });
    // A change of the base reaches both.
    put('base/common/policy.yaml', read('base/common/policy.yaml').replace('rdmaHcaMax: 63', 'rdmaHcaMax: 64'));
    const { exit, stderr } = await runWeft(['synth', '--check'], { cwd });
    expect({ exit, changed: stderr.match(/^dist\/(?:east|west): .* [1-9] different/gm)?.length }).toEqual({
      exit: 1,
      changed: 2,
    });
  });

  it('has Weft as a dependency: the package in vendor/, this version, or what is given', async () => {
    put('a/vendor/weft-gitops-0.1.0.tgz', '');
    await init(['a']);
    await init(['b']);
    await init(['c', '--weft', 'git+https://git.example.com/weft.git#v0.1.0']);
    const versions = ['a', 'b', 'c'].map((name) => {
      const { devDependencies, scripts } = JSON.parse(read(`${name}/package.json`)) as {
        readonly devDependencies: object;
        readonly scripts: object;
      };
      expect(scripts).toEqual({ synth: 'weft synth', check: 'weft synth --check', diff: 'weft diff' });
      return devDependencies;
    });
    expect(versions).toEqual([
      { 'weft-gitops': 'file:vendor/weft-gitops-0.1.0.tgz' },
      { 'weft-gitops': 'development' },
      { 'weft-gitops': 'git+https://git.example.com/weft.git#v0.1.0' },
    ]);
  });

  it('says that pipelines of an unreleased Weft name no commit', async () => {
    const { stderr } = await init(['--ci', 'gitlab']);
    expect(stderr).toContain('commit of yours into .gitlab-ci.yml, in place of `platform/weft` and zeros\n');
  });

  it('is what a dry run names, which writes nothing', async () => {
    const { exit, stdout, stderr } = await init(['fleet', '--dry-run']);
    expect({ exit, lines: stdout.split('\n').length - 1 }).toEqual({ exit: 0, lines: COMMON.length + 2 });
    expect(stderr).toBe('nothing written: --dry-run\n');
    expect(existsSync(join(cwd, 'fleet'))).toBe(false);
  });
});

describe('questions', () => {
  it('are asked on a terminal', async () => {
    const { asked, io } = terminal(['north', 'rhel 9.6', '5.14.0-570.12.1.el9_6.x86_64', '', 'no', 'gitlab']);
    const { exit } = await runWeft(['init'], io);
    expect({ exit, asked }).toEqual({
      exit: 0,
      asked: [
        'name of the first cluster [east] ',
        'operating system of the nodes [ubuntu:24.04] ',
        'kernel of the nodes, as `uname -r` prints it [any] ',
        'architecture of the nodes, amd64 or arm64 [amd64] ',
        'share documents between clusters, in a base? [y/N] ',
        'pipelines for github, gitlab or none [none] ',
      ],
    });
    expect(poolsOf('clusters/north/cluster.yaml')).toEqual([
      { name: 'workers', osName: 'rhel', osVersion: '9.6', arch: 'amd64', kernel: '5.14.0-570.12.1.el9_6.x86_64' },
    ]);
    expect(existsSync(join(cwd, '.gitlab-ci.yml'))).toBe(true);
  });

  it('begin with the cluster that kubectl reaches', async () => {
    const { asked, io } = terminal(['yes']);
    const { exit } = await runWeft(['init'], { ...io, env: withLive() });
    expect({ exit, asked }).toEqual({
      exit: 0,
      asked: [
        expect.stringMatching(/^read the first cluster from context east, \S+\? It is not changed \[y\/N\] $/),
        'share documents between clusters, in a base? [y/N] ',
        'pipelines for github, gitlab or none [none] ',
      ],
    });
    expect(poolsOf('clusters/east/cluster.yaml')).toEqual([expect.objectContaining({ osName: 'rhel' })]);
  });

  it('are asked again after an answer that cannot be read', async () => {
    const { asked, io } = terminal(['A B', 'b', 'ubuntu', '', '', 'x86', 'arm64', 'n', 'jenkins', 'none']);
    const { exit, stderr } = await runWeft(['init'], io);
    expect({ exit, count: asked.length }).toEqual({ exit: 0, count: 10 });
    expect(stderr.match(/^the answer must be .*/gm)).toEqual([
      'the answer must be lower-case letters, digits, `-` and `.`',
      'the answer must be a name and a version, such as `ubuntu:24.04`',
      'the answer must be one of amd64, arm64',
      'the answer must be one of github, gitlab, none',
    ]);
  });

  it.each([
    { name: 'with --yes', args: ['--yes'] },
    {
      name: 'that options answer',
      args: [
        '--cluster',
        'a',
        '--os',
        'ubuntu:24.04',
        '--kernel',
        '6.8.0-31-generic',
        '--arch',
        'amd64',
        '--ci',
        'none',
        '--no-fleet',
      ],
    },
  ])('are not asked $name', async ({ args }) => {
    const { asked, io } = terminal([]);
    expect(await runWeft(['init', ...args], io)).toMatchObject({ exit: 0 });
    expect(asked).toEqual([]);
  });
});

describe('files that are there', () => {
  it('stay, and are named where they lack what the repository needs', async () => {
    put('README.md', '# Ours\n');
    put('.gitignore', 'out/\n');
    put('package.json', '{ "devDependencies": { "weft-gitops": "0.1.0" } }\n');
    const { exit, stdout, stderr } = await init([]);
    expect({ exit, stdout }).toEqual({
      exit: 1,
      stdout:
        '.gitattributes\n.vscode/settings.json\nAGENTS.md\nclusters/east/cluster.yaml\nclusters/east/policy.yaml\n',
    });
    expect(stderr).toBe(
      'kept: package.json\nkept: README.md\nkept, without `node_modules`: .gitignore\n' +
        'help: add that by hand; or move the file away and run it again, which writes the file anew\n' +
        'next: `git init && npm install && npx weft synth`, and commit it all\n',
    );
    expect(read('README.md')).toBe('# Ours\n');
    expect(read('.gitignore')).toBe('out/\n');
  });

  it('with clusters: another is made only if an option names it', async () => {
    put('clusters/west/cluster.yaml', 'mine\n');
    const { exit, stdout, stderr } = await init([]);
    expect({ exit, hasCluster: stdout.includes('clusters/') }).toEqual({ exit: 0, hasCluster: false });
    expect(stderr).toContain('clusters has clusters; `--cluster <name>` adds one\n');
    expect(await init(['--cluster', 'north'])).toMatchObject({ exit: 0, stdout: ofCluster('north').join('\n') + '\n' });
    expect(await init(['--cluster', 'west'])).toMatchObject({ exit: 0, stdout: '' });
    expect(read('clusters/west/cluster.yaml')).toBe('mine\n');
  });
});

describe('weft init writes nothing', () => {
  it.each([
    { name: 'for a kernel that no node has', args: ['--kernel', 'a b'], says: 'error[' },
    { name: 'without a cluster to read', args: ['--from-cluster', '--kubectl', 'no-kubectl'], says: 'error[WEFT0390]' },
    { name: 'for another form of a system', args: ['--os', 'ubuntu'], says: 'such as `ubuntu:24.04`' },
    { name: 'for a name that no cluster has', args: ['--cluster', '../x'], says: 'lower-case letters' },
    {
      name: 'for nodes that the cluster tells',
      args: ['--context', 'east', '--arch', 'arm64'],
      says: 'cannot be used',
    },
  ])('$name', async ({ args, says }) => {
    const { exit, stdout, stderr } = await init(['fleet', ...args], { PATH: process.env['PATH'] });
    expect({ exit, stdout, stderr }).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(says) });
    expect(existsSync(join(cwd, 'fleet'))).toBe(false);
  });

  it('where there is nothing to read in the cluster', async () => {
    const { exit, stderr } = await init(['fleet', '--from-cluster'], withLive({ '/api/v1/nodes': { items: [] } }));
    expect({ exit, code: stderr.includes('error[WEFT0562]') }).toEqual({ exit: 2, code: true });
    expect(existsSync(join(cwd, 'fleet'))).toBe(false);
  });

  it('through a symbolic link', async () => {
    mkdirSync(join(cwd, 'elsewhere'));
    mkdirSync(join(cwd, 'fleet'));
    symlinkSync('../elsewhere', join(cwd, 'fleet/clusters'));
    const { exit, stderr } = await init(['fleet', '--cluster', 'east']);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('fleet/clusters') });
    expect(existsSync(join(cwd, 'elsewhere/east'))).toBe(false);
    expect(existsSync(join(cwd, 'fleet/package.json'))).toBe(false);
  });

  it('over a file that has the name of the folder', async () => {
    put('fleet', 'a file\n');
    const { exit, stderr } = await init(['fleet']);
    expect({ exit, code: stderr.includes('error[WEFT0057]') }).toEqual({ exit: 2, code: true });
    expect(read('fleet')).toBe('a file\n');
  });
});
