import { createEventWriter, type EventWriterEvents } from './event-writer.js';
import { blockedOccurrence, endEvent, patchOccurrences, type RunningJob } from './events.js';
import { EMPTY_LOG, logAction, logDecision, type LogEntry } from './log.js';
import { noMeasurements, noteDurations, noteRefusal, renderMetrics } from './metrics.js';
import { statusData, type StatusInput } from './status.js';
import type { RunOutcome } from '../run-outcome.js';
import type { Ports, StatusObject } from '../ports.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action, Decision, EvictPod } from '../../model/types.js';

/** Logs, Events, metrics and the status ConfigMap of a run. Only a missing right ends the run, all other failures do not. */
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
  /** Writes the Event of the Job for the end of the run; none if the run has no Job. */
  readonly ended: (end: RunOutcome) => Promise<void>;
  /** Resolves when all Events are written. */
  readonly flushed: () => Promise<void>;
}

type StatusContent = Omit<StatusInput, 'runId'>;

const STATUS_MS = 15_000;
const STATUS_ATTEMPTS = 3;

/** Names the run for its reports. */
interface ReportedRun {
  readonly runId: string;
  /** Absent outside of a Job. */
  readonly job?: RunningJob;
}

export function createReporter(ports: Ports, { runId, job }: ReportedRun, callbacks: EventWriterEvents): Reporter {
  const { clock, output } = ports;
  const measured = noMeasurements();
  let logged = EMPTY_LOG;
  let metrics = '';
  const log = (entry: LogEntry): void => {
    output.log({ ...entry, time: new Date(clock.now()).toISOString() } as Parameters<typeof output.log>[0]);
  };
  const events = createEventWriter(ports, runId, callbacks);
  const status = createStatusWriter(ports, runId, log, callbacks.forbidden);
  return {
    log,
    acted(action) {
      logAction(action).forEach(log);
      if (action.kind !== 'patchNode') return;
      noteDurations(measured, action, clock.monotonicMs());
      for (const occurrence of patchOccurrences(action)) events.write(occurrence);
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
      output.counts?.(decision.counts);
      const text = renderMetrics(decision, measured);
      if (text !== metrics) output.metrics(text);
      metrics = text;
    },
    readStatus: status.readStatus,
    saveStatus: status.saveStatus,
    async ended(end) {
      if (job !== undefined) await ports.cluster.writeEvent(endEvent(job, end, clock.now()));
    },
    flushed: events.flushed,
  };
}

function createStatusWriter(
  { cluster, clock }: Ports,
  runId: string,
  log: (entry: LogEntry) => void,
  forbidden: EventWriterEvents['forbidden'],
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
      if (answer.kind === 'forbidden') return forbidden(answer.message);
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
