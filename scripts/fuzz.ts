import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { mutated, seedFiles } from '../test/fuzz/mutate.js';
import { mutatedObjects } from '../test/fuzz/objects.js';
import { checkInput, checkReader } from '../test/fuzz/property.js';
import { readersIn } from '../test/fuzz/readers.js';

/**
 * `npm run fuzz -- [--reader diff] [--runs 100000] [--seed N]`: mutated policies, and mutated objects for each reader whose name has the text. The first
 * input that fails is printed with its seed, shrunk to the changes that it needs.
 */
const { values } = parseArgs({
  options: { reader: { type: 'string', default: '' }, runs: { type: 'string' }, seed: { type: 'string' } },
});
const runs = Number(values.runs ?? 20_000);
const seed = Number(values.seed ?? Date.now() & 0x7fffffff);

/** Inputs of one call of fast-check, which keeps data of each in memory. */
const BATCH = 1_000;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// Pages of errors are found from the file of the built command, which is CommonJS.
Object.assign(globalThis, { __dirname: join(root, 'src/cli') });

async function fuzz<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input, number: number) => unknown,
): Promise<void> {
  for (let done = 0; done < runs && process.exitCode === undefined; done += BATCH) {
    const batchSeed = seed + done / BATCH;
    const property = fc.asyncProperty(inputs, fc.nat(), async (input, number) => {
      await check(input, number);
    });
    const result = await fc.check(property, { numRuns: Math.min(BATCH, runs - done), seed: batchSeed });
    if (result.failed) {
      const failure = result.errorInstance instanceof Error ? (result.errorInstance.stack ?? '') : '';
      const again = `npm run fuzz -- --reader '${name}' --seed ${batchSeed} --runs ${BATCH}`;
      process.stdout.write(`${failure}\nfailed: ${again}\n`);
      process.exitCode = 1;
    } else process.stdout.write(`${name}: ${Math.min(done + BATCH, runs)} inputs\n`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'weft-fuzz-'));
process.stdout.write(`seed ${seed}\n`);
const isMeant = (name: string) => name.includes(values.reader);
if (isMeant('synth')) {
  await fuzz('synth', mutated(seedFiles(root)), (files) => {
    try {
      checkInput(files);
    } catch (error) {
      const texts = Object.entries(files).map(([name, text]) => `--- ${name}\n${text}\n`);
      throw new Error(texts.join(''), { cause: error });
    }
  });
}
for (const reader of readersIn(folder).filter(({ name }) => isMeant(name))) {
  await fuzz(reader.name, mutatedObjects(await reader.seed()), (input, number) => checkReader(reader, input, number));
}
rmSync(folder, { recursive: true });
