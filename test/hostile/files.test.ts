import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PLAIN_CLUSTER } from '../golden/compile.js';
import {
  cwd,
  home,
  program,
  put,
  weft,
  codesIn,
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
  it('a FIFO as a file, and folders that loop', async () => {
    put({ 'clusters/east/x': '' });
    execFileSync('mkfifo', [join(cwd, 'clusters/east/a.yaml')]);
    symlinkSync('.', join(cwd, 'clusters/east/loop'));
    symlinkSync('loop.yaml', join(cwd, 'clusters/east/loop.yaml'));
    const result = await weft('synth');
    expectRefused(result);
    expect(codesIn(result.stderr)).toEqual(['WEFT0022', 'WEFT0023']);
  });

  it('a FIFO, a file and a loop in the place of a cluster’s folder', async () => {
    put({ 'clusters/file': '' });
    execFileSync('mkfifo', [join(cwd, 'clusters/fifo')]);
    symlinkSync('loop', join(cwd, 'clusters/loop'));
    for (const args of [[], ['clusters/fifo'], ['clusters/file'], ['clusters/loop'], ['clusters/none']]) {
      expectRefused(await weft('synth', ...args));
    }
  });

  it('clusters/ that is a loop, a file or a FIFO', async () => {
    symlinkSync('clusters', join(cwd, 'clusters'));
    expectRefused(await weft('synth'));
    rmSync(join(cwd, 'clusters'));
    put({ clusters: '' });
    expectRefused(await weft('synth'));
    rmSync(join(cwd, 'clusters'));
    execFileSync('mkfifo', [join(cwd, 'clusters')]);
    expectRefused(await weft('synth'));
  });

  it('dist, and the folder in it, that are something else', async () => {
    put({ ...CLUSTER, dist: 'mine' });
    expect(await weft('synth')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('dist/east') as unknown,
    });
    expect(readFileSync(join(cwd, 'dist'), 'utf8')).toBe('mine');
    rmSync(join(cwd, 'dist'));
    put({ 'dist/east': 'mine' });
    expect(await weft('synth')).toMatchObject({ exit: 2 });
    expect(await weft('synth', '--check')).toMatchObject({ exit: 2 });
    rmSync(join(cwd, 'dist'), { recursive: true });
    symlinkSync('dist', join(cwd, 'dist'));
    expect(await weft('synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining('ELOOP') as unknown });
    rmSync(join(cwd, 'dist'));
    execFileSync('mkfifo', [join(cwd, 'dist')]);
    expect(await weft('synth')).toMatchObject({ exit: 2 });
  });

  it('a lock and an index that are something else', async () => {
    put({ ...CLUSTER, 'dist/east/x': '' });
    execFileSync('mkfifo', [join(cwd, 'dist/east/weft.index')]);
    expect(await weft('synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining('weft.index') as unknown });
    rmSync(join(cwd, 'dist/east/weft.index'));
    execFileSync('mkfifo', [join(cwd, 'dist/east/.weft.lock')]);
    expect(await weft('synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining('.weft.lock') as unknown });
    expect(readdirSync(join(cwd, 'dist/east')).sort()).toEqual(['.weft.lock', 'x']);
  });

  it('a renamed cluster leaves the folder of its old name alone', async () => {
    put(CLUSTER);
    await weft('synth');
    const before = readdirSync(join(cwd, 'dist/east'));
    put({ 'clusters/east/cluster.yaml': named('west') });
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(readdirSync(join(cwd, 'dist')).sort()).toEqual(['east', 'west']);
    expect(readdirSync(join(cwd, 'dist/east'))).toEqual(before);
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

  it('a working directory that is gone', () => {
    const gone = join(cwd, 'gone');
    mkdirSync(gone);
    const script = `rmdir ../gone && exec "$0" "$1" synth`;
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, program], {
      cwd: gone,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, 'error: the working directory is gone\nhelp: go to a folder that is there\n']);
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

  it('links: dist/ is followed, the folder of a cluster in it is not', async () => {
    put({ ...CLUSTER, 'real/x': '', 'mine/x': '' });
    symlinkSync('real', join(cwd, 'dist'));
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(readdirSync(join(cwd, 'real'))).toEqual(['east', 'x']);
    rmSync(join(cwd, 'real/east'), { recursive: true });
    symlinkSync('../mine', join(cwd, 'real/east'));
    for (const check of [[], ['--check']]) {
      const says = expect.stringMatching(/is in the way\n --> dist\/east\n/) as unknown;
      expect(await weft('synth', ...check)).toMatchObject({ exit: 2, stderr: says });
    }
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['x']);
  });

  it('dist that is a file, and is named', async () => {
    put({ ...CLUSTER, dist: 'mine' });
    const says = expect.stringContaining('`dist` is not a folder') as unknown;
    for (const args of [['synth'], ['synth', '--check'], ['diff']]) {
      expect(await weft(...args)).toMatchObject({ exit: 2, stderr: says });
    }
  });

  it('what a renamed cluster leaves behind is named and not removed', async () => {
    put({ ...CLUSTER, 'dist/mine/x': '' });
    await weft('synth');
    const policy = 'apiVersion: mellanox.com/v1alpha1\nkind: NicNodePolicy\nmetadata: {name: none}\n';
    put({ 'clusters/east/cluster.yaml': named('west'), 'clusters/east/policy.yaml': policy });
    const says = expect.stringMatching(/^warning\[WEFT0071\].*\n --> dist\/east\n/m) as unknown;
    for (const args of [['synth'], ['synth', '--check']]) {
      expect(await weft(...args)).toMatchObject({ exit: 0, stderr: says });
    }
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
