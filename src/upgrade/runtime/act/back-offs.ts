import { backOffMs } from '../../../lib/back-off.js';
import type { Clock, Random } from '../ports.js';
import type { Action } from '../../model/types.js';

/** Actions that are not to be sent again just now. */
export interface Holds {
  /** Until the cache shows what became of it. */
  readonly untilSeen: (action: Action) => void;
  /** It failed: longer with each failure in a row. */
  readonly afterFailure: (action: Action, problem: string, retryAfterSeconds?: number) => void;
  readonly release: (action: Action) => void;
  readonly has: (action: Action) => boolean;
  /** How many actions there are that may be held back now: rather too many than too few. */
  readonly count: () => number;
  /** When (monotonic) the next one ends. */
  readonly nextMonotonicMs: () => number | undefined;
  /** What failed last time, in words for people, sorted. */
  readonly problems: () => readonly string[];
}

interface Hold {
  readonly untilMs: number;
  readonly failures: number;
  readonly problem?: string;
}

/** A pod that is deleted or gone shows so in the cache within moments. */
const CACHE_LAG_MS = 5_000;
const FIRST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 60_000;

export function createHolds(clock: Clock, random: Random): Holds {
  const holds = new Map<string, Hold>();
  return {
    untilSeen(action) {
      holds.set(keyOf(action), { untilMs: clock.monotonicMs() + CACHE_LAG_MS, failures: 0 });
    },
    afterFailure(action, problem, retryAfterSeconds = 0) {
      const failures = (holds.get(keyOf(action))?.failures ?? 0) + 1;
      const delayMs = Math.max(backOffMs(failures, FIRST_HOLD_MS, LONGEST_HOLD_MS, random), retryAfterSeconds * 1000);
      holds.set(keyOf(action), { untilMs: clock.monotonicMs() + delayMs, failures, problem });
    },
    release: (action) => void holds.delete(keyOf(action)),
    has: (action) => (holds.get(keyOf(action))?.untilMs ?? 0) > clock.monotonicMs(),
    count: () => holds.size,
    nextMonotonicMs() {
      const nowMs = clock.monotonicMs();
      let next: number | undefined;
      for (const [key, { untilMs }] of holds) {
        // One that ended long ago has done its work; before that it makes the next failure's delay longer.
        if (untilMs + LONGEST_HOLD_MS < nowMs) holds.delete(key);
        else if (untilMs > nowMs) next = Math.min(next ?? untilMs, untilMs);
      }
      return next;
    },
    problems: () => [...holds.values()].flatMap(({ problem }) => (problem === undefined ? [] : [problem])).sort(),
  };
}

/** What an action acts on: two actions with one key are not under way at the same time. */
export function keyOf(action: Action): string {
  return action.kind === 'patchNode' ? `${action.driver} ${action.uid}` : action.uid;
}
