import type { Io } from './io.js';

/** A progress line on the terminal. It is overwritten, and removed at the end. */
export interface Progress {
  /** Shows the current step, which follows `done` steps of `total`. */
  readonly step: (what: string, done: number, total: number) => void;
  /** Removes the line, before anything else is printed. */
  readonly clear: () => void;
}

/** Shorter runs show no progress. */
const QUIET_MILLISECONDS = 1_000;

/** The minimum time between two updates. */
const PAUSE_MILLISECONDS = 100;

/** Carriage return, and "erase in line" (ECMA-48, 8.3.41). */
const ERASE = '\r\x1b[K';

const WIDTH_MAX = 70;

/** Shows progress on standard error if it is a terminal that can erase a line. */
export function startProgress(
  { stderr, isStderrTerminal, env }: Pick<Io, 'stderr' | 'isStderrTerminal' | 'env'>,
  now: () => number = Date.now,
): Progress {
  if (!isStderrTerminal || env['TERM'] === 'dumb') return { step: () => undefined, clear: () => undefined };
  const begin = now();
  let shownAt: number | undefined;
  return {
    step: (what, done, total) => {
      const time = now();
      if (time - begin < QUIET_MILLISECONDS || (shownAt !== undefined && time - shownAt < PAUSE_MILLISECONDS)) return;
      shownAt = time;
      const name = what.replace(/[^\x20-\x7e]/g, '?');
      stderr(`${ERASE}${done} of ${total}: ${name.length > WIDTH_MAX ? `…${name.slice(-WIDTH_MAX)}` : name}`);
    },
    clear: () => {
      if (shownAt !== undefined) stderr(ERASE);
      shownAt = undefined;
    },
  };
}
