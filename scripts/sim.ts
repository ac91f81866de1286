import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runLoopScenario } from '../test/sim/run/loop-run.js';
import { runScenario, runSeeds } from '../test/sim/run/run.js';
import { SCENARIO_KINDS, type ScenarioKind } from '../test/sim/scenario/scenario.js';
import { TROUBLE_KINDS } from '../test/sim/scenario/troubles.js';

/**
 * Runs the simulation of `test/sim` for many seeds: `npm run sim -- [--runs 100000] [--seed 1] [--loop] [--only KIND] [--jobs 2]`,
 * with `--loop` also Leases, Jobs and a CronJob around the companion's loop, with `--only` one kind of `test/sim/scenario/troubles.ts` in every
 * run or the scenarios of `neighbours.ts` and `gpu-operator.ts` beside it, on every core or with so many jobs. A failure prints its seed and the shortest
 * scenario that was found for it, and then the run ends with 1.
 */
const CHUNK = 50;
const PROGRESS_MS = 5000;

/** Seeds that a worker runs. */
interface SeedRange {
  readonly from: number;
  readonly count: number;
  readonly loop: boolean;
  readonly only: ScenarioKind | undefined;
}

interface Report {
  readonly runs: number;
  readonly failures: readonly { readonly seed: number; readonly text: string }[];
}

if (process.send === undefined) await main();
else process.on('message', (range: SeedRange) => void runRange(range));

/** Runs the seeds in a worker, and sends the failures to the main process. */
async function runRange({ from, count, loop, only }: SeedRange): Promise<void> {
  const { runs, failures } = await runSeeds(from, count, loop ? runLoopScenario : runScenario, only);
  process.send?.({ runs, failures: failures.map(({ seed, report }) => ({ seed, text: report })) } satisfies Report);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      loop: { type: 'boolean', default: false },
      only: { type: 'string' },
      jobs: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const runs = wholeNumber('runs', values.runs);
  const first = wholeNumber('seed', values.seed);
  const kinds = [...TROUBLE_KINDS, ...SCENARIO_KINDS] as const;
  const only = kinds.find((kind) => kind === values.only);
  if (values.only !== only) throw new Error(`--only must be one of ${kinds.join(', ')}, not \`${values.only}\``);
  const ranges = Array.from({ length: Math.ceil(runs / CHUNK) }, (_, index) => ({
    from: first + index * CHUNK,
    count: Math.min(CHUNK, runs - index * CHUNK),
    loop: values.loop,
    only,
  }));
  const start = performance.now();
  const failed: number[] = [];
  let printedMs = start;
  let done = 0;
  const progress = () => {
    const seconds = (performance.now() - start) / 1000;
    return `${done} of ${runs} runs, seeds from ${first}, ${(done / seconds).toFixed(0)} runs/s, ${seconds.toFixed(0)} s`;
  };
  const note = (report: Report) => {
    done += report.runs;
    for (const { seed, text } of report.failures) {
      failed.push(seed);
      process.stdout.write(`${text}\n\n`);
    }
    if (failed.length > 0) ranges.length = 0;
    if (performance.now() - printedMs < PROGRESS_MS) return;
    printedMs = performance.now();
    process.stderr.write(`${progress()}\n`);
  };
  await Promise.all(Array.from({ length: wholeNumber('jobs', values.jobs) }, () => runWorker(ranges, note)));
  process.stdout.write(
    `${progress()}; ${failed.length === 0 ? 'all held' : `seeds that failed: ${failed.join(', ')}`}\n`,
  );
  if (failed.length > 0) process.exitCode = 1;
}

/** Starts one worker, and sends it ranges until none is left. */
function runWorker(ranges: SeedRange[], note: (report: Report) => void): Promise<void> {
  const worker: ChildProcess = fork(fileURLToPath(import.meta.url));
  const sendNext = () => {
    const next = ranges.shift();
    if (next === undefined) worker.disconnect();
    else worker.send(next);
  };
  worker.on('message', (report: Report) => {
    note(report);
    sendNext();
  });
  sendNext();
  return new Promise((resolve, reject) => {
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
  });
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--${name} must be a whole number, not \`${text}\``);
  return Number(text);
}
