import type { Clock } from '../ports.js';

/** A sleep that an event can end early. */
export interface Wake {
  readonly fire: () => void;
  /** Resolves after this monotonic time, or when fired; at once if it was fired since the last sleep. */
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
