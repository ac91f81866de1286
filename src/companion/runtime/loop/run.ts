import { readByHand, type ByHand } from '../../../shared/contract/by-hand.js';
import { nodeUpgradePolicies } from '../../../shared/contract/upgrade-policy.js';
import { failedBeforeRun, listedDaemonSets } from '../report/status.js';
import { failedNodes, type RunMode } from '../run-outcome.js';
import { isGpuOperatorUsed, type CurrentPolicy } from './policy.js';
import type { RunningJob } from '../report/events.js';
import type { Reporter } from '../report/reporter.js';
import type { Wake } from '../timing/wake.js';
import type { Ports, StatusObject } from '../ports.js';
import { lookAtOperatorLease, type OperatorLease } from '../lease/operator-lease.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { GpuOperatorPolicy } from '../../model/gpu-operator.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Decision } from '../../model/types.js';

export interface RunOptions {
  /** The companion's own namespace: of its Lease, policy and status. */
  readonly namespace: string;
  /** Holder identity in the Lease. It differs for every process: the pod's name with a random part. */
  readonly identity: string;
  readonly mode: RunMode;
  /** Name of the Job, the same for all its pods. */
  readonly runId: string;
  /** The Job that gets an Event when the run ends; absent outside of a Job. */
  readonly job?: RunningJob;
  /** Hash of the policy that the Job or CronJob was rendered for (`COMPANION_ENV.policyHash`); absent: any. */
  readonly policyHash?: string;
  /** How many requests may be under way; default 16. */
  readonly concurrency?: number;
}

/** The state that all parts of one run share. */
export interface Run {
  readonly ports: Ports;
  readonly options: RunOptions;
  readonly reporter: Reporter;
  readonly wake: Wake;
  /** Records an error of a background task. The loop ends with it. */
  readonly crashed: (error: unknown) => void;
  readonly throwIfCrashed: () => void;
  /** The annotations of the status ConfigMap when it was last read. */
  byHand: ByHand;
  /** Nodes that had failed before this run and were not repaired since. It is undefined before the first decision. */
  failedBefore: readonly string[] | undefined;
  /** The same, as an earlier pod of this run saved it in the status ConfigMap. */
  failedBeforeRestart?: readonly string[] | undefined;
  /** Label prefixes of the drivers of the policy at the last decision. */
  drivers?: ReadonlySet<string>;
  /** The Network Operator's Lease when it was last read. */
  operatorLease?: OperatorLease;
  /** The GPU operator's policies when they were last read; undefined: not known, or not needed. */
  gpuOperatorPolicies?: readonly GpuOperatorPolicy[] | undefined;
  /** Why they cannot be read, as it was last logged. */
  gpuOperatorProblem?: string | undefined;
  /** UIDs of driver DaemonSets that a policy listed while a run carried it out; the status ConfigMap keeps them. */
  listed: ReadonlySet<string>;
  /** The API server's message about a right that reports need. */
  forbidden?: string;
  /** The Job of the current policy, if no node is failed at the end of the run: see `deleteFailedJob`. */
  jobWithoutFailures?: string | undefined;
  /** The last decision of this run. */
  decision?: Decision;
}

/** Reads what a person asks for and the nodes that had failed before from the status ConfigMap; `ok` also when there is none. */
export async function readStatus(run: Run): Promise<Answer<unknown>> {
  const answer = await run.reporter.readStatus();
  if (answer.kind === 'ok') noteStatus(run, answer.value);
  else if (answer.kind === 'gone') run.byHand = readByHand();
  else run.reporter.log({ level: 'warning', message: `the status cannot be read: ${answer.message}` });
  return answer.kind === 'gone' ? { kind: 'ok', value: undefined } : answer;
}

/** Reads the Lease of the Network Operator; `ok` also when there is none. */
export async function readOperatorLease(run: Run): Promise<Answer<unknown>> {
  const { cluster, clock } = run.ports;
  const answer = await cluster.readOperatorLease();
  if (answer.kind !== 'ok' && answer.kind !== 'gone') return answer;
  const lease = answer.kind === 'ok' ? answer.value : undefined;
  run.operatorLease = lookAtOperatorLease(run.operatorLease, lease, clock.monotonicMs());
  return { kind: 'ok', value: undefined };
}

