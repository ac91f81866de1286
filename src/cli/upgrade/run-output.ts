import { escapeLine, escapeLines } from '../../shared/lib/escape.js';
import type { DriverCounts } from '../../companion/model/types.js';
import type { Output } from '../../companion/runtime/ports.js';
import type { Io } from '../io.js';
import { logLine } from './log-line.js';
import { headwayLine } from './render.js';
import type { Headway } from './rows.js';

/** Carriage return, and "erase in line" (ECMA-48, 8.3.41). */
const ERASE = '\r\x1b[K';

/** Output of a run in a terminal: log lines on standard error, the summary on standard output. */
interface RunOutput extends Output {
  /** Removes the progress bar. */
  readonly close: () => void;
}

/**
 * If the terminal can erase a line, a progress bar below the log lines shows how many nodes are done and the time left.
 */
export function runOutput(io: Pick<Io, 'stdout' | 'stderr' | 'isStderrTerminal' | 'env'>, now = Date.now): RunOutput {
  const hasBar = io.isStderrTerminal && io.env['TERM'] !== 'dumb';
  const pace = createPace(now);
  let bar = '';
  const erase = (): void => {
    if (bar !== '') io.stderr(ERASE);
  };
  return {
    log(record) {
      erase();
      io.stderr(`${escapeLine(logLine(record))}\n${bar}`);
    },
    counts(counts) {
      if (!hasBar) return;
      erase();
      bar = headwayLine(pace(counts), counts.length > 1 ? 'drivers of nodes' : 'nodes').trimEnd();
      io.stderr(bar);
    },
    metrics: () => undefined,
    summary(text) {
      erase();
      bar = '';
      io.stdout(`${escapeLines(text)}\n`);
    },
    close() {
      erase();
      bar = '';
    },
  };
}

/** Progress of a run. The estimate uses the nodes that are done since it began. */
function createPace(now: () => number): (counts: readonly DriverCounts[]) => Headway {
  let begin: { readonly ms: number; readonly done: number } | undefined;
  return (counts) => {
    const done = sum(counts, (one) => one.done);
    const total = sum(counts, ({ total: all, skipped }) => all - skipped);
    begin ??= { ms: now(), done };
    const since = done - begin.done;
    if (since <= 0 || done >= total) return { done, total };
    return { done, total, remainingMs: ((now() - begin.ms) / since) * (total - done) };
  };
}

function sum(counts: readonly DriverCounts[], of: (one: DriverCounts) => number): number {
  return counts.reduce((all, one) => all + of(one), 0);
}
