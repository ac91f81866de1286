import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeFleet } from './fleet-input.js';
import { measure, NODE } from './measure.js';

/**
 * A fleet: 10, 100 and 1,000 clusters of 103 objects, written as files, then checked. Prints seconds, peak memory and the
 * time for one cluster, which must not grow with their number. `npx tsx bench/fleet.ts [clusters...]`
 */
const sizes = process.argv.slice(2).map(Number);

for (const count of sizes.length > 0 ? sizes : [10, 100, 1000]) {
  const root = mkdtempSync(join(tmpdir(), 'weft-fleet-'));
  writeFleet(root, count);
  for (const [name, args] of [
    ['write', []],
    ['again', []],
    ['--check', ['--check']],
  ] as const) {
    const command = [NODE, resolve('bin/weft.mjs'), 'synth', ...args] as const;
    const { seconds, processorSeconds, mebibytes } = measure({ name, command, cwd: root });
    const each = (total: number) => `${((total / count) * 1000).toFixed(1).padStart(6)} ms each`;
    process.stdout.write(
      `${String(count).padStart(5)} clusters  ${name.padEnd(8)} ${seconds.toFixed(2).padStart(7)} s ${each(seconds)}   processor ${each(processorSeconds)}   ${mebibytes.toFixed(0).padStart(4)} MiB\n`,
    );
  }
  rmSync(root, { recursive: true });
}
