import type { Clock } from '../ports.js';

/** Limits how soon a decision may follow the previous one. */
export interface Cadence {
  /** Runs a decision and measures it. */
  readonly timed: <Value>(decide: () => Value) => Value;
  /** Milliseconds until the next decision may begin; 0: now. */
  readonly leftMs: () => number;
}

/** Minimum pause between two decisions, during which events are collected. */
const SHORTEST_PAUSE_MS = 50;
/** The pause is this many times as long as the decision, so that deciding takes at most a quarter of the time. */
const PAUSE_FACTOR = 3;

/**
 * Coalesces events. An event after a quiet time is decided on at once. During a rollout it waits for the rest of the pause:
 * three times what a decision computes, at least 50 ms. Where the processor was busy with other processes, that time does not count.
 */
export function createCadence(clock: Clock): Cadence {
  let nextMs = -Infinity;
  return {
    timed(decide) {
      const [startedMs, processorMs] = [clock.monotonicMs(), clock.processorMs()];
      const decision = decide();
      const endedMs = clock.monotonicMs();
      // Threads that compile and collect garbage meanwhile take processor time, too.
      const computedMs = Math.min(endedMs - startedMs, clock.processorMs() - processorMs);
      nextMs = endedMs + Math.max(SHORTEST_PAUSE_MS, PAUSE_FACTOR * computedMs);
      return decision;
    },
    leftMs: () => Math.max(0, nextMs - clock.monotonicMs()),
  };
}
