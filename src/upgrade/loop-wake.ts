import type { Clock } from './port.js';

/** Something to sleep on: whoever fires it ends the sleep. */
export interface Wake {
  readonly fire: () => void;
  /** Resolves when fired, also when that was since the last sleep, or after this much monotonic time. */
  readonly sleep: (ms: number) => Promise<void>;
}

export function createWake(clock: Clock): Wake {
  let fired = false;
  let resolveSleep: (() => void) | undefined;
  return {
    fire() {
      fired = true;
      resolveSleep?.();
    },
    async sleep(ms) {
      if (!fired) {
        await new Promise<void>((resolve) => {
          const stop = clock.after(ms, resolve);
          resolveSleep = () => {
            stop();
            resolve();
          };
        });
      }
      resolveSleep = undefined;
      fired = false;
    },
  };
}

/** Sleeps for this much monotonic time. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** A delay that doubles from `firstMs` with each attempt (from 1) up to `longestMs`, and varies between half and all of it. */
export function backOffMs(attempt: number, firstMs: number, longestMs: number, random: () => number): number {
  const delay = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(delay * (0.5 + random() / 2));
}
