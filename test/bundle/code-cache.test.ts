import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { cachedDataVersionTag } from 'node:v8';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { putCommand } from './built-command.js';

let root: string;
const command = (...args: readonly string[]) => [join(root, 'bin/weft.cjs'), ...args];
const weft = (...args: readonly string[]) => execFileSync(process.execPath, command(...args), { encoding: 'utf8' });

/** The files of compiled code below `lib/cache`; a file that is written again has another inode. */
function kept(): readonly { readonly name: string; readonly ino: number }[] {
  const folder = join(root, 'lib/cache');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stat: statSync(join(folder, name)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ name, stat }) => ({ name, ino: stat.ino }));
}

/** Changes the bundle without changing its length. */
function changeBundle(): void {
  const bundle = join(root, 'lib/weft.cjs');
  const text = readFileSync(bundle, 'utf8');
  writeFileSync(
    bundle,
    text.replace(/^\/\/ ./, (start) => (start === '// 0' ? '// 1' : '// 0')),
  );
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'weft-code-cache-'));
  await putCommand(root);
});

afterAll(() => {
  rmSync(root, { recursive: true });
});

describe('the compiled code beside the bundle', () => {
  it('is made by the first run, taken by the next and made again for another bundle', () => {
    const said = weft('--version');
    const first = kept();
    expect(first.length).toBeGreaterThan(0);
    expect(weft('--version')).toBe(said);
    expect(kept()).toEqual(first);
    changeBundle();
    expect(weft('--version')).toBe(said);
    expect(kept()).not.toEqual(first);
  });

  it('is another one with other flags of V8', () => {
    const runs = [[], ['--no-opt']].map(
      (flags) => () => execFileSync(process.execPath, [...flags, ...command('--version')]),
    );
    for (const run of runs) run();
    const first = kept();
    // One run alone: the file of a second one may get the inode of the first.
    runs[0]?.();
    expect(kept()).toEqual(first);
  });

  it('is not needed: where it cannot be written, weft works', () => {
    // A file in place of the folder also stops root.
    rmSync(join(root, 'lib/cache'), { recursive: true });
    writeFileSync(join(root, 'lib/cache'), '');
    const run = spawnSync(process.execPath, command('--version'), { encoding: 'utf8' });
    expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/^weft \d/), stderr: '' });
    expect(readFileSync(join(root, 'lib/cache'), 'utf8')).toBe('');
    rmSync(join(root, 'lib/cache'));
  });
});

describe('the compiled code that V8 gives', () => {
  const fileOf = (name: string) => `${name}-${process.version}-${cachedDataVersionTag().toString(16)}`;

  it('is not run where the disk has damaged it, which V8 does not see', () => {
    weft('--version');
    const path = join(root, 'lib/cache', fileOf('other'));
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole).fill(0, Math.floor(whole.length / 2));
    writeFileSync(path, damaged);
    expect(weft('--version')).toMatch(/^weft \d/);
    expect(readFileSync(path).equals(damaged)).toBe(false);
  });

  it('is one of its own for a command that runs other code, of a run without an error', () => {
    const before = kept();
    weft('synth', '--help');
    expect(() => execFileSync(process.execPath, command('synth', 'x'), { stdio: 'ignore' })).toThrow();
    expect(kept()).toEqual(before);
    weft('synth', 'clusters/quickstart', '-o', 'json');
    expect(kept().map(({ name }) => name)).toEqual([fileOf('other'), fileOf('synth')]);
  });

  it('is kept of a run that found differences', () => {
    rmSync(join(root, 'lib/cache', fileOf('synth')));
    const args = ['synth', '--check', '--output-dir', root, 'clusters/quickstart'];
    expect(spawnSync(process.execPath, command(...args)).status).toBe(1);
    expect(kept().map(({ name }) => name)).toContain(fileOf('synth'));
  });

  it('is complete after a long run, in which V8 drops the code of functions that ran once', () => {
    const functions = Array.from(
      { length: 500 },
      (_, index) => `function f${index}() { return [${index}].map(String); }`,
    );
    const calls = functions.map((_, index) => `f${index}();`);
    const sizeAfter = (name: string, rest: string) => {
      const bundle = join(root, `${name}.cjs`);
      writeFileSync(
        bundle,
        ['// 0', '(function (exports, require, module) {', ...functions, ...calls, rest, '})'].join('\n'),
      );
      const program = `
        const slow = setTimeout;
        globalThis.setTimeout = (run, ms) => slow(run, ms / 30);
        require(${JSON.stringify(join(root, 'bin/compiled-code.cjs'))})
          .requireCompiled(${JSON.stringify(bundle)}, ${JSON.stringify(join(root, name))});`;
      // V8 keeps the code in a garbage collection that a program requests.
      execFileSync(process.execPath, ['--max-heap-size=60', '-e', program]);
      const [file = ''] = readdirSync(join(root, name));
      return statSync(join(root, name, file)).size;
    };
    const long = `
      let left = 30;
      const collect = () => (left-- > 0 ? (module.exports = new Array(2e6).fill(0)) : clearInterval(timer));
      setTimeout(() => (timer = setInterval(collect, 5)), 6_000);
      let timer;`;
    expect(sizeAfter('long', long)).toBeGreaterThan(0.9 * sizeAfter('short', ''));
  });

  it('is read as Latin-1, which needs a bundle in ASCII', () => {
    expect(readFileSync(join(root, 'lib/weft.cjs'), 'utf8')).not.toMatch(/[^\0-\x7f]/);
  });
});