/**
 * Reads the policies of the GPU operator if it restarts a driver of the policy. They are for findings alone, so an error changes nothing:
 * the last answer counts, and each problem is logged once.
 */
export async function readGpuOperatorPolicies(run: Run, { policy }: Pick<CurrentPolicy, 'policy'>): Promise<void> {
  if (!isGpuOperatorUsed(policy)) {
    run.gpuOperatorPolicies = undefined;
    return;
  }
  const answer = await run.ports.cluster.listGpuOperatorPolicies();
  const problem = answer.kind === 'ok' ? undefined : answer.message;
  if (answer.kind === 'ok') run.gpuOperatorPolicies = answer.value;
  else if (problem !== run.gpuOperatorProblem)
    run.reporter.log({ level: 'warning', message: `the policies of the GPU operator cannot be read: ${problem}` });
  run.gpuOperatorProblem = problem;
}

function noteStatus(run: Run, { annotations, data }: StatusObject): void {
  run.byHand = readByHand(annotations);
  run.listed = new Set([...run.listed, ...listedDaemonSets(data)]);
  run.failedBeforeRestart ??= failedBeforeRun(data, run.options.runId);
}

/** Whether no upgrade may begin: while the companion is paused by hand, or when its reports lack a right. */
export function beginsNothing({ byHand, forbidden }: Run): boolean {
  return byHand.paused || forbidden !== undefined;
}

/** Fields of a snapshot that the caches do not have: about the policy, and what both operators are told and do. */
export function factsOfRun(
  { listed, operatorLease, gpuOperatorPolicies, byHand }: Run,
  { writtenMs }: CurrentPolicy,
): Pick<
  Snapshot,
  'policyWrittenMs' | 'listedBefore' | 'operatorLeaseHolder' | 'gpuOperatorPolicies' | 'ignoreWindowsUntil'
> {
  return {
    policyWrittenMs: writtenMs,
    listedBefore: listed,
    operatorLeaseHolder: operatorLease?.holder,
    gpuOperatorPolicies,
    ignoreWindowsUntil: byHand.ignoreWindowsUntil,
  };
}

/** Records which DaemonSets this policy lists, and removes those that were deleted. */
export function noteListed(run: Run, { daemonSets }: Pick<Snapshot, 'daemonSets'>, { policy }: CurrentPolicy): void {
  const names = new Set(
    policy.drivers.flatMap((driver) =>
      nodeUpgradePolicies(driver).flatMap((one) => one.daemonSets.map(({ name }) => `${driver.namespace}/${name}`)),
    ),
  );
  const uids = daemonSets
    .filter(({ namespace, name, uid }) => run.listed.has(uid) || names.has(`${namespace}/${name}`))
    .map(({ uid }) => uid);
  // The same set as long as nothing changes: a decision compares it with that of the last one.
  if (uids.length !== run.listed.size || !uids.every((uid) => run.listed.has(uid))) run.listed = new Set(uids.sort());
}

/** Nodes that failed in this run. A node that was repaired and failed again counts. A node that is repaired does not. */
export function failedInRun(
  run: Pick<Run, 'failedBefore' | 'failedBeforeRestart' | 'drivers'>,
  snapshot: Pick<Snapshot, 'nodes'>,
  { policy }: Pick<CurrentPolicy, 'policy'>,
): readonly string[] {
  const now = failedNodes(snapshot, policy);
  // Those of a driver that the policy has just got failed before the run was about it.
  const drivers = new Set(policy.drivers.map(({ labelPrefix }) => labelPrefix));
  const known = run.drivers ?? drivers;
  run.drivers = drivers;
  const ofNewDriver = now.filter((node) => !known.has(node.split('/')[0] ?? ''));
  const before = [...(run.failedBefore ?? run.failedBeforeRestart ?? now), ...ofNewDriver];
  run.failedBefore = before.filter((node) => now.includes(node));
  return now.filter((node) => !before.includes(node));
}
