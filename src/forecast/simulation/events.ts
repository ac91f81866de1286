/** Virtual time: a queue of functions, ordered by time and then by the order of the calls. */
export interface Events {
  now(): number;
  /** Runs `what` at `atMs`, or at once if that is past. */
  at(atMs: number, what: () => void): void;
  after(delayMs: number, what: () => void): void;
  /** The same; the returned function cancels it. */
  timer(delayMs: number, what: () => void): () => void;
  /** When the next function is due; undefined when there is none. */
  nextMs(): number | undefined;
  /** Runs the next function. False if none is due before `untilMs`; then the clock is set to that time. */
  step(untilMs: number): boolean;
}

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly what: () => void;
  isStopped?: true;
}

const before = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

export function makeEvents(startMs: number): Events {
  const heap: Entry[] = [];
  let nowMs = startMs;
  let order = 0;
  const add = (atMs: number, what: () => void): Entry => {
    const entry = { atMs: Math.max(atMs, nowMs), order: order++, what };
    if (Number.isFinite(atMs)) push(heap, entry);
    return entry;
  };
  const at = (atMs: number, what: () => void): void => void add(atMs, what);
  const first = (): Entry | undefined => {
    while (heap[0]?.isStopped === true) pop(heap);
    return heap[0];
  };
  return {
    now: () => nowMs,
    at,
    after: (delayMs, what) => at(nowMs + delayMs, what),
    timer: (delayMs, what) => {
      const entry = add(nowMs + delayMs, what);
      return () => void (entry.isStopped = true);
    },
    nextMs: () => first()?.atMs,
    step: (untilMs) => {
      const next = first();
      if (next === undefined || next.atMs > untilMs) {
        nowMs = Math.max(nowMs, untilMs);
        return false;
      }
      pop(heap);
      nowMs = next.atMs;
      next.what();
      return true;
    },
  };
}

function push(heap: Entry[], entry: Entry): void {
  let index = heap.push(entry) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !before(entry, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    const left = heap[child];
    if (left === undefined) break;
    let least = left;
    const right = heap[child + 1];
    if (right !== undefined && before(right, left)) {
      child += 1;
      least = right;
    }
    if (!before(least, last)) break;
    heap[index] = least;
    index = child;
  }
  heap[index] = last;
}
