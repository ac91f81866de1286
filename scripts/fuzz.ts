import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { mutated, seedFiles } from '../test/fuzz/mutate.js';
import { checkInput } from '../test/fuzz/property.js';

/** `npm run fuzz -- [--runs 100000] [--seed N]`: mutated real policies; the first input that fails is printed. */
const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const runs = Number(values.runs ?? 100_000);
const seed = Number(values.seed ?? Date.now() & 0x7fffffff);

/** Inputs of one call of fast-check, which keeps data of each in memory. */
const BATCH = 1_000;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const seeds = seedFiles(root);
const counts = { accepted: 0, refused: 0 };
process.stdout.write(`seed ${seed}, ${seeds.length} real inputs\n`);
for (let done = 0; done < runs; done += BATCH) {
  const batchSeed = seed + done / BATCH;
  const result = fc.check(
    fc.property(mutated(seeds), (files) => void (counts[checkInput(files)] += 1)),
    { numRuns: Math.min(BATCH, runs - done), seed: batchSeed, endOnFailure: true },
  );
  if (result.failed) {
    const [files = {}] = result.counterexample ?? [];
    process.stdout.write(`failed with --seed ${batchSeed} --runs ${BATCH}\n`);
    for (const [name, text] of Object.entries(files)) process.stdout.write(`--- ${name}\n${text}\n`);
    process.stdout.write(`${result.errorInstance instanceof Error ? (result.errorInstance.stack ?? '') : ''}\n`);
    process.exitCode = 1;
    break;
  }
  process.stdout.write(`${counts.accepted + counts.refused} inputs: ${counts.accepted} accepted\n`);
}
