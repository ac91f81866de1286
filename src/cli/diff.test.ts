import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DiffDocument } from '../review/diff-json.js';
import { run } from './run.js';

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

const INPUT = {
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

const git = (...args: readonly string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...args],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );

async function weft(command: string, cwd = root) {
  const printed = { stdout: '', stderr: '' };
  const exit = await run(command.split(' '), {
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    readStdin: () => Promise.resolve(''),
    cwd,
    env: {},
    isStdinTerminal: true,
    isStderrTerminal: false,
  });
  return { exit, ...printed };
}

async function commitOutput(): Promise<void> {
  expect((await weft('synth')).exit).toBe(0);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
}

const mtuChange = (names: string): string => `${names}: 1 cosmetic
  cosmetic: no pod restarts
    ~ ConfigMap default/rail
        ~ data.config<json>.mtu: 1500 -> 9000
`;

describe('weft diff in a git repository', () => {
  beforeEach(commitOutput);

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
      ['rail-2', 'added', 'add'],
    ]);
    expect(west?.counts).toMatchObject({ add: 0, cosmetic: 0, remove: west?.objects.length ?? -1 });
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
    expect(await weft('diff --fail-on cosmetic')).toMatchObject({ exit: 2, stdout: '' });
  });

  it.each(['nowhere', '--end-of-options', 'HEAD:dist', '@{upstream}'])('refuses the revision %s', async (revision) => {
    const { exit, stdout, stderr } = await weft(`diff -- ${revision}`);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: .*(?:neither a folder nor a revision|git: )/);
  });

  it('prints what is wrong with the input and nothing else', async () => {
    write({ 'clusters/east/settings.yaml': settings('rail', 9000).replace('metadata', 'metadataa') });
    const { exit, stdout, stderr } = await weft('diff');
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/metadataa/);
    expect(stderr).toMatch(/2 errors; nothing compared\n$/);
  });

  it('prints what is wrong with the old tree', async () => {
    const path = 'dist/east/config-maps/configmap.rail.yaml';
    write({ [path]: 'a: [' });
    git('commit', '-qam', 'broken');
    expect(await weft('diff')).toMatchObject({
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
    const { exit, stdout } = await weft('diff');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^east, west \(new cluster\): \d+ add\n/);
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
    expect(await weft('diff --folder below/clusters/east --output-dir below/dist')).toMatchObject({ exit: 1 });
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

  it('with links that turn in a circle', async () => {
    symlinkSync('.', join(root, 'before/east/loop'));
    expect(await weft('diff before')).toMatchObject({ exit: 1, stdout: mtuChange('east') });
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
