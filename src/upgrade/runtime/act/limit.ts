/** Runs a function as soon as the limit allows. */
export type Limit = <Value>(run: () => Promise<Value>) => Promise<Value>;

/** At most so many functions at a time, in the order in which they came. */
export function createLimit(concurrency: number): Limit {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= concurrency) await new Promise<void>((resolve) => queue.push(resolve));
    else running++;
    try {
      return await run();
    } finally {
      const next = queue.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
