import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { putCommand } from './built-command.js';

describe('on any machine', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-any-machine-'));
    await putCommand(folder);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('the bytes are the same, whatever the locale and the time zone', () => {
    const environments = [
      { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
      { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      { TZ: 'America/St_Johns', LANG: 'sv_SE.UTF-8', LC_ALL: 'sv_SE.UTF-8', LC_COLLATE: 'sv_SE.UTF-8' },
    ];
    const outputs = environments.map((env) =>
      execFileSync(process.execPath, [join(folder, 'bin/weft.cjs'), 'synth', '-o', 'yaml', 'clusters/quickstart'], {
        cwd: join(__dirname, '../..'),
        env: { PATH: process.env['PATH'], ...env },
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    );
    expect(outputs[0]).toContain('kind: DaemonSet');
    expect(new Set(outputs).size).toBe(1);
  });
});
