import { driverKeys } from '../../contract/labels.js';
import type { UpgradePolicy } from '../../contract/upgrade-policy.js';
import { KEEPS_RUNNING } from '../model/node-states.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Decision, WaitKind } from '../model/types.js';

/** What started the run: a Job carries out one policy, a CronJob the current one. */
export type RunMode = 'job' | 'cronjob';

export type OutcomeReason =
  /** Every node is done or skipped. */
  | 'done'
  /** The remaining nodes wait for a window, a soak or the user. */
  | 'waiting'
  /** A controller that owns the driver runs, so the companion changes nothing. */
  | 'refused'
  | 'superseded'
  | 'lease-held'
  | 'failed'
  | 'bad-policy'
  | 'forbidden'
  | 'bug'
  | 'stopped';

/**
 * Exit codes. A Job's `podFailurePolicy` fails it at once on 10 and 2, and starts another pod on all others that are not 0.
 */
export const EXIT_CODES = {
  done: 0,
  waiting: 0,
  refused: 0,
  superseded: 0,
  'lease-held': 0,
  failed: 10,
  'bad-policy': 2,
  forbidden: 2,
  bug: 3,
  stopped: 143,
} as const satisfies Readonly<Record<OutcomeReason, number>>;

/** The end of a run. */
export interface RunOutcome {
  readonly reason: OutcomeReason;
  readonly exitCode: (typeof EXIT_CODES)[OutcomeReason];
  readonly message: string;
  /** Nodes that failed in this run, as `driver/node`, sorted. */
  readonly failedNodes: readonly string[];
  /** The error's stack, for `bug` only. */
  readonly stack?: string | undefined;
}

export function runOutcome(reason: OutcomeReason, message: string, failedNodes: readonly string[] = []): RunOutcome {
  return { reason, exitCode: EXIT_CODES[reason], message, failedNodes };
}

/** Whether the run has nothing left to do or to wait for. */
export function isComplete(decision: Decision, mode: RunMode): boolean {
  if (decision.actions.length > 0 || decision.daemonSetLookups.length > 0) return false;
  if (decision.waiting.some(({ kind }) => KEEPS_RUNNING[kind])) return false;
  return mode === 'cronjob' || !waitsForDaemonSet(decision);
}

/**
 * A Job that starts before the GitOps controller has applied a DaemonSet finds all nodes in sync with the old one, so it waits.
 * A CronJob runs again later.
 */
function waitsForDaemonSet({ findings, counts }: Decision): boolean {
  const waiting = new Set(counts.filter(({ autoUpgrade }) => autoUpgrade).map(({ driver }) => driver));
  const paused = findings.some(({ kind }) => kind === 'paused');
  return !paused && findings.some(({ kind, driver }) => kind === 'daemon-set-not-applied' && waiting.has(driver));
}

/** The outcome of a run whose last decision is `isComplete`. */
export function outcomeOf(decision: Decision, failedInRun: readonly string[]): RunOutcome {
  const left = remainingNodes(decision, failedInRun);
  if (failedInRun.length > 0) {
    const names = failedInRun.slice(0, 10).join(', ') + (failedInRun.length > 10 ? ', …' : '');
    const rest = left === '' ? '' : `; ${left}`;
    return runOutcome('failed', `${nodes(failedInRun.length)} failed in this run: ${names}${rest}`, failedInRun);
  }
  const refusal = decision.findings.find(({ kind }) => kind === 'controller-runs');
  if (refusal !== undefined) return runOutcome('refused', refusal.message);
  if (left !== '') return runOutcome('waiting', left);
  return runOutcome('done', 'every node is done or skipped');
}

const WAIT_TEXTS: Readonly<Partial<Record<WaitKind, string>>> = {
  unreachable: 'unreachable',
  unavailable: 'held back by nodes that are not available',
  window: 'waiting for a maintenance window',
  soak: 'waiting until the canaries have soaked',
  pause: 'paused',
  'patch-refused': 'whose patches the API server refuses',
  halt: 'held back because too many nodes failed',
  policy: 'waiting for a policy that lists their driver DaemonSet',
  'canary-missing': 'held back because a canary is missing',
  'no-successor': 'kept, because no DaemonSet would put a driver on them',
  failed: 'failed in an earlier run',
  'failed-uncovered': 'failed, and no driver DaemonSet covers them any more',
  'foreign-flow': 'left to another flow',
  orphan: 'with a driver pod that has no DaemonSet',
  off: 'without autoUpgrade',
};

/** The remaining nodes by what they wait for, as text; empty when every node is done or skipped. */
function remainingNodes({ waiting }: Decision, failedInRun: readonly string[]): string {
  const counted = new Map<WaitKind, number>();
  for (const { driver, node, kind } of waiting) {
    // The message names nodes that failed in this run already.
    if (kind === 'skip' || (kind === 'failed' && failedInRun.includes(`${driver}/${node}`))) continue;
    counted.set(kind, (counted.get(kind) ?? 0) + 1);
  }
  return [...counted].map(([kind, count]) => `${nodes(count)} ${WAIT_TEXTS[kind] ?? kind}`).join(', ');
}

function nodes(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}

/** Failed nodes of all drivers of the policy, as `driver/node`, sorted. */
export function failedNodes(snapshot: Pick<Snapshot, 'nodes'>, policy: UpgradePolicy): readonly string[] {
  return policy.drivers
    .flatMap(({ labelPrefix }) => {
      const { state } = driverKeys(labelPrefix);
      const failed = snapshot.nodes.filter(({ labels }) => labels[state] === 'upgrade-failed');
      return failed.map(({ name }) => `${labelPrefix}/${name}`);
    })
    .sort();
}
