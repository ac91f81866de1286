import { legacyKeys } from '../../shared/contract/legacy-keys.js';
import { MAINTENANCE_ANNOTATION } from '../../shared/contract/maintenance-record.js';
import { OUTCOMES, type OutcomeReason } from '../../shared/contract/outcomes.js';
import { driverKeys } from '../../shared/contract/labels.js';
import type { UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { counted } from '../../shared/lib/listed.js';
import { IN_PROGRESS } from '../model/node-states.js';
import { runContinues, waitKind, type WaitKind } from '../model/wait-kinds.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Decision } from '../model/types.js';

/** What started the run: a Job carries out one policy, a CronJob the current one. */
export type RunMode = 'job' | 'cronjob';

/** The end of a run. */
export interface RunOutcome {
  readonly reason: OutcomeReason;
  readonly exitCode: (typeof OUTCOMES)[OutcomeReason]['exitCode'];
  readonly message: string;
  /** Nodes that failed in this run, as `driver/node`, sorted. */
  readonly failedNodes: readonly string[];
  /** The error's stack, for `bug` only. */
  readonly stack?: string | undefined;
}

export function runOutcome(reason: OutcomeReason, message: string, failedNodes: readonly string[] = []): RunOutcome {
  return { reason, exitCode: OUTCOMES[reason].exitCode, message, failedNodes };
}

/** Whether the run has nothing left to do or to wait for. */
export function isComplete(decision: Decision, mode: RunMode): boolean {
  if (decision.actions.length > 0 || decision.daemonSetLookups.length > 0) return false;
  if (decision.waiting.some(({ kind }) => runContinues(kind, mode))) return false;
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

/**
 * The outcome of a run whose last decision is `isComplete`. The Job of a policy also fails for nodes that had failed before it: its health
 * is that of the nodes, as `weft upgrade status` has it. The next runs of a CronJob do not fail again for the same nodes.
 */
export function outcomeOf(decision: Decision, { failedInRun, inProgress }: NodesOfRun, mode: RunMode): RunOutcome {
  const refusals = decision.findings.filter(({ kind }) => kind === 'controller-runs').map(({ message }) => message);
  // No driver has been decided on. Otherwise the others have their outcome.
  const isRefused = refusals.length > 0 && decision.counts.length === 0;
  const end = isRefused ? runOutcome('refused', '') : outcomeOfOthers(decision, failedInRun, mode);
  const left =
    inProgress.length === 0 ? '' : `${counted(inProgress.length, 'node')} left in progress: ${few(inProgress)}`;
  const message = [end.message, ...refusals, left].filter((text) => text !== '').join('; ');
  // A Job that ends with 0 does not run again.
  return end.exitCode === 0 && left !== '' ? runOutcome('unfinished', message) : { ...end, message };
}

/** Names, and whether there are more. */
function few(names: readonly string[]): string {
  return names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '');
}

/** The outcome of the drivers whose controllers do not run. */
function outcomeOfOthers(decision: Decision, failedInRun: readonly string[], mode: RunMode): RunOutcome {
  const left = remainingNodes(decision, failedInRun);
  if (failedInRun.length > 0) {
    const names = few(failedInRun);
    const rest = left === '' ? '' : `; ${left}`;
    return runOutcome(
      'failed',
      `${counted(failedInRun.length, 'node')} failed in this run: ${names}${rest}`,
      failedInRun,
    );
  }
  const hasFailedBefore = decision.waiting.some(
    ({ kind, state }) => kind === 'failed' || (state === 'upgrade-failed' && kind !== 'foreign-flow'),
  );
  if (mode === 'job' && hasFailedBefore) return runOutcome('failed', left);
  if (left !== '') return runOutcome('waiting', left);
  return runOutcome('done', 'every node is done or skipped');
}

/** The remaining nodes by what they wait for, as text; empty when every node is done or skipped. */
function remainingNodes({ waiting }: Decision, failedInRun: readonly string[]): string {
  const nodes = new Map<WaitKind, Set<string>>();
  for (const { driver, node, kind } of waiting) {
    // The message names nodes that failed in this run already.
    if ((waitKind(kind).left ?? '') === '' || (kind === 'failed' && failedInRun.includes(`${driver}/${node}`)))
      continue;
    nodes.set(kind, (nodes.get(kind) ?? new Set()).add(node));
  }
  return [...nodes].map(([kind, { size }]) => `${counted(size, 'node')} ${waitKind(kind).left ?? kind}`).join(', ');
}

/** Nodes of a run, as `driver/node`, sorted. */
interface NodesOfRun {
  readonly failedInRun: readonly string[];
  /** The companion's own, see `nodesInProgress`. */
  readonly inProgress: readonly string[];
}

/**
 * Nodes that the companion has taken out and not given back, of all drivers of the policy: their state is one in progress, and they have the
 * annotation of its cordon, or of what they are to get. A node that an operator has begun has neither until the companion continues it.
 */
export function nodesInProgress(snapshot: Pick<Snapshot, 'nodes'>, policy: UpgradePolicy): readonly string[] {
  return policy.drivers
    .flatMap(({ labelPrefix }) => {
      const { state } = driverKeys(labelPrefix);
      const { cordoned, wanted } = legacyKeys(labelPrefix);
      const own = snapshot.nodes.filter(
        ({ labels, annotations }) =>
          IN_PROGRESS.has(labels[state] ?? '') &&
          [MAINTENANCE_ANNOTATION, cordoned, wanted].some((key) => annotations[key] !== undefined),
      );
      return own.map(({ name }) => `${labelPrefix}/${name}`);
    })
    .sort();
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
