import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { TRANSITIONS } from '../src/upgrade/flow/transitions.js';
import { codeMutantsOf } from '../test/mutate/code-mutants.js';
import { mutantsOf } from '../test/mutate/mutants.js';
import { EQUIVALENT, TARGETS } from '../test/mutate/targets.js';

/**
 * Mutation tests of the companion: takes each row, guard and effect of the transition table away, one at a time, and changes each guard
 * and each step of the loop, the actuator, the lease and the drain, and runs the tests of that part. A mutant with which they
 * pass says that no test notices. `npm run mutate -- [PREFIX...] [--workers N]`: prefixes narrow the mutants by their ids.
 */
const JEST = ['node_modules/jest/bin/jest.js', '--runInBand', '--ci', '--json'];
/** A mutant with which the tests run this long never ends. */
const LONGEST_MS = 120_000;

interface Mutant {
  readonly id: string;
  /** Arguments of Jest, one list for each run; a run that fails makes those after it needless. */
  readonly runs: readonly (readonly string[])[];
  readonly env: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly passed: boolean;
  readonly tests: number;
  /** The first test that failed. */
  readonly killer: string;
}

/** What of Jest's JSON report is used. */
interface JestReport {
  readonly success: boolean;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'weft-mutants-'));
const { values, positionals } = parseArgs({
  options: { workers: { type: 'string', default: String(Math.min(4, availableParallelism())) } },
  allowPositionals: true,
});
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const start = performance.now();
  const all = [...tableMutants(), ...codeMutants()];
  const stale = EQUIVALENT.filter(({ id }) => !all.some((one) => one.id === id));
  if (stale.length > 0) throw new Error(`no mutants: ${stale.map(({ id }) => id).join(', ')}`);
  const left = all
    .filter(({ id }) => positionals.length === 0 || positionals.some((prefix) => id.startsWith(prefix)))
    .filter(({ id }) => !EQUIVALENT.some((one) => one.id === id));
  await checkUnchanged(left);
  process.stderr.write(`${left.length} mutants, ${values.workers} at a time\n`);
  const survivors = await survivorsOf(left);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  process.stdout.write(`${left.length} mutants, ${left.length - survivors.length} killed in ${seconds} s\n`);
  for (const id of survivors) process.stdout.write(`no test notices: ${id}\n`);
  if (survivors.length > 0) process.exitCode = 1;
}

function tableMutants(): readonly Mutant[] {
  const args = ['--config', 'test/mutate/jest.config.mjs'];
  return mutantsOf(TRANSITIONS).map(({ id }) => ({ id, runs: [args], env: { WEFT_MUTANT: id } }));
}

function codeMutants(): readonly Mutant[] {
  let number = 0;
  return TARGETS.flatMap(({ paths, tests }) =>
    paths.flatMap((path) =>
      codeMutantsOf(path, readFileSync(path, 'utf8')).map(({ id, text }) => {
        const file = join(folder, `${++number}.ts`);
        writeFileSync(file, text);
        const runs = tests.map((pattern) => ['--config', 'test/mutate/code.jest.config.mjs', pattern]);
        return { id, runs, env: { WEFT_MUTANT_PATH: path, WEFT_MUTANT_TEXT: file } };
      }),
    ),
  );
}

/** The tests have to pass without a mutant, or their failures say nothing. */
async function checkUnchanged(mutants: readonly Mutant[]): Promise<void> {
  const kinds = new Map(mutants.flatMap(({ runs }) => runs.map((args) => [args.join(' '), args])));
  for (const args of kinds.values()) {
    const { passed, tests, killer } = await runTests(args, {});
    if (!passed || tests === 0) throw new Error(`the tests fail without a mutant: ${killer || 'there are none'}`);
  }
}

async function survivorsOf(mutants: readonly Mutant[]): Promise<readonly string[]> {
  const survivors: string[] = [];
  const queue = [...mutants];
  let finished = 0;
  const work = async (): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const { passed, killer } = await tryMutant(mutant);
      finished += 1;
      if (passed) survivors.push(mutant.id);
      const progress = `${String(finished).padStart(4)}/${mutants.length}`;
      process.stderr.write(passed ? `${progress}  SURVIVES  ${mutant.id}\n` : `${progress}  ${mutant.id}: ${killer}\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
  return survivors;
}

async function tryMutant({ runs, env }: Mutant): Promise<Outcome> {
  let outcome: Outcome = { passed: true, tests: 0, killer: '' };
  for (const args of runs) if (outcome.passed) outcome = await runTests(args, env);
  return outcome;
}

async function runTests(args: readonly string[], env: Mutant['env']): Promise<Outcome> {
  const child = spawn(process.execPath, [...JEST, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (chunks.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (chunks.stderr += text));
  const state = { isLate: false };
  const timer = setTimeout(() => {
    state.isLate = true;
    child.kill('SIGKILL');
  }, LONGEST_MS);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (state.isLate) return { passed: false, tests: 1, killer: 'the tests never end' };
  const report = reportOf(chunks.stdout);
  if (report === undefined) throw new Error(`the tests could not be run:\n${chunks.stderr}`);
  const failed = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const killer = failed.find(({ status }) => status === 'failed')?.fullName ?? 'a test file could not be run';
  return { passed: report.success, tests: report.numTotalTests, killer: report.success ? '' : killer };
}

function reportOf(text: string): JestReport | undefined {
  try {
    return JSON.parse(text) as JestReport;
  } catch {
    return undefined;
  }
}
