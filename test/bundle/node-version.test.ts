import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = resolve(__dirname, '../..');
const { SUPPORTED_FROM } = createRequire(__filename)(join(ROOT, 'bin/node-version.cjs')) as { SUPPORTED_FROM: number };

describe('the command on an old Node', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-node-version-'));
    // With a bundle of its own, because a clone that is not built has none.
    cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
    mkdirSync(join(folder, 'lib'));
    writeFileSync(
      join(folder, 'lib/weft.cjs'),
      "(exports) => { exports.main = () => process.stdout.write('weft runs\\n'); };",
    );
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the command prints on this Node when it says that it is of another version. */
  function printed(version: string, env: Readonly<Record<string, string>> = {}) {
    const preload = join(folder, 'version.cjs');
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', {value: {...process.versions, node: ${JSON.stringify(version)}}});`,
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', preload, join(folder, 'bin/weft.cjs')],
      {
        encoding: 'utf8',
        env,
      },
    );
    return { status, stderr, isRun: stdout === 'weft runs\n' };
  }

  it('says so in one line, and stops where it would not work', () => {
    expect(printed('18.20.8')).toEqual({
      status: 2,
      stderr: 'error: weft needs Node 22 or newer, and this is Node 18.20.8\n',
      isRun: false,
    });
    expect(printed('20.20.2').stderr).toBe(
      'warning: weft needs Node 22 or newer, and this is Node 20.20.2; it is not tested with this one\n',
    );
    expect(printed('20.20.2', { NODE_NO_WARNINGS: '1' }).stderr).toBe('');
    expect(printed('22.0.0')).toEqual({ status: 0, stderr: '', isRun: true });
  });

  it('knows the version that package.json asks for', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${SUPPORTED_FROM}`);
  });
});
