import { build, type Plugin } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { TRANSITIONS } from '../src/upgrade/flow/transitions.js';
import { instrument, type CodeMutant } from '../test/mutate/code-mutants.js';
import { mutantsOf } from '../test/mutate/mutants.js';
import { EQUIVALENT, TABLE_TESTS, TARGETS } from '../test/mutate/targets.js';
import type { Coverage, MutantResult, WorkerRequest } from '../test/mutate/worker.js';

/**
 * Mutation tests of the companion: removes each row, guard and effect of the transition table, one at a time, changes each guard
 * and each step of the loop, the actuator, the lease and the drain, and runs the tests of that part. If they pass with a mutant,
 * a test is missing. `npm run mutate -- [PREFIX...] [--workers N]`: prefixes narrow the mutants by their ids.
 *
 * One program has all mutants and all tests. Its first run records which tests reach which mutants, and only these tests are run.
 */
const FOLDER = join('node_modules', '.cache', 'weft-mutate');
const PROGRAM = join(FOLDER, 'program.mjs');
/** Time limit per mutant. Without a mutant all tests run in less. */
const LONGEST_MS = 30_000;
const COVERAGE_MS = 300_000;

interface Mutant extends CodeMutant {
  /** Test files of which one must fail with the mutant. */
  readonly tests: readonly string[];
}

const { values, positionals } = parseArgs({
  options: { workers: { type: 'string', default: String(Math.min(4, availableParallelism())) } },
  allowPositionals: true,
});
await main();

async function main(): Promise<void> {
  const start = performance.now();
  const texts = new Map<string, string>();
  const all = [...tableMutants(), ...codeMutants(texts)];
  const stale = EQUIVALENT.filter(({ id }) => !all.some((one) => one.id === id));
  if (stale.length > 0) throw new Error(`no mutants: ${stale.map(({ id }) => id).join(', ')}`);
  const left = all
    .filter(({ id }) => positionals.length === 0 || positionals.some((prefix) => id.startsWith(prefix)))
    .filter(({ id }) => !EQUIVALENT.some((one) => one.id === id));
  await buildProgram(texts, [...new Set(all.flatMap(({ tests }) => tests))].sort());
  const survivors = await survivorsOf(left);
  rmSync(FOLDER, { recursive: true, force: true });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  process.stdout.write(`${left.length} mutants, ${left.length - survivors.length} killed in ${seconds} s\n`);
  for (const line of survivors) process.stdout.write(`${line}\n`);
  if (survivors.length > 0) process.exitCode = 1;
}

/** Test files whose paths begin with this prefix. */
function testsBelow(prefix: string): readonly string[] {
  const folder = dirname(`${prefix}x`);
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(prefix) && path.endsWith('.test.ts'));
}

function tableMutants(): readonly Mutant[] {
  const tests = TABLE_TESTS.flatMap(testsBelow);
  return mutantsOf(TRANSITIONS).map(({ id }, number) => ({ id, number, tests }));
}

/** Mutants of code, and the texts of the files that have them. */
function codeMutants(texts: Map<string, string>): readonly Mutant[] {
  let next = mutantsOf(TRANSITIONS).length;
  return TARGETS.flatMap((target) => {
    const tests = target.tests.flatMap(testsBelow);
    return target.paths.flatMap((path) => {
      const { text, mutants } = instrument(path, readFileSync(path, 'utf8'), next);
      next += mutants.length;
      texts.set(path, text);
      return mutants.map((one) => ({ ...one, tests }));
    });
  });
}

async function buildProgram(texts: ReadonlyMap<string, string>, tests: readonly string[]): Promise<void> {
  const own = (path: string) => JSON.stringify(resolve(path));
  const program = [
    `import { register } from ${own('test/mutate/registered-tests.ts')};`,
    `import { serve } from ${own('test/mutate/worker.ts')};`,
    ...tests.map((path) => `await register(${JSON.stringify(path)}, () => import(${own(path)}));`),
    'serve();',
    "process.send?.('ready');",
  ];
  const withMutants: Plugin = {
    name: 'with-mutants',
    setup(bundle) {
      bundle.onResolve({ filter: /^@jest\/globals$/ }, () => ({ path: resolve('test/mutate/registered-tests.ts') }));
      bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = texts.get(relative('.', path));
        return contents === undefined ? undefined : { contents, loader: 'ts' };
      });
    },
  };
  mkdirSync(FOLDER, { recursive: true });
  await build({
    stdin: { contents: program.join('\n'), resolveDir: '.', loader: 'ts' },
    outfile: PROGRAM,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    sourcemap: 'inline',
    plugins: [withMutants],
  });
}

async function survivorsOf(mutants: readonly Mutant[]): Promise<readonly string[]> {
  const covered = await coverageOf();
  const survivors: string[] = [];
  const queue = [...mutants];
  let finished = 0;
  const work = async (): Promise<void> => {
    let worker: Worker | undefined;
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const tests = testsOf(mutant, covered);
      worker ??= await startWorker();
      const answer = await worker.ask({ kind: 'mutant', number: mutant.number, tests });
      // The worker is not used again: what the mutant still runs would disturb the next one.
      if (answer === undefined) worker = undefined;
      const killer = answer === undefined ? 'the tests never end' : (answer as MutantResult).killer;
      finished += 1;
      const progress = `${String(finished).padStart(4)}/${mutants.length}`;
      if (killer === undefined) {
        survivors.push(`${tests.length === 0 ? 'no test reaches' : 'no test notices'}: ${mutant.id}`);
        process.stderr.write(`${progress}  SURVIVES  ${mutant.id}\n`);
      } else process.stderr.write(`${progress}  ${mutant.id}: ${killer}\n`);
    }
    worker?.end();
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
  return survivors;
}

/** Runs the tests without a mutant: they must pass, or a failure with a mutant has no meaning. */
async function coverageOf(): Promise<Coverage> {
  const worker = await startWorker();
  const covered = (await worker.ask({ kind: 'coverage' })) as Coverage | undefined;
  worker.end();
  if (covered === undefined) throw new Error('the tests never end without a mutant');
  const failed = [...covered.failed];
  if (failed.length > 0) throw new Error(`tests fail without a mutant: ${failed.join('\n')}`);
  return covered;
}

/** The tests of a mutant that reach it, the fastest first. */
function testsOf(mutant: Mutant, { tests, reached }: Coverage): readonly number[] {
  return tests
    .map(({ file, durationMs }, place) => ({ file, durationMs, place }))
    .filter(({ file, place }) => mutant.tests.includes(file) && reached[place]?.includes(mutant.number) === true)
    .sort((a, b) => a.durationMs - b.durationMs)
    .map(({ place }) => place);
}

interface Worker {
  /** Undefined: there was no answer in time, or the process ended. */
  readonly ask: (request: WorkerRequest) => Promise<unknown>;
  readonly end: () => void;
}

async function startWorker(): Promise<Worker> {
  const env = { ...process.env, WEFT_ALL_CASES: '1' };
  const child: ChildProcess = fork(PROGRAM, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const answer = (longestMs: number): Promise<unknown> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), longestMs);
      const settle = (value: unknown) => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (value === undefined) child.kill('SIGKILL');
        resolve(value);
      };
      child.once('message', settle);
      child.once('exit', () => settle(undefined));
    });
  if ((await answer(COVERAGE_MS)) === undefined) throw new Error('the tests could not be loaded');
  return {
    ask(request) {
      child.send(request);
      return answer(request.kind === 'coverage' ? COVERAGE_MS : LONGEST_MS);
    },
    end: () => void child.kill(),
  };
}
