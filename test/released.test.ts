import { afterAll, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWeft } from './kit/run-weft.js';
import type { DiffDocument } from '../src/review/diff/json.js';

/**
 * The examples as the last release rendered them, input and output. If this version renders the same input to other objects,
 * an upgrade of Weft changes every cluster, so the changelog must list each class of change: below `### Output` of the
 * first section, a line for each class, such as "- `restart`: …". A release records the folder again, see CONTRIBUTING.md.
 */
const RELEASED = join(__dirname, 'released');

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weft-released-')));
afterAll(() => rmSync(folder, { recursive: true }));

it('says in the changelog what an upgrade changes in the output', async () => {
  cpSync(RELEASED, folder, { recursive: true });
  // In the repository the file must not be compiled by `tsc`.
  renameSync(join(folder, 'clusters/hpc/cluster.ts.txt'), join(folder, 'clusters/hpc/cluster.ts'));
  symlinkSync(join(__dirname, '../node_modules'), join(folder, 'node_modules'));
  const printed = await runWeft(['diff', 'dist', '--format', 'json'], {
    cwd: folder,
    isStdinTerminal: true,
  });
  if (printed.exit > 1) throw new Error(printed.stderr);
  const { clusters } = JSON.parse(printed.stdout) as DiffDocument;
  const found = new Set(clusters.flatMap(({ objects }) => objects.map(({ impact }) => impact)));
  expect([...found].filter((impact) => !announced().has(impact))).toEqual([]);
});

/** The classes that the changelog names for the next release. */
function announced(): ReadonlySet<string> {
  const [, first = ''] = readFileSync(join(__dirname, '../CHANGELOG.md'), 'utf8').split(/^## /m);
  const [, output = ''] = first.split(/^### Output$/m);
  return new Set([...output.matchAll(/^- `(\w+)`: /gm)].map(([, impact = '']) => impact));
}
