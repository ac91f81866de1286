import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { runWeft } from './kit/run-weft.js';

const folder = mkdtempSync(join(tmpdir(), 'weft-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('what the README says to try prints what it says', async () => {
  const text = readFileSync('README.md', 'utf8');
  const [, field = '', file = ''] = /write `(release: [\w.]+)` in \[([^\]]+)\]/.exec(text) ?? [];
  const [, shown = ''] = /```text\n(training: [^`]+)```/.exec(text) ?? [];
  for (const path of ['clusters/training', 'dist/training']) cpSync(path, join(folder, path), { recursive: true });
  const before = readFileSync(file, 'utf8');
  const after = before.replace(/release: \S+/, field);
  expect(after).not.toBe(before);
  writeFileSync(join(folder, file), after);
  const { stdout, exit } = await runWeft(['diff', 'dist', '--folder', 'clusters/training'], { cwd: folder });
  expect(exit).toBe(1);
  expect(shown).toContain('drain');
  expect(stdout.startsWith(shown)).toBe(true);
});
