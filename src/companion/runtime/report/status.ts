import * as z from 'zod';
import { escapeJson, escapeLine } from '../../../shared/lib/escape.js';
import { parsedJson } from '../../../shared/lib/json.js';
import type { RunOutcome } from '../run-outcome.js';
import { blockerText } from './log.js';
import { IN_PROGRESS } from '../../model/node-states.js';
import type { Decision, DriverCounts, Waiting } from '../../model/types.js';

/** Key of the status document in its ConfigMap. */
export const STATUS_KEY = 'status.json';
/** Key of the summary as text. */
const SUMMARY_KEY = 'summary';

/** The content of the status. */
export interface StatusInput {
  /** Names the run: the Job's name. */
  readonly runId: string;
  readonly policyHash: string;
  /** Nodes that had failed when the run began, as `driver/node`. The next pod of the same Job reads them. */
  readonly failedBefore: readonly string[];
  /** UIDs of driver DaemonSets that a policy listed. A policy that no longer lists them retires them. */
  readonly listed: readonly string[];
  readonly decision: Pick<Decision, 'counts' | 'waiting' | 'findings'>;
  /** Messages of actions that fail. */
  readonly problems: readonly string[];
  readonly end?: RunOutcome | undefined;
}

const MOST_ENTRIES = 200;
/** The API server takes 1 MiB for all data of a ConfigMap, and each update is stored whole. */
const WAITING_BYTES = 256 * 1024;
const SUMMARY_BYTES = 4096;

/**
 * The data of the status ConfigMap, which outlives the Job. It contains no time, so that it is written only after a
 * change. `managedFields` have the time of the last write.
 */
export function statusData(input: StatusInput): Readonly<Record<string, string>> {
  const { runId, policyHash, failedBefore, listed, decision, problems, end } = input;
  const waiting = mostImportant(decision.waiting);
  const document = {
    run: runId,
    policyHash,
    failedBefore,
    listed,
    end: end === undefined ? null : { reason: end.reason, exitCode: end.exitCode, message: end.message },
    failedInRun: end?.failedNodes ?? [],
    drivers: decision.counts,
    waiting,
    moreWaiting: decision.waiting.length - waiting.length,
    findings: decision.findings.slice(0, MOST_ENTRIES),
    problems: problems.slice(0, MOST_ENTRIES),
  };
  return { [STATUS_KEY]: escapeJson(JSON.stringify(document, null, 1)), [SUMMARY_KEY]: summary(input) };
}

/**
 * The waits that fit: first those with an eviction that was refused, which only the companion knows, then those of other nodes in
 * progress, last those of nodes that a reader can decide on as well.
 */
function mostImportant(waiting: readonly Waiting[]): readonly Waiting[] {
  const ranks = [
    ({ blockers }: Waiting) => blockers.some(({ retryMs }) => retryMs !== undefined),
    ({ state }: Waiting) => IN_PROGRESS.has(state),
    () => true,
  ];
  const rankOf = (one: Waiting): number => ranks.findIndex((isOfRank) => isOfRank(one));
  const ranked = ranks.flatMap((_, rank) => waiting.filter((one) => rankOf(one) === rank));
  let bytes = 0;
  const encoder = new TextEncoder();
  const tooMany = ranked.findIndex((one) => {
    // Indented further than in the document, so it is no shorter.
    bytes += encoder.encode(JSON.stringify(one, null, 3)).length;
    return bytes > WAITING_BYTES;
  });
  return tooMany === -1 ? ranked : ranked.slice(0, tooMany);
}

const earlierStatus = z.object({
  run: z.string(),
  failedBefore: z.array(z.string()),
  listed: z.array(z.string()).default([]),
});

/** The nodes that had failed before this run, as an earlier pod of the run saved them; undefined when none did. */
export function failedBeforeRun(data: Readonly<Record<string, string>>, runId: string): readonly string[] | undefined {
  const status = parsed(data);
  return status?.run === runId ? status.failedBefore : undefined;
}

/** UIDs of the driver DaemonSets that a policy listed, as any earlier run saved them. */
export function listedDaemonSets(data: Readonly<Record<string, string>>): readonly string[] {
  return parsed(data)?.listed ?? [];
}

function parsed(data: Readonly<Record<string, string>>): z.output<typeof earlierStatus> | undefined {
  const text = data[STATUS_KEY];
  return text === undefined ? undefined : earlierStatus.safeParse(parsedJson(text)).data;
}

/** The run as text, at most 4096 bytes: the kubelet's limit for a termination message. */
export function summary({
  decision,
  problems,
  end,
}: Omit<StatusInput, 'runId' | 'policyHash' | 'failedBefore' | 'listed'>): string {
  const lines = [
    end === undefined ? 'running' : `${end.reason} (exit ${end.exitCode}): ${end.message}`,
    ...decision.counts.map(countsLine),
    ...decision.findings.map(({ severity, driver, node, message }) => {
      return `${severity} ${node === undefined ? driver : `${driver}/${node}`}: ${message}`;
    }),
    ...problems.map((problem) => `fails: ${problem}`),
    ...decision.waiting.map(({ driver, node, kind, message, blockers }) => {
      return `${driver}/${node} waits (${kind}): ${[message, ...blockers.map(blockerText)].join('; ')}`;
    }),
  ];
  return cutToBytes(lines.map(escapeLine).join('\n'), SUMMARY_BYTES);
}

function countsLine({ driver, total, done, inProgress, pending, failed, skipped }: DriverCounts): string {
  return `${driver}: ${done} of ${total} nodes done, ${inProgress} in progress, ${pending} pending (${skipped} skipped), ${failed} failed`;
}

/** Truncates a text to a number of bytes, between lines if possible, never within a character. */
export function cutToBytes(text: string, bytes: number): string {
  const whole = new TextEncoder().encode(text);
  if (whole.length <= bytes) return text;
  const more = '\n…';
  const room = bytes - new TextEncoder().encode(more).length;
  const fitting = new TextDecoder().decode(whole.subarray(0, room), { stream: true });
  const lineEnd = fitting.lastIndexOf('\n');
  return (lineEnd > room / 2 ? fitting.slice(0, lineEnd) : fitting) + more;
}
