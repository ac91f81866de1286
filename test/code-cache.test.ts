import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildCommand } from '../scripts/build.js';

/** What bin/weft.cjs keeps beside the bundle: V8's compiled code, which must save every later run the work. */
describe('the compiled code beside the bundle', () => {
  let root: string;
  const weft = (...args: readonly string[]) =>
    execFileSync(process.execPath, [join(root, 'bin/weft.cjs'), ...args], { encoding: 'utf8' });
  const kept = () => {
    const folder = join(root, 'lib/cache');
    return readdirSync(folder).map((name) => ({ name, ino: statSync(join(folder, name)).ino }));
  };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'weft-code-cache-'));
    cpSync('bin', join(root, 'bin'), { recursive: true });
    await buildCommand(join(root, 'lib/weft.cjs'));
  });

  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  it('is made by the first run, taken by the next and made anew for another bundle', () => {
    const said = weft('--version');
    const first = kept();
    expect(first).toEqual([{ name: `other-${process.version}-${process.arch}`, ino: expect.any(Number) }]);
    expect(weft('--version')).toBe(said);
    expect(kept()).toEqual(first);

    // As long as before: V8 compares lengths only, and would run the code of the other bundle.
    const bundle = join(root, 'lib/weft.cjs');
    const text = readFileSync(bundle, 'utf8');
    writeFileSync(
      bundle,
      text.replace(/^\/\/ ./, (start) => (start === '// 0' ? '// 1' : '// 0')),
    );
    expect(weft('--version')).toBe(said);
    expect(kept()).not.toEqual(first);
  });

  it('is not run where the disk has damaged it, which V8 does not see', () => {
    const [{ name } = { name: '' }] = kept();
    const path = join(root, 'lib/cache', name);
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole).fill(0, Math.floor(whole.length / 2));
    writeFileSync(path, damaged);
    expect(weft('--version')).toMatch(/^weft \d/);
    expect(readFileSync(path).equals(damaged)).toBe(false);
  });

  it('is one of its own for a command that runs other code, of a run that went well', () => {
    const before = kept();
    weft('synth', '--help');
    expect(() =>
      execFileSync(process.execPath, [join(root, 'bin/weft.cjs'), 'synth', 'x'], { stdio: 'ignore' }),
    ).toThrow();
    expect(kept()).toEqual(before);
    weft('synth', 'clusters/quickstart', '-o', 'json');
    expect(kept().map(({ name }) => name)).toEqual([
      `other-${process.version}-${process.arch}`,
      `synth-list-${process.version}-${process.arch}`,
    ]);
  });

  it('is kept of a run that found differences', () => {
    const run = spawnSync(process.execPath, [
      join(root, 'bin/weft.cjs'),
      'synth',
      '--check',
      '--output-dir',
      root,
      'clusters/quickstart',
    ]);
    expect(run.status).toBe(1);
    expect(kept().map(({ name }) => name)).toContain(`synth-${process.version}-${process.arch}`);
  });

  it('is kept of zod too, once a document does not hold', () => {
    const folder = join(root, 'broken');
    mkdirSync(folder);
    writeFileSync(join(folder, 'cluster.yaml'), 'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {}\n');
    const refused = () =>
      spawnSync(process.execPath, [join(root, 'bin/weft.cjs'), 'synth', folder], { encoding: 'utf8' });
    const first = refused();
    expect(first).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('error[WEFT0141]') });
    const name = `synth-thorough-${process.version}-${process.arch}`;
    const after = kept();
    expect(after.map((one) => one.name)).toContain(name);
    expect(refused().stderr).toBe(first.stderr);
    expect(kept()).toEqual(after);
  });

  it('is not needed: where it cannot be written, weft works', () => {
    // A file in the way stops root as well.
    rmSync(join(root, 'lib/cache'), { recursive: true });
    writeFileSync(join(root, 'lib/cache'), '');
    const run = spawnSync(process.execPath, [join(root, 'bin/weft.cjs'), '--version'], { encoding: 'utf8' });
    expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/^weft \d/), stderr: '' });
    expect(readFileSync(join(root, 'lib/cache'), 'utf8')).toBe('');
  });

  it('is read as Latin-1, which needs a bundle in ASCII', () => {
    expect(readFileSync(join(root, 'lib/weft.cjs'), 'utf8')).not.toMatch(/[^\0-\x7f]/);
  });
});
