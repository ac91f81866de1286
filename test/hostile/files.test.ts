import { spawnSync } from 'node:child_process';
import { mkdirSync, chmodSync, chownSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PLAIN_CLUSTER } from '../golden/compile.js';
import {
  cwd,
  home,
  program,
  put,
  weft,
  expectRefused,
  CLUSTER,
  named,
  type Files,
  setUpFolder,
  setUpCommand,
} from './kit.js';

setUpFolder();
setUpCommand();

describe('files', () => {
  it('dist, and the folder in it, that are files', async () => {
    put({ ...CLUSTER, dist: 'mine' });
    const says = expect.stringContaining('`dist` is not a folder') as unknown;
    for (const args of [['synth'], ['synth', '--check'], ['diff']]) {
      expect(await weft(...args)).toMatchObject({ exit: 2, stderr: says });
    }
    expect(readFileSync(join(cwd, 'dist'), 'utf8')).toBe('mine');
    rmSync(join(cwd, 'dist'));
    put({ 'dist/east': 'mine' });
    expect(await weft('synth')).toMatchObject({ exit: 2 });
    expect(await weft('synth', '--check')).toMatchObject({ exit: 2 });
  });
});

describe('folders', () => {
  /** Root may read and write every file, so the command runs as an unprivileged user. */
  function spawnAsUser(...args: readonly string[]) {
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args], {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
      ...user,
    });
    return { exit: status ?? -1, stderr, stdout };
  }

  function putAsUser(files: Files): void {
    put(files);
    chmodSync(home, 0o755);
    if (process.getuid?.() !== 0) return;
    for (const path of ['.', ...readdirSync(cwd, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(cwd, path), 65_534, 65_534);
    }
  }

  it.each([
    ['clusters', ['synth'], 'clusters'],
    ['clusters', ['diff'], 'clusters'],
    ['clusters', ['pools', '--check'], 'clusters'],
    ['clusters/east', ['synth'], 'clusters/east'],
    ['clusters/east/cluster.yaml', ['synth'], 'clusters/east/cluster.yaml'],
  ])('%s that may not be read: %j', (path, args, place) => {
    putAsUser(CLUSTER);
    chmodSync(join(cwd, path), 0);
    const result = spawnAsUser(...args);
    chmodSync(join(cwd, path), 0o755);
    expectRefused(result);
    expect(result.stderr).toContain(`permission denied\n --> ${place}\n`);
    if (!place.endsWith('.yaml')) expect(result.stderr).toContain('= help: see that you may read and enter it\n');
  });

  it('a dist/ that may not be written or read', () => {
    putAsUser({ ...CLUSTER, 'dist/x': '' });
    chmodSync(join(cwd, 'dist'), 0o555);
    expect(spawnAsUser('synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining('EACCES') as unknown });
    chmodSync(join(cwd, 'dist'), 0);
    expect(spawnAsUser('diff')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('dist cannot be read') as unknown,
    });
    chmodSync(join(cwd, 'dist'), 0o755);
  });

  it.each([
    ['clusters', 'is, or lies in, the input folder `clusters/east`\n --> clusters/east'],
    ['clusters/east', 'is, or lies in, the input folder `clusters/east`\n --> clusters/east/east'],
    ['clusters/other', 'is, or lies in, the input folder `clusters`\n --> clusters/other/east'],
    ['link', 'is, or lies in, the input folder `clusters/east`\n --> link/east'],
    ['above', 'holds the input folder `above/east/in`\n --> above/east'],
    ['', '`--output-dir` is empty'],
  ])('the output in the input: --output-dir "%s"', async (outputDir, says) => {
    put({ ...CLUSTER, 'above/east/in/cluster.yaml': PLAIN_CLUSTER });
    symlinkSync('clusters', join(cwd, 'link'));
    const before = readdirSync(cwd, { recursive: true }).sort();
    for (const check of [[], ['--check']]) {
      const folder = outputDir === 'above' ? ['above/east/in'] : [];
      const result = await weft('synth', ...folder, '--output-dir', outputDir, ...check);
      expectRefused(result);
      expect(result.stderr).toContain(says);
    }
    expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(before);
  });

  it('what Weft did not write is refused by a check', async () => {
    put(CLUSTER);
    await weft('synth');
    expect(await weft('synth', '--check')).toMatchObject({ exit: 0 });
    const inside = [
      '.gitattributes',
      '.gitmodules',
      'HEAD',
      'objects/x',
      '.weft.tmp/x',
      'README.md',
      'a.yaml',
      'a b.yaml',
    ];
    const beside = ['.gitattributes', 'HEAD', 'config', 'objects/x', 'refs/x', 'README.md'];
    put(
      Object.fromEntries(
        [...inside.map((path) => `dist/east/${path}`), ...beside.map((path) => `dist/${path}`)].map((path) => [
          path,
          '',
        ]),
      ),
    );
    symlinkSync('nowhere', join(cwd, 'dist/east/link'));
    // A submodule that is not checked out.
    mkdirSync(join(cwd, 'dist/east/templates/submodule'), { recursive: true });
    const refused = async (...args: readonly string[]) => {
      const { exit, stderr } = await weft('synth', '--check', ...args);
      return { exit, paths: [...stderr.matchAll(/^error\[WEFT0045\].*\n --> (.*)$/gm)].map(([, path]) => path) };
    };
    const files = {
      exit: 2,
      paths: [...inside, 'link', 'templates/submodule'].map((path) => `dist/east/${path}`).sort(),
    };
    expect(await refused()).toEqual(files);
    expect(await refused('clusters/east')).toEqual(files);
    // It stays where it is.
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(readdirSync(join(cwd, 'dist/east'))).toContain('README.md');
    rmSync(join(cwd, 'dist/east'), { recursive: true });
    await weft('synth');
    const names = beside.map((path) => `dist/${path.split('/')[0] ?? ''}`).sort();
    expect(await refused()).toEqual({ exit: 2, paths: names });
  });

  it('what a renamed cluster leaves behind is named and not removed', async () => {
    put({ ...CLUSTER, 'dist/mine/x': '' });
    await weft('synth');
    const policy =
      'apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\nspec: {secondaryNetwork: {cniPlugins: {}}}\n';
    put({ 'clusters/east/cluster.yaml': named('west'), 'clusters/east/policy.yaml': policy });
    const says = expect.stringMatching(/^warning\[WEFT0071\].*\n --> dist\/east\n/m) as unknown;
    expect(await weft('synth')).toMatchObject({ exit: 0, stderr: says });
    const checked = (await weft('synth', '--check')).stderr.match(/^error.*\n --> .*$/gm);
    expect(checked?.map((text) => text.replace(/:[^]*-->/, ''))).toEqual([
      'error[WEFT0071] dist/east',
      'error[WEFT0045] dist/mine',
    ]);
    expect((await weft('synth', 'clusters/east')).stderr).not.toContain('WEFT0071');
    rmSync(join(cwd, 'dist/west'), { recursive: true });
    const denied = await weft('synth', '--deny-warnings');
    expect(denied).toMatchObject({ exit: 2, stderr: expect.stringContaining('error[WEFT0071]') as unknown });
    expect(denied.stderr).toMatch(/nothing written\n$/);
    expect(readdirSync(join(cwd, 'dist')).sort()).toEqual(['east', 'mine']);
    expect(await weft('synth', '--check', '--deny-warnings')).toMatchObject({ exit: 2 });
    await weft('synth');
    rmSync(join(cwd, 'dist/east'), { recursive: true });
    expect((await weft('synth', '--check')).stderr).not.toContain('WEFT0071');
  });
});
