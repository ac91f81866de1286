/** A lower rank has a higher priority. */
type Rank = 0 | 1 | 2;

/** Runs a function as soon as the limit allows. Default rank: 0. */
export type Limit = <Value>(run: () => Promise<Value>, rank?: Rank) => Promise<Value>;

/** Runs at most `concurrency` functions at a time, by rank, and those of one rank in the order of the calls. */
export function createLimit(concurrency: number): Limit {
  const queues: Readonly<Record<Rank, (() => void)[]>> = { 0: [], 1: [], 2: [] };
  let running = 0;
  return async (run, rank = 0) => {
    if (running >= concurrency) await new Promise<void>((resolve) => queues[rank].push(resolve));
    else running++;
    try {
      return await run();
    } finally {
      const next = queues[0].shift() ?? queues[1].shift() ?? queues[2].shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** Runs a function after the earlier functions of the same key. */
export type Sequences = <Value>(key: string, run: () => Promise<Value>) => Promise<Value>;

/** Functions of one key run one after the other, those of different keys at the same time. */
export function createSequences(): Sequences {
  const last = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const promise = (last.get(key) ?? Promise.resolve()).then(run, run);
    last.set(key, promise);
    const clear = (): void => {
      if (last.get(key) === promise) last.delete(key);
    };
    promise.then(clear, clear);
    return promise;
  };
}
