import { driverKeys } from '../../../shared/contract/labels.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { decide } from '../../decide.js';
import { outcomeOf, isComplete, nodesInProgress, runOutcome, type RunOutcome } from '../run-outcome.js';
import { namespacesOf, readPolicy, type CurrentPolicy } from './policy.js';
import { beginsNothing, failedInRun, factsOfRun, readGpuOperatorPolicies, readStatus, type Run } from './run.js';
import { listDaemonSets, listedSnapshot, listOthers, listOfPolicy } from '../observe/lists.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotBudget, SnapshotNode, SnapshotPod } from '../../model/types.js';

/** The result of a preflight. `retry`: something could not be read. */
type PreflightResult =
  | { readonly kind: 'end'; readonly end: RunOutcome }
  | { readonly kind: 'work'; readonly policy: UpgradePolicy }
  | { readonly kind: 'retry'; readonly message: string };

/**
 * Finds out whether there is anything to do, from consistent lists instead of caches: DaemonSets first, then the policy, then
 * NodeMaintenances, then nodes and the pods of the drivers' namespaces; all pods where a pod of any namespace matters
 * (`needsAllPods`). The Maintenance Operator uncordons a node before its NodeMaintenance is gone, so a node whose NodeMaintenance is not listed
 * is listed without that cordon.
 * The decision's actions are not carried out. Pods of other namespaces are missing in it otherwise, so it may say that a node can
 * go on when it cannot, but never that a node is done when it is not.
 */
export async function preflight(
  run: Run,
  known: Pick<Snapshot, 'refusedPatches' | 'foreignDaemonSets'> & {
    readonly pods: Iterable<SnapshotPod>;
  } = NOTHING_KNOWN,
): Promise<PreflightResult> {
  const { pods: foreignPods, refusedPatches, foreignDaemonSets } = known;
  const { ports, options } = run;
  let namespaces: readonly string[] = [options.namespace];
  for (;;) {
    const daemonSets = await listDaemonSets(ports.cluster, namespaces);
    if (daemonSets.kind !== 'ok') return failedRead(daemonSets);
    const current = await readPolicy(ports.cluster, options.policyHash);
    if (current.kind !== 'policy') return current;
    const needed = namespacesOf(current.policy, options.namespace);
    if (needed.some((name) => !namespaces.includes(name))) {
      namespaces = needed;
      continue;
    }
    const status = await readStatus(run);
    if (status.kind !== 'ok') return failedRead(status);
    const maintenances = await listOfPolicy(ports.cluster, 'nodeMaintenances', current.policy);
    if (maintenances.kind !== 'ok') return failedRead(maintenances);
    const listed = await listOthers(ports.cluster, namespaces, needsAllPods(current.policy));
    if (listed.kind !== 'ok') return failedRead(listed);
    const nodeStates = await listOfPolicy(ports.cluster, 'sriovNodeStates', current.policy);
    if (nodeStates.kind !== 'ok') return failedRead(nodeStates);
    // Without them it would seem that what blocks a drain is gone.
    const budgets = listed.value.nodes.some(hasToDrain(current.policy))
      ? await ports.cluster.listBudgets()
      : NO_BUDGETS;
    if (budgets.kind !== 'ok') return failedRead(budgets);
    await readGpuOperatorPolicies(run, current);
    const pods = new Map(listed.value.pods.map((pod) => [pod.uid, pod]));
    for (const pod of foreignPods)
      if (!namespaces.includes(pod.namespace) && !pods.has(pod.uid)) pods.set(pod.uid, pod);
    const lists = { ...listed.value, pods: pods.values(), daemonSets: daemonSets.value };
    return evaluate(run, current, {
      ...listedSnapshot(lists),
      budgets: budgets.value,
      ...maintenances.value,
      ...nodeStates.value,
      refusedPatches,
      foreignDaemonSets,
    });
  }
}

/** Its drain was blocked: it begins again when pods of any namespace can leave. */
function hasBlockedDrain({ annotations }: SnapshotNode): boolean {
  return readMaintenanceRecord(annotations[MAINTENANCE_ANNOTATION])?.blocked !== undefined;
}

/** It is due, or begins again. */
function hasToDrain({ drivers }: UpgradePolicy): (node: SnapshotNode) => boolean {
  const states = drivers.map(({ labelPrefix }) => driverKeys(labelPrefix).state);
  return (node) => hasBlockedDrain(node) || states.some((state) => node.labels[state] === 'upgrade-required');
}

const NOTHING_KNOWN = { pods: [], refusedPatches: new Map(), foreignDaemonSets: new Map() };
const NO_BUDGETS: Answer<readonly SnapshotBudget[]> = { kind: 'ok', value: [] };

/** Whether a node has failed and pods of any namespace matter: to its validation, to its drain, or to the Maintenance Operator. */
function needsAllPods({ drivers, rollout, nodeMaintenance }: UpgradePolicy): (node: SnapshotNode) => boolean {
  if (nodeMaintenance !== undefined) return () => true;
  if ((rollout.validation?.podSelector ?? '') === '') return hasBlockedDrain;
  const states = drivers.map(({ labelPrefix }) => driverKeys(labelPrefix).state);
  return (node) => hasBlockedDrain(node) || states.some((state) => node.labels[state] === 'upgrade-failed');
}

function evaluate(run: Run, current: CurrentPolicy, seen: Snapshot): PreflightResult {
  const snapshot: Snapshot = { ...seen, ...factsOfRun(run, current), paused: beginsNothing(run) };
  const nodes = {
    failedInRun: failedInRun(run, snapshot, current),
    inProgress: nodesInProgress(snapshot, current.policy),
  };
  const decision = decide(snapshot, current.policy, run.ports.clock.now());
  run.decision = decision;
  run.jobWithoutFailures = run.failedBefore?.length === 0 ? current.job : undefined;
  return isComplete(decision, run.options.mode)
    ? { kind: 'end', end: outcomeOf(decision, nodes, run.options.mode) }
    : { kind: 'work', policy: current.policy };
}

function failedRead(answer: Exclude<Answer<unknown>, { kind: 'ok' }>): PreflightResult {
  return answer.kind === 'forbidden'
    ? { kind: 'end', end: runOutcome('forbidden', answer.message) }
    : { kind: 'retry', message: answer.message };
}
