import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { thrownTexts } from '../../../shared/lib/thrown.js';
import type { ProgramMessage, ProgramTask } from './messages.js';

/** The bundled code of worker.ts; the build fills it in. Without a build jiti compiles the file. */
declare const WEFT_PROGRAM_WORKER: string | undefined;

export interface ProgramLimits {
  readonly timeoutSeconds: number;
  /** Heap of the program. */
  readonly memoryMebibytes: number;
}

/** Most programs take milliseconds, but some query slow servers. */
export const PROGRAM_LIMITS: ProgramLimits = { timeoutSeconds: 60, memoryMebibytes: 512 };

/** How a program ended; `exit`: it ended its process. */
export type ProgramOutcome = ProgramMessage | { readonly kind: 'timeout' | 'memory' | 'exit' };

/**
 * Runs a program in a thread of its own, to its end or to a limit. What it changes there (globals, `process`, timers) ends
 * with the thread, and its output goes to `onOutput`. The caller's event
 * loop runs meanwhile, so that signals are handled.
 */
export async function runProgram(
  task: Omit<ProgramTask, 'jiti'>,
  { timeoutSeconds, memoryMebibytes }: ProgramLimits,
  onOutput: (text: string) => void,
): Promise<ProgramOutcome> {
  const require = createRequire(import.meta.url);
  const jiti = require.resolve('jiti');
  const worker = new Worker(workerCode(jiti), {
    eval: true,
    workerData: { ...task, jiti } satisfies ProgramTask,
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMebibytes },
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding('utf8').on('data', onOutput);
  }
  let timer: NodeJS.Timeout | undefined;
  const outcome = await new Promise<ProgramOutcome>((end) => {
    timer = setTimeout(() => end({ kind: 'timeout' }), timeoutSeconds * 1000);
    worker.once('message', end).on('error', (error) => end(outcomeOf(error)));
    worker.once('exit', () => end({ kind: 'exit' }));
  });
  clearTimeout(timer);
  await worker.terminate();
  return outcome;
}

function workerCode(jiti: string): string {
  if (typeof WEFT_PROGRAM_WORKER === 'string') return WEFT_PROGRAM_WORKER;
  const source = fileURLToPath(new URL('worker.ts', import.meta.url));
  const [compiler, path] = [jiti, source].map((one) => JSON.stringify(one));
  return `require(${compiler}).createJiti(${path}).import(${path})`;
}

function outcomeOf(error: NodeJS.ErrnoException): ProgramOutcome {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'memory' } : { kind: 'failed', ...thrownTexts(error) };
}
