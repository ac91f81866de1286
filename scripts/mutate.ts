import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { TRANSITIONS } from '../src/upgrade/flow/transitions.js';
import { mutantsOf } from '../test/mutate/mutants.js';

/**
 * Takes each row, guard and effect of the transition table away in turn and runs the table's tests: one that passes all the
 * same says that nothing would notice. Arguments narrow the mutants to those whose id begins with one of them.
 */
const JEST = [
  'node_modules/jest/bin/jest.js',
  '--config',
  'test/mutate/jest.config.mjs',
  '--runInBand',
  '--ci',
  '--json',
];
const WORKERS = Math.min(4, availableParallelism());

interface Outcome {
  readonly passed: boolean;
  readonly tests: number;
  /** The first test that failed. */
  readonly killer: string | undefined;
}

/** What of Jest's JSON report is used. */
interface JestReport {
  readonly success: boolean;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs the tests with a mutant, or with the table as it is. */
async function runTests(mutant: string | undefined): Promise<Outcome> {
  const env = { ...process.env };
  delete env['WEFT_MUTANT'];
  if (mutant !== undefined) env['WEFT_MUTANT'] = mutant;
  const child = spawn(process.execPath, JEST, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (chunks.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (chunks.stderr += text));
  await new Promise((resolve) => child.on('close', resolve));
  const report = reportOf(chunks.stdout);
  const assertions = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const killer = assertions.find(({ status }) => status === 'failed')?.fullName;
  // A run in which no test failed, but something else did, shows nothing.
  if (report === undefined || (!report.success && killer === undefined)) {
    throw new Error(`the tests could not be run with ${mutant ?? 'the table as it is'}:\n${chunks.stderr}`);
  }
  return { passed: report.success, tests: report.numTotalTests, killer };
}

function reportOf(text: string): JestReport | undefined {
  try {
    return JSON.parse(text) as JestReport;
  } catch {
    return undefined;
  }
}

const prefixes = process.argv.slice(2);
const ids = mutantsOf(TRANSITIONS)
  .map(({ id }) => id)
  .filter((id) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)));
const start = performance.now();
const sound = await runTests(undefined);
if (!sound.passed || sound.tests === 0) {
  throw new Error(`the tests fail with the table as it is: ${sound.killer ?? 'there are none'}`);
}
process.stderr.write(`${ids.length} mutants, ${sound.tests} tests each, ${WORKERS} at a time\n`);

const survivors: string[] = [];
const queue = [...ids];
let finished = 0;
async function work(): Promise<void> {
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const { passed, killer } = await runTests(id);
    finished += 1;
    if (passed) survivors.push(id);
    const progress = `${String(finished).padStart(4)}/${ids.length}`;
    process.stderr.write(passed ? `${progress}  SURVIVES  ${id}\n` : `${progress}  ${id}: ${killer ?? ''}\n`);
  }
}
await Promise.all(Array.from({ length: WORKERS }, work));

const seconds = ((performance.now() - start) / 1000).toFixed(0);
process.stdout.write(`${ids.length} mutants, ${ids.length - survivors.length} killed in ${seconds} s\n`);
for (const id of survivors) process.stdout.write(`no test notices that this is gone: ${id}\n`);
if (survivors.length > 0) process.exitCode = 1;
