/** Time of the client; tests give their own. */
export interface Clock {
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

export const REAL_CLOCK: Clock = {
  nowMs: () => performance.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
