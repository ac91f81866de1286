import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeFleet } from './fleet-input.js';
import { measureInRounds, NODE, table, type Contender } from './measure.js';

/**
 * Compares `weft diff` with the render of the same fleet and with `git diff --stat` of its output, one after the other in each
 * round. Prints medians of the wall-clock time and of the processor time, each with its ratio to the render, and the peak memory
 * of the process.
 *
 *     npm run bench:diff -- [clusters...]      default: 10 100
 */
const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [10, 100];

/** Fewer rounds for many clusters, which take long. */
const roundsFor = (count: number) => (count > 100 ? 1 : 5);

const weft = [NODE, resolve('bin/weft.cjs')] as const;

function contendersIn(root: string): readonly Contender[] {
  const rendered = join(root, 'rendered');
  let runs = 0;
  const weftWith = (name: string, ...args: string[]): Contender => ({
    name,
    command: [...weft, ...args],
    cwd: root,
    exits: [0, 1],
  });
  return [
    {
      ...weftWith('synth, into an empty folder', 'synth', '--output-dir', rendered),
      // Moved instead of deleted, because ext4 creates files slowly for minutes after many were deleted.
      prepare: () => {
        if (existsSync(rendered)) renameSync(rendered, `${rendered}-${(runs += 1)}`);
      },
    },
    weftWith('synth --check', 'synth', '--check'),
    weftWith('diff, nothing differs', 'diff'),
    weftWith('diff REF, 12 objects of each cluster differ', 'diff', 'HEAD~1'),
    weftWith('diff REF --format json', 'diff', 'HEAD~1', '--format', 'json'),
    weftWith('diff FOLDER', 'diff', join(root, 'before')),
    { name: 'git diff --stat', command: ['git', 'diff', '--stat', 'HEAD~1', '--', 'dist'], cwd: root },
  ];
}

/** Two commits: the fleet with one MTU, then with another. */
function prepare(root: string, count: number): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], { cwd: root });
  git('init', '-q');
  for (const [mtu, output] of [
    [9000, 'before'],
    [1500, undefined],
  ] as const) {
    writeFleet(root, count, { mtu });
    if (output !== undefined)
      execFileSync(weft[0], [weft[1], 'synth', '--output-dir', output], { cwd: root, stdio: 'ignore' });
    execFileSync(weft[0], [weft[1], 'synth'], { cwd: root, stdio: 'ignore' });
    git('add', 'clusters', 'dist');
    git('commit', '-qm', `mtu ${mtu}`);
  }
}

const roots: string[] = [];
for (const count of sizes) {
  const root = mkdtempSync(join(tmpdir(), 'weft-diff-'));
  roots.push(root);
  prepare(root, count);
  process.stdout.write(`${count} clusters\n${table(measureInRounds(contendersIn(root), roundsFor(count)))}`);
}
for (const root of roots) rmSync(root, { recursive: true });
