/** Virtual time: what happens is a queue of functions, ordered by time and, at one time, by when they were put in. */
export interface Events {
  now(): number;
  /** Runs `what` at `atMs`, or at once when that is past. */
  at(atMs: number, what: () => void): void;
  after(delayMs: number, what: () => void): void;
  /** Runs what comes next; false when nothing is left before `untilMs`, and the clock stands there then. */
  step(untilMs: number): boolean;
}

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly what: () => void;
}

const before = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

export function makeEvents(startMs: number): Events {
  const heap: Entry[] = [];
  let nowMs = startMs;
  let order = 0;
  const at = (atMs: number, what: () => void): void => {
    if (!Number.isFinite(atMs)) return;
    push(heap, { atMs: Math.max(atMs, nowMs), order: order++, what });
  };
  return {
    now: () => nowMs,
    at,
    after: (delayMs, what) => at(nowMs + delayMs, what),
    step: (untilMs) => {
      const first = heap[0];
      if (first === undefined || first.atMs > untilMs) {
        nowMs = Math.max(nowMs, untilMs);
        return false;
      }
      pop(heap);
      nowMs = first.atMs;
      first.what();
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
