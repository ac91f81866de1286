import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runWeft } from '../../../test/kit/run-weft.js';

/** What a change, or a fetched ref, may bring to make the old side another one, or to start a program. A real git reads it. */

const CLUSTER = `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  release: v26.7
  nodePools:
    - {name: main, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic}
`;
const POLICY = 'apiVersion: mellanox.com/v1alpha1\nkind: NicNodePolicy\nmetadata: {name: none}\n';
const settings = (mtu: number) => ({
  'clusters/east/settings.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: rail}\ndata: {mtu: "${mtu}"}\n`,
});

let template = '';
let root = '';
beforeAll(async () => {
  root = template = realpathSync(mkdtempSync(join(tmpdir(), 'weft-hostile-git-')));
  write({ 'clusters/east/cluster.yaml': CLUSTER, 'clusters/east/policy.yaml': POLICY, ...settings(1500) });
  expect(await weft('synth')).toMatchObject({ exit: 0 });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  git('checkout', '-qb', 'change');
  write(settings(9000));
  expect(await weft('synth')).toMatchObject({ exit: 0 });
  git('add', '-A');
  git('commit', '-qm', 'second');
});
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-hostile-git-')));
  cpSync(template, root, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));
afterAll(() => rmSync(template, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

const gitIn = (folder: string, ...args: readonly string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always', ...args],
    {
      cwd: join(root, folder),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  ).trim();
const git = (...args: readonly string[]) => gitIn('.', ...args);

const weft = (...args: readonly string[]) =>
  runWeft(args, { cwd: root, env: { PATH: process.env['PATH'] }, isStdinTerminal: true });
const gate = (revision: string) => weft('diff', revision, '--fail-on', 'rights');

/** The difference that each attack would hide. */
const CHANGED = { exit: 1, stdout: expect.stringContaining('"1500" -> "9000"') as unknown };
const refused = (says: string) => ({ exit: 2, stdout: '', stderr: expect.stringContaining(says) as unknown });

/** A bare repository in a folder of the work tree whose refs are those of the change, and whose configuration starts a program. */
function putBareRepository(folder: string): void {
  const bare = mkdtempSync(join(tmpdir(), 'weft-bare-'));
  git('clone', '-q', '--bare', '.', bare);
  execFileSync('git', ['update-ref', 'refs/heads/main', git('rev-parse', 'change')], { cwd: bare });
  const config = {
    'core.fsmonitor': 'touch ../ran; false',
    'core.sshCommand': 'touch ../ran; false',
    'core.pager': 'touch ../ran; false',
    'alias.rev-parse': '!touch ../ran',
    'extensions.partialClone': 'o',
    'core.repositoryFormatVersion': '1',
    'remote.o.promisor': 'true',
    'remote.o.url': 'host:path',
  };
  for (const [key, value] of Object.entries(config)) execFileSync('git', ['config', key, value], { cwd: bare });
  writeFileSync(join(bare, 'FETCH_HEAD'), `${git('rev-parse', 'change')}\t\tbranch 'main' of example.com\n`);
  cpSync(bare, join(root, folder), { recursive: true });
  rmSync(bare, { recursive: true });
}

describe('the old side is that of the repository of the working directory', () => {
  it.each(['dist', '.'])('with a bare repository in %s', async (folder) => {
    git('update-ref', 'FETCH_HEAD', git('rev-parse', 'main'));
    putBareRepository(folder);
    for (const revision of ['main', 'FETCH_HEAD']) expect(await gate(revision)).toMatchObject(CHANGED);
    // Objects of the commit are missing: nothing is fetched.
    rmSync(join(root, folder, 'objects'), { recursive: true });
    mkdirSync(join(root, folder, 'objects'));
    expect(await gate('main')).toMatchObject(CHANGED);
    expect(existsSync(join(root, 'ran')) || existsSync(join(root, 'dist/ran'))).toBe(false);
  });

  it('for what bases held, without the filters and drivers of the change', async () => {
    const policies = `apiVersion: weft.dev/v1alpha1\nkind: ClusterBase\nspec: {namespace: drivers}\n`;
    const extending = CLUSTER.replace('spec:', 'spec:\n  extends: [../../base]');
    write({ 'base/all.yaml': policies, 'clusters/east/cluster.yaml': extending });
    git('add', '-A');
    git('commit', '-qm', 'third');
    for (const key of ['filter.x.clean', 'filter.x.smudge', 'diff.x.textconv', 'diff.x.command', 'diff.external']) {
      git('config', key, 'touch ran; cat');
    }
    write({ '.gitattributes': '* filter=x diff=x\n', 'base/all.yaml': policies.replace('drivers', 'other') });
    const { stdout } = await weft('diff', 'HEAD');
    expect(stdout).toMatch(/^base\/all\.yaml:3: spec\.namespace of ClusterBase .*"drivers" -> "other"\n/);
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it('with replaced objects, and with another history', async () => {
    git('replace', git('rev-parse', 'main'), git('rev-parse', 'change'));
    expect(await gate('main')).toMatchObject(CHANGED);
    write({ '.git/info/grafts': `${git('rev-parse', 'change')}\n` });
    expect(await gate('HEAD~1')).toMatchObject(CHANGED);
  });

  it('with variables that hooks of another repository have', async () => {
    putBareRepository('other');
    const env = {
      PATH: process.env['PATH'],
      GIT_DIR: join(root, 'other'),
      GIT_OBJECT_DIRECTORY: join(root, 'other/objects'),
    };
    expect(await runWeft(['diff', 'main'], { cwd: root, env })).toMatchObject(CHANGED);
  });

  it('without what is missing, which no program fetches', async () => {
    const config = {
      'extensions.partialClone': 'o',
      'core.repositoryFormatVersion': '1',
      'core.sshCommand': 'touch ran; false',
      'remote.o.promisor': 'true',
      'remote.o.url': 'host:path',
    };
    for (const [key, value] of Object.entries(config)) git('config', key, value);
    const id = git('rev-parse', 'main:dist/east/config-maps/configmap.rail.yaml');
    rmSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
    for (const command of [
      ['diff', 'main'],
      ['plan', '--from', 'main', '--snapshot', 'none'],
    ]) {
      expect(await weft(...command)).toMatchObject({ exit: 2, stderr: expect.stringContaining('WEFT0059') as unknown });
    }
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });
});

describe('the old side is not guessed', () => {
  it.each(['main', 'FETCH_HEAD'])('where a folder is named %s as well', async (name) => {
    git('fetch', '-q', '.', 'main');
    cpSync(join(root, 'dist'), join(root, name), { recursive: true });
    expect(await gate(name)).toMatchObject(refused(`\`${name}\` is a folder, and a revision`));
    expect(await gate(`./${name}`)).toMatchObject({ exit: 0, stdout: '' });
    expect(await gate(git('rev-parse', 'main'))).toMatchObject(CHANGED);
  });

  it('where a tag has the name of a branch', async () => {
    git('tag', 'main', 'change');
    git('config', 'core.warnAmbiguousRefs', 'false');
    expect(await gate('main')).toMatchObject(refused('several refs that `main` may mean'));
    expect(await gate('refs/heads/main')).toMatchObject(CHANGED);
  });

  it.each(['dist', 'dist/east', 'dist/east/config-maps/configmap.rail.yaml'])(
    'where %s is a symbolic link or a submodule in the commit',
    async (name) => {
      rmSync(join(root, name), { recursive: true });
      symlinkSync('/etc', join(root, name));
      git('add', '-A');
      git('commit', '-qm', 'link');
      const says = (what: string) => refused(`\`HEAD:${name}\` is a ${what}, and its content is elsewhere`);
      expect(await gate('HEAD')).toMatchObject(says('symbolic link'));
      git('update-index', '--cacheinfo', `160000,${git('rev-parse', 'main')},${name}`);
      git('commit', '-qm', 'submodule');
      rmSync(join(root, name));
      expect(await gate('HEAD')).toMatchObject(says('submodule'));
    },
  );

  it('where dist/ is a repository of its own', async () => {
    gitIn('dist', 'init', '-q', '-b', 'main');
    gitIn('dist', 'add', '-A');
    gitIn('dist', 'commit', '-qm', 'first');
    expect(await gate('main')).toMatchObject(refused('`dist` is a git repository of its own, inside of another'));
  });
});
