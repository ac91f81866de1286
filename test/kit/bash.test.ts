import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runBash } from './bash.js';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'weft-bash-'));
  writeFileSync(join(home, '.bashrc'), 'echo the bashrc; exit 7\n');
});
afterAll(() => rmSync(home, { recursive: true }));

it.each([
  { name: 'by a program with a socket', variables: {} },
  { name: 'by ssh', variables: { SSH_CLIENT: '10.0.0.1 5 22', SSH_CONNECTION: '10.0.0.1 5 10.0.0.2 22' } },
  { name: 'with BASH_ENV', variables: { BASH_ENV: '.bashrc' } },
])('a shell that is started $name reads only the script', async ({ variables }) => {
  const env = { PATH: process.env['PATH'], HOME: home, ...variables };
  expect(await runBash('echo one', { cwd: home, env })).toEqual({ stdout: 'one\n', stderr: '' });
  await expect(runBash('false; echo two', { cwd: home, env })).rejects.toMatchObject({ stdout: '' });
});
