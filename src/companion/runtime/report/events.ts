import { groupBy } from '../../../shared/lib/group-by.js';
import { eventReason } from '../../../shared/contract/labels.js';
import { escapeLine } from '../../../shared/lib/escape.js';
import { sha256 } from '../../../shared/lib/hash.js';
import { blockerText } from './log.js';
import { cutToBytes } from './status.js';
import type { ObjectEvent } from '../ports.js';
import type { RunOutcome } from '../run-outcome.js';
import type { PatchNode, Waiting } from '../../model/types.js';

/** The content of an Event of a node. */
export interface Occurrence {
  readonly driver: string;
  readonly node: string;
  readonly nodeUid: string;
  readonly type: ObjectEvent['type'];
  readonly message: string;
  /** Rows of the transition table that were taken. */
  readonly rows?: readonly string[];
  /** Occurrences with the same identity share one Event and raise its count. */
  readonly sameAs: string;
  /** It lasts: its Event is repeated only after a while. Default: false. */
  readonly isLasting?: boolean;
}

/** What the API server accepts, in bytes: `NoteLengthLimit` in Kubernetes' `pkg/apis/core/validation/events.go`, v1.35. */
const LONGEST_MESSAGE = 1024;
/** A drain that is blocked for less time gets no Event. */
const BLOCKED_FOR_MS = 60_000;
/** The Event of a node that stays blocked is repeated after this time. */
const REPEAT_MS = 600_000;

/** The Events for a patch: one for each participant, with all steps that it took. */
export function patchOccurrences(action: PatchNode): readonly Occurrence[] {
  return [...groupBy(action.steps, ({ driver }) => driver)].flatMap(([driver, steps]): readonly Occurrence[] => {
    const last = steps.at(-1);
    if (last === undefined) return [];
    return [
      {
        driver,
        node: action.node,
        nodeUid: action.uid,
        type: last.to === 'upgrade-failed' ? 'Warning' : 'Normal',
        message: `${steps.map(({ message }) => message).join('; ')} (${last.from} → ${last.to})`,
        rows: steps.map(({ row }) => row),
        sameAs: `${last.row} ${last.to}`,
      },
    ];
  });
}

/** Several occurrences at one node as one, in their order. */
export function mergedOccurrence(occurrences: readonly [Occurrence, ...Occurrence[]]): Occurrence {
  const joined = (of: (one: Occurrence) => string): string => occurrences.map(of).join('; ');
  return {
    ...occurrences[0],
    message: joined(({ message }) => message),
    rows: occurrences.flatMap(({ rows = [] }) => rows),
    sameAs: joined(({ sameAs }) => sameAs),
    isLasting: occurrences.every(({ isLasting = false }) => isLasting),
  };
}

/** The Event for a node whose drain has been blocked for a while. */
export function blockedOccurrence(waiting: Waiting, nodeUid: string, nowMs: number): Occurrence | undefined {
  if (waiting.blockers.length === 0 || nowMs - (waiting.sinceMs ?? nowMs) < BLOCKED_FOR_MS) return undefined;
  const { driver, node } = waiting;
  const message = `${waiting.message}: ${waiting.blockers.map(blockerText).join('; ')}`;
  return { driver, node, nodeUid, type: 'Warning', message, sameAs: `blocked ${waiting.state}`, isLasting: true };
}

/** The Event to write for an occurrence. `written` has those of this run by key. Undefined: the last one is too recent to be repeated. */
export function eventFor(
  written: ReadonlyMap<string, ObjectEvent>,
  occurrence: Occurrence,
  runId: string,
  nowMs: number,
): ObjectEvent | undefined {
  const { driver, node, nodeUid, type, rows, sameAs, isLasting = false } = occurrence;
  const id = sha256(JSON.stringify([runId, driver, nodeUid, sameAs])).slice(0, 16);
  const key = `${node}.${id}`;
  const before = written.get(key);
  if (before !== undefined && isLasting && nowMs - before.lastMs < REPEAT_MS) return undefined;
  const message = cutToBytes(escapeLine(occurrence.message), LONGEST_MESSAGE);
  return {
    key,
    about: { apiVersion: 'v1', kind: 'Node', name: node, uid: nodeUid },
    type,
    reason: eventReason(driver),
    message,
    ...(rows !== undefined && { rows }),
    count: (before?.count ?? 0) + 1,
    firstMs: before?.firstMs ?? nowMs,
    lastMs: nowMs,
  };
}

/** The Job whose pod this run is. */
export interface RunningJob {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The Event of a Job for the end of a run in one of its pods. */
export function endEvent(job: RunningJob, { reason, exitCode, message }: RunOutcome, nowMs: number): ObjectEvent {
  return {
    key: `${job.name}.${nowMs.toString(16)}`,
    about: { apiVersion: 'batch/v1', kind: 'Job', ...job },
    type: exitCode === 0 ? 'Normal' : 'Warning',
    reason: 'UpgradeEnded',
    message: cutToBytes(escapeLine(`${reason} (exit code ${exitCode}): ${message}`), LONGEST_MESSAGE),
    count: 1,
    firstMs: nowMs,
    lastMs: nowMs,
  };
}
