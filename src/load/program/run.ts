import { thrownTexts } from '../../lib/thrown.js';

/** A program of the input, by its path and by the name that messages give it. */
interface Program {
  readonly path: string;
  readonly file: string;
}

/** What this process ran: timers and promises of a program outlive its end, and fail in nobody's hands. */
const ran: Program[] = [];

let running: Program | undefined;

/** The program whose end is waited for. */
export function runningProgram(): Program | undefined {
  return running;
}

/** Whether a program ran, which may have left something behind that keeps the process alive. */
export function hasRunProgram(): boolean {
  return ran.length > 0;
}

/** The programs that an error may come from, once they have ended: those that its stack names, else all that ran. */
export function programsBehind(error: unknown): readonly Program[] {
  const { stack } = thrownTexts(error);
  const named = ran.filter(({ path }) => stack.includes(path));
  return named.length > 0 ? named : ran;
}

const ENDING = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a program to its end and for a turn of the event loop, in which a promise that was rejected and not awaited is seen.
 * Rejects with whatever the program fails with, awaited or not. What it prints goes to standard error. While it runs, signals end the process at once: a handler
 * would wait for a loop that has no end.
 */
export async function runProgram<Result>(program: Program, run: () => Promise<Result>): Promise<Result> {
  const handlers = ENDING.map((signal) => ({ signal, listeners: process.rawListeners(signal) }));
  for (const signal of ENDING) process.removeAllListeners(signal);
  // Standard output is the command's own.
  const { log, info, debug, error } = console;
  Object.assign(console, { log: error, info: error, debug: error });
  ran.push(program);
  running = program;
  try {
    return await orFailure(async () => {
      const result = await run();
      await aTurn();
      refuseAdditions();
      return result;
    });
  } finally {
    running = undefined;
    Object.assign(console, { log, info, debug });
    for (const { signal, listeners } of handlers) {
      for (const listener of listeners) process.on(signal, listener as NodeJS.SignalsListener);
    }
  }
}

/** What a program gives to every object is a key of every document from then on, and of each list of Weft's own. */
function refuseAdditions(): void {
  const [added] = keysOfAnything();
  for (const key of keysOfAnything()) Reflect.deleteProperty(Object.prototype, key);
  if (added !== undefined) throw new Error(`it adds \`${added}\` to every object`);
}

function keysOfAnything(): readonly string[] {
  const keys: string[] = [];
  for (const key in {}) keys.push(key);
  return keys;
}

async function orFailure<Result>(run: () => Promise<Result>): Promise<Result> {
  let fail: (error: unknown) => void = () => undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  process.on('uncaughtException', fail).on('unhandledRejection', fail);
  try {
    return await Promise.race([run(), failure]);
  } finally {
    process.off('uncaughtException', fail).off('unhandledRejection', fail);
  }
}

const aTurn = () => new Promise((resume) => setImmediate(resume));

/** Lets timers of programs go off that are due: what fails then is known before anything is written. */
export async function settlePrograms(): Promise<void> {
  if (hasRunProgram()) await new Promise((resume) => setTimeout(resume, 1));
}
