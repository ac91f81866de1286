import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeFleet, writeFleetOnBase } from './fleet-input.js';
import { compareWithGoal, emptyNode, measure, NODE } from './measure.js';

/**
 * A fleet: 10, 100 and 1,000 clusters of 103 objects, written as files, written again and checked. First they have all
 * documents in one base, then they differ only in their names, as those of most fleets nearly do; then no two have a document in common: names, pools, kernels, releases, networks.
 * Prints seconds, peak memory and the time for one cluster, which must not grow with their number.
 * `npm run bench:fleet -- [clusters...]`
 */
const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [10, 100, 1000];
const runs = [
  ['write', []],
  ['again', []],
  ['--check', ['--check']],
] as const;

/** The goals are for 1,000 clusters, written for the first time. */
const GOAL_CLUSTERS = 1000;
const GOALS = {
  base: { multiple: 170, mebibytes: 200 },
  different: { multiple: 1500, mebibytes: 220 },
  common: { multiple: 170, mebibytes: 220 },
};

const INPUTS = {
  base: (root: string, count: number) => writeFleetOnBase(root, count),
  common: (root: string, count: number) => writeFleet(root, count),
  different: (root: string, count: number) => writeFleet(root, count, { areAllDifferent: true }),
};
const TITLES = {
  base: 'all documents in one base',
  common: 'all documents in common',
  different: 'no document in common',
};

// Removed at the end, because ext4 creates files slowly for minutes after many were deleted.
const roots: string[] = [];
for (const kind of ['base', 'common', 'different'] as const) {
  process.stdout.write(`${TITLES[kind]}\n`);
  for (const count of sizes) {
    const root = mkdtempSync(join(tmpdir(), 'weft-fleet-'));
    roots.push(root);
    INPUTS[kind](root, count);
    for (const [name, args] of runs) {
      const command = [NODE, resolve('bin/weft.cjs'), 'synth', ...args] as const;
      const node = Array.from({ length: 5 }, () => measure(emptyNode(root)));
      const own = measure({ name, command, cwd: root });
      const { seconds, processorSeconds, mebibytes } = own;
      const each = (total: number) => `${((total / count) * 1000).toFixed(1).padStart(6)} ms each`;
      process.stdout.write(
        `${String(count).padStart(5)} clusters  ${name.padEnd(8)} ${seconds.toFixed(2).padStart(7)} s ${each(seconds)}   processor ${each(processorSeconds)}   ${mebibytes.toFixed(0).padStart(4)} MiB\n`,
      );
      if (count === GOAL_CLUSTERS && name === 'write')
        process.stdout.write(`      ${compareWithGoal([own], { name: 'node -e 0', figures: node }, GOALS[kind])}`);
    }
  }
}
for (const root of roots) rmSync(root, { recursive: true });
