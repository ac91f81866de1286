import type { Clock } from '../ports.js';

/** How soon a decision may follow the one before it. */
export interface Cadence {
  /** Runs a decision and measures it. */
  readonly timed: <Value>(decide: () => Value) => Value;
  /** Milliseconds until the next decision may begin; 0: now. */
  readonly leftMs: () => number;
}

/** Events of this time are decided on together, however fast a decision is. */
const SHORTEST_PAUSE_MS = 50;
/** The pause is this many times as long as the decision, so that deciding takes at most a quarter of the time. */
const PAUSE_FACTOR = 3;
/** A machine that stalls during one decision must not stop the companion for minutes. */
const LONGEST_PAUSE_MS = 10_000;

/**
 * Coalesces events. An event after a quiet time is decided on at once. During a rollout it waits for the rest of the pause,
 * at most three times as long as a decision takes, or 50 ms.
 */
export function createCadence(clock: Clock): Cadence {
  let nextMs = -Infinity;
  return {
    timed(decide) {
      const startedMs = clock.monotonicMs();
      const decision = decide();
      const endedMs = clock.monotonicMs();
      const pauseMs = PAUSE_FACTOR * (endedMs - startedMs);
      nextMs = endedMs + Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pauseMs));
      return decision;
    },
    leftMs: () => Math.max(0, nextMs - clock.monotonicMs()),
  };
}
