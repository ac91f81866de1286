import { REAL_CLOCK, type Clock } from './clock.js';

/** Spreads requests over time: client-go's token bucket (`util/flowcontrol`). */
export interface RateLimit {
  /** Resolves when a request may be sent; false: not within this time, and no token was taken. */
  readonly take: (withinMs: number) => Promise<boolean>;
}

/**
 * @param qps requests each second, on average
 * @param burst burst size: requests that may be sent at once after an idle time
 */
export function createRateLimit(qps: number, burst: number, clock: Clock = REAL_CLOCK): RateLimit {
  const stepMs = 1000 / qps;
  const restMs = (Math.max(1, burst) - 1) * stepMs;
  /** When the next request would be sent without a burst. */
  let nextMs = -Infinity;
  return {
    async take(withinMs) {
      const nowMs = clock.nowMs();
      const waitMs = Math.max(0, nextMs - restMs - nowMs);
      if (waitMs > withinMs) return false;
      nextMs = Math.max(nextMs, nowMs) + stepMs;
      if (waitMs > 0) await clock.pause(waitMs);
      return true;
    },
  };
}
