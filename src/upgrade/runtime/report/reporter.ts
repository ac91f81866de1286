import { createLimit } from '../act/limit.js';
import { blockedOccurrence, endEvent, eventFor, patchOccurrence, type Occurrence, type RunningJob } from './events.js';
import { EMPTY_LOG, logAction, logDecision, type LogEntry } from './log.js';
import { noMeasurements, noteDurations, noteRefusal, renderMetrics } from './metrics.js';
import { statusData } from './status.js';
import type { RunOutcome } from '../run-outcome.js';
import type { Answer, ObjectEvent, Ports, StatusObject } from '../ports.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action, Decision, EvictPod } from '../../model/types.js';

/** Logs, Events, metrics and the status ConfigMap of a run. A failure here never stops the run. */
export interface Reporter {
  readonly log: (entry: LogEntry) => void;
  /** An action took effect. */
  readonly acted: (action: Action) => void;
  /** A PodDisruptionBudget refused an eviction. */
  readonly refused: (eviction: EvictPod) => void;
  readonly decided: (decision: Decision, snapshot: Snapshot) => void;
  /** Reads the status ConfigMap: its annotations, and the resourceVersion for the next update. */
  readonly readStatus: () => Promise<Answer<StatusObject>>;
  /** Writes the status ConfigMap when it would change, at most every 15 s unless `now`. */
  readonly saveStatus: (content: StatusContent, now: boolean) => Promise<void>;
  /** Writes the Event of the Job for the end of the run; none where the run has no Job. */
  readonly ended: (end: RunOutcome) => Promise<void>;
  /** Resolves when all Events are written. */
  readonly settled: () => Promise<void>;
}

export interface StatusContent {
  readonly policyHash: string;
  readonly failedBefore: readonly string[];
  readonly listed: readonly string[];
  readonly decision: Decision;
  readonly problems: readonly string[];
  readonly end?: RunOutcome;
}

const EVENTS_AT_ONCE = 4;
/** When this many wait, further ones are dropped. The log has the same content. */
const EVENTS_WAITING = 2_000;
const STATUS_MS = 15_000;
const STATUS_ATTEMPTS = 3;

/** Names the run for its reports. */
export interface ReportedRun {
  readonly runId: string;
  /** Absent outside of a Job. */
  readonly job?: RunningJob;
}

export function createReporter(ports: Ports, { runId, job }: ReportedRun, crashed: (error: unknown) => void): Reporter {
  const { clock, output } = ports;
  const measured = noMeasurements();
  let logged = EMPTY_LOG;
  let metrics = '';
  const log = (entry: LogEntry): void => {
    output.log({ ...entry, time: new Date(clock.now()).toISOString() } as Parameters<typeof output.log>[0]);
  };
  const events = createEventWriter(ports, runId, crashed);
  const status = createStatusWriter(ports, runId, log);
  return {
    log,
    acted(action) {
      logAction(action).forEach(log);
      if (action.kind !== 'patchNode') return;
      noteDurations(measured, action, clock.monotonicMs());
      const occurrence = patchOccurrence(action);
      if (occurrence !== undefined) events.write(occurrence);
    },
    refused: (eviction) => noteRefusal(measured, eviction),
    decided(decision, snapshot) {
      const { state, entries } = logDecision(logged, decision);
      logged = state;
      entries.forEach(log);
      const uids = new Map(snapshot.nodes.map(({ name, uid }) => [name, uid]));
      for (const waiting of decision.waiting) {
        const occurrence = blockedOccurrence(waiting, uids.get(waiting.node) ?? '', clock.now());
        if (occurrence !== undefined) events.write(occurrence);
      }
      const text = renderMetrics(decision, measured);
      if (text !== metrics) output.metrics(text);
      metrics = text;
    },
    readStatus: status.readStatus,
    saveStatus: status.saveStatus,
    async ended(end) {
      if (job !== undefined) await ports.cluster.writeEvent(endEvent(job, end, clock.now()));
    },
    settled: events.settled,
  };
}

function createEventWriter(
  { cluster, clock }: Ports,
  runId: string,
  crashed: (error: unknown) => void,
): { readonly write: (occurrence: Occurrence) => void; readonly settled: () => Promise<void> } {
  const limit = createLimit(EVENTS_AT_ONCE);
  const underWay = new Set<Promise<void>>();
  const written = new Map<string, ObjectEvent>();
  return {
    write(occurrence) {
      if (underWay.size >= EVENTS_WAITING) return;
      const event = eventFor(written, occurrence, runId, clock.now());
      if (event === undefined) return;
      written.set(event.key, event);
      const task = limit(async () => {
        await cluster.writeEvent(event);
      })
        .catch(crashed)
        .then(() => {
          underWay.delete(task);
        });
      underWay.add(task);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}

function createStatusWriter(
  { cluster, clock }: Ports,
  runId: string,
  log: (entry: LogEntry) => void,
): Pick<Reporter, 'readStatus' | 'saveStatus'> {
  let known: StatusObject | undefined;
  let writtenMs: number | undefined;

  async function read(): Promise<Answer<StatusObject>> {
    const answer = await cluster.readStatus();
    if (answer.kind === 'ok') known = answer.value;
    if (answer.kind === 'gone') known = undefined;
    return answer;
  }

  async function save(content: StatusContent, now: boolean): Promise<void> {
    if (!now && writtenMs !== undefined && clock.monotonicMs() - writtenMs < STATUS_MS) return;
    const data = statusData({ runId, ...content });
    if (known !== undefined && isSame(known.data, data)) return;
    writtenMs = clock.monotonicMs();
    for (let attempt = 1; ; attempt++) {
      const answer =
        known === undefined ? await cluster.createStatus(data) : await cluster.updateStatus({ ...known, data });
      if (answer.kind === 'ok') {
        known = answer.value;
        return;
      }
      if (attempt === STATUS_ATTEMPTS) {
        return log({ level: 'warning', message: `the status was not written: ${answer.message}` });
      }
      await read();
    }
  }

  return { readStatus: read, saveStatus: save };
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(other);
  return keys.length === Object.keys(one).length && keys.every((key) => one[key] === other[key]);
}
