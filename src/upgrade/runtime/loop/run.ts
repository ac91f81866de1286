import { PAUSED_ANNOTATION } from '../../../contract/labels.js';
import { failedBeforeRun } from '../report/status.js';
import { failedNodes, type RunMode } from '../run-outcome.js';
import type { CurrentPolicy } from './policy.js';
import type { Reporter } from '../report/reporter.js';
import type { Wake } from './wake.js';
import type { Ports, StatusObject } from '../ports.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Decision } from '../../model/types.js';

export interface RunOptions {
  /** The companion's own namespace: of its Lease, policy and status. */
  readonly namespace: string;
  /** Holder of the Lease: different for every process, such as the pod's name with something random. */
  readonly identity: string;
  readonly mode: RunMode;
  /** The same for all pods of one Job: its name. */
  readonly runId: string;
  /** Hash of the policy that a Job was rendered for (`COMPANION_ENV.policyHash`); absent: whatever is current. */
  readonly policyHash?: string;
  /** How many requests may be under way; default 16. */
  readonly concurrency?: number;
}

/** What the parts of one run share. */
export interface Run {
  readonly ports: Ports;
  readonly options: RunOptions;
  readonly reporter: Reporter;
  readonly wake: Wake;
  /** Keeps an error that came up beside the loop; the loop ends with it. */
  readonly crashed: (error: unknown) => void;
  readonly throwIfCrashed: () => void;
  /** Somebody paused the companion by the annotation of the status ConfigMap, when it was last read. */
  paused: boolean;
  /** Nodes that had failed before this run and were not repaired since; undefined until the cluster was looked at. */
  failedBefore: readonly string[] | undefined;
  /** What an earlier pod of this run wrote down about that. */
  inherited?: readonly string[];
  /** The last one of this run. */
  decision?: Decision;
}

/** Reads pause and history from the status ConfigMap; false when it could not be read. */
export async function readStatus(run: Run): Promise<boolean> {
  const answer = await run.reporter.readStatus();
  if (answer.kind === 'ok') noteStatus(run, answer.value);
  else if (answer.kind === 'gone') run.paused = false;
  else run.reporter.log({ level: 'warning', message: `the status cannot be read: ${answer.message}` });
  return answer.kind === 'ok' || answer.kind === 'gone';
}

function noteStatus(run: Run, { annotations, data }: StatusObject): void {
  run.paused = (annotations[PAUSED_ANNOTATION] ?? 'false') !== 'false';
  const inherited = failedBeforeRun(data, run.options.runId);
  if (inherited !== undefined) run.inherited ??= inherited;
}

/** Nodes that failed in this run. A node that was repaired meanwhile and fails again counts, one that is repaired does not. */
export function failedInRun(run: Run, snapshot: Snapshot, { policy }: CurrentPolicy): readonly string[] {
  const now = failedNodes(snapshot, policy);
  const before = run.failedBefore ?? run.inherited ?? now;
  run.failedBefore = before.filter((node) => now.includes(node));
  return now.filter((node) => !before.includes(node));
}
