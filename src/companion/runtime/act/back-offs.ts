import { backOffMs } from '../../../shared/lib/back-off.js';
import type { Clock, Random } from '../ports.js';
import type { Action } from '../../model/types.js';

/** Actions that must not be sent again yet. */
export interface Backoffs {
  /** Holds the action back until the cache has its effect. */
  readonly untilObserved: (action: Action) => void;
  /** Holds a failed action back, longer with each failure in a row. Returns when (monotonic) it may be sent again. */
  readonly afterFailure: (action: Action, problem: string, retryAfterSeconds?: number) => number;
  readonly release: (action: Action) => void;
  readonly has: (action: Action) => boolean;
  /** The number of actions that are held back; an upper bound. */
  readonly count: () => number;
  /** When (monotonic) the next one ends. */
  readonly nextMonotonicMs: () => number | undefined;
  /** Messages of the actions that failed last time, sorted. */
  readonly problems: () => readonly string[];
}

interface Backoff {
  readonly untilMs: number;
  readonly failures: number;
  readonly problem?: string;
}

/** The cache has the deletion of a pod after this time. */
const CACHE_LAG_MS = 5_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

export function createBackoffs(clock: Clock, random: Random): Backoffs {
  const backoffs = new Map<string, Backoff>();
  return {
    untilObserved(action) {
      backoffs.set(keyOf(action), { untilMs: clock.monotonicMs() + CACHE_LAG_MS, failures: 0 });
    },
    afterFailure(action, problem, retryAfterSeconds = 0) {
      const failures = (backoffs.get(keyOf(action))?.failures ?? 0) + 1;
      const delayMs = Math.max(backOffMs(failures, FIRST_DELAY_MS, LONGEST_DELAY_MS, random), retryAfterSeconds * 1000);
      const untilMs = clock.monotonicMs() + delayMs;
      backoffs.set(keyOf(action), { untilMs, failures, problem });
      return untilMs;
    },
    release: (action) => void backoffs.delete(keyOf(action)),
    has: (action) => (backoffs.get(keyOf(action))?.untilMs ?? 0) > clock.monotonicMs(),
    count: () => backoffs.size,
    nextMonotonicMs() {
      const nowMs = clock.monotonicMs();
      let next: number | undefined;
      for (const [key, { untilMs }] of backoffs) {
        // An expired back-off is kept for a while, because it makes the delay after the next failure longer.
        if (untilMs + LONGEST_DELAY_MS < nowMs) backoffs.delete(key);
        else if (untilMs > nowMs) next = Math.min(next ?? untilMs, untilMs);
      }
      return next;
    },
    problems: () => [...backoffs.values()].flatMap(({ problem }) => (problem === undefined ? [] : [problem])).sort(),
  };
}

/** Key of the object of an action. */
export function keyOf(action: Action): string {
  return action.uid;
}
