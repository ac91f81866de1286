import { backOffMs } from '../../../lib/back-off.js';
import type { Clock, Random } from '../ports.js';
import type { Action } from '../../model/types.js';

/** Actions that are not to be sent again just now. */
export interface Backoffs {
  /** Until the cache shows what became of it. */
  readonly untilObserved: (action: Action) => void;
  /** It failed: longer with each failure in a row. */
  readonly afterFailure: (action: Action, problem: string, retryAfterSeconds?: number) => void;
  readonly release: (action: Action) => void;
  readonly has: (action: Action) => boolean;
  /** How many actions there are that may be held back now: rather too many than too few. */
  readonly count: () => number;
  /** When (monotonic) the next one ends. */
  readonly nextMonotonicMs: () => number | undefined;
  /** What failed last time, as text for people, sorted. */
  readonly problems: () => readonly string[];
}

interface Backoff {
  readonly untilMs: number;
  readonly failures: number;
  readonly problem?: string;
}

/** A pod that is deleted or gone shows so in the cache within moments. */
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
      backoffs.set(keyOf(action), { untilMs: clock.monotonicMs() + delayMs, failures, problem });
    },
    release: (action) => void backoffs.delete(keyOf(action)),
    has: (action) => (backoffs.get(keyOf(action))?.untilMs ?? 0) > clock.monotonicMs(),
    count: () => backoffs.size,
    nextMonotonicMs() {
      const nowMs = clock.monotonicMs();
      let next: number | undefined;
      for (const [key, { untilMs }] of backoffs) {
        // One that ended long ago has done its work; before that it makes the next failure's delay longer.
        if (untilMs + LONGEST_DELAY_MS < nowMs) backoffs.delete(key);
        else if (untilMs > nowMs) next = Math.min(next ?? untilMs, untilMs);
      }
      return next;
    },
    problems: () => [...backoffs.values()].flatMap(({ problem }) => (problem === undefined ? [] : [problem])).sort(),
  };
}

/** What an action acts on. A node may get patches for several drivers. */
export function keyOf(action: Action): string {
  return `${action.driver} ${action.uid}`;
}
