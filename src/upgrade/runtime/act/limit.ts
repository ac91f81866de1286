/** Runs a function as soon as the limit allows. `first`: before all that wait and are not. */
export type Limit = <Value>(run: () => Promise<Value>, order?: 'first') => Promise<Value>;

/** At most so many functions at a time, those that are `first` and then the others, each in the order in which they came. */
export function createLimit(concurrency: number): Limit {
  const first: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  return async (run, order) => {
    const queue = order === 'first' ? first : others;
    if (running >= concurrency) await new Promise<void>((resolve) => queue.push(resolve));
    else running++;
    try {
      return await run();
    } finally {
      const next = first.shift() ?? others.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** Runs a function when those of the same key that came before it have ended. */
export type Sequences = <Value>(key: string, run: () => Promise<Value>) => Promise<Value>;

/** Functions of one key run one after the other, those of different keys at the same time. */
export function createSequences(): Sequences {
  const last = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(run, run);
    last.set(key, mine);
    const forget = (): void => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  };
}
