import type { Clock, Signals } from '../ports.js';

/**
 * The clock of the machine. Within a process the wall clock is that of its start and the monotonic time since: a jump of the machine's clock makes no
 * drain and no restart time out. The next process reads the machine's clock again.
 */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  monotonicMs: () => performance.now(),
  processorMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  after(ms, callback) {
    // Node treats a longer delay as 0.
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

/** SIGTERM and SIGINT as a request to stop; the second one ends the process at once, like the default handler. */
export function processSignals(): Signals {
  const callbacks: (() => void)[] = [];
  let isStopRequested = false;
  const stop = (): void => {
    isStopRequested = true;
    for (const callback of callbacks.splice(0)) callback();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return {
    get stopRequested() {
      return isStopRequested;
    },
    onStop(callback) {
      if (isStopRequested) callback();
      else callbacks.push(callback);
    },
  };
}
