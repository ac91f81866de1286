import { createLimit } from '../timing/limit.js';
import { eventFor, mergedOccurrence, type Occurrence } from './events.js';
import type { ObjectEvent, Ports } from '../ports.js';
import type { Stop } from '../../../shared/kube-client/types.js';

/** Writes Events. */
interface EventWriter {
  readonly write: (occurrence: Occurrence) => void;
  /** Resolves when all Events are written. */
  readonly flushed: () => Promise<void>;
}

/** Callbacks of a writer. */
export interface EventWriterEvents {
  /** The API server's message about a missing right. */
  readonly forbidden: (message: string) => void;
  readonly crashed: (error: unknown) => void;
}

const EVENTS_AT_ONCE = 4;
/** If this many Events wait, further ones are dropped. The log has the same content. */
const EVENTS_WAITING = 2_000;
/** Steps of one node within this time are one Event, because a request for each is a third of all that an upgrade needs. */
const MERGE_MS = 5_000;

interface Waiting {
  readonly occurrences: [Occurrence, ...Occurrence[]];
  readonly stopTimer: Stop;
}

export function createEventWriter(
  { cluster, clock }: Pick<Ports, 'cluster' | 'clock'>,
  runId: string,
  { forbidden, crashed }: EventWriterEvents,
): EventWriter {
  const limit = createLimit(EVENTS_AT_ONCE);
  const underWay = new Set<Promise<void>>();
  const written = new Map<string, ObjectEvent>();
  const waiting = new Map<string, Waiting>();

  function send(occurrence: Occurrence): void {
    if (underWay.size >= EVENTS_WAITING) return;
    const event = eventFor(written, occurrence, runId, clock.now());
    if (event === undefined) return;
    written.set(event.key, event);
    const task = limit(async () => {
      const answer = await cluster.writeEvent(event);
      if (answer.kind === 'forbidden') forbidden(answer.message);
    })
      .catch(crashed)
      .then(() => {
        underWay.delete(task);
      });
    underWay.add(task);
  }

  function flush(key: string): void {
    const merged = waiting.get(key);
    if (merged === undefined) return;
    waiting.delete(key);
    merged.stopTimer();
    send(mergedOccurrence(merged.occurrences));
  }

  return {
    write(occurrence) {
      const key = `${occurrence.driver} ${occurrence.nodeUid}`;
      // A failure is reported at once, after the steps before it.
      if (occurrence.type === 'Warning') {
        flush(key);
        send(occurrence);
        return;
      }
      const before = waiting.get(key);
      if (before === undefined) {
        waiting.set(key, { occurrences: [occurrence], stopTimer: clock.after(MERGE_MS, () => flush(key)) });
      } else before.occurrences.push(occurrence);
    },
    async flushed() {
      for (const key of [...waiting.keys()]) flush(key);
      await Promise.all(underWay);
    },
  };
}
