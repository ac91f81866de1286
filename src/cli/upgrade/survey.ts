import { decide } from '../../companion/decide.js';
import type { Snapshot } from '../../companion/model/snapshot.js';
import type { Decision, Waiting } from '../../companion/model/types.js';
import { listedDaemonSets } from '../../companion/runtime/report/status.js';
import { areGpuClaimsUsed, isGpuOperatorUsed, namespacesOf } from '../../companion/runtime/loop/policy.js';
import type { ClusterPort, LeaseRecord } from '../../companion/runtime/ports.js';
import type { UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { readByHand } from '../../shared/contract/by-hand.js';
import { claimingPodsOf } from '../../companion/runtime/observe/claiming-pods.js';
import { listDaemonSets, listedSnapshot, listOfPolicy, listOthers } from '../../companion/runtime/observe/lists.js';
import { valueOf } from '../../cluster/reader/answers.js';
import { companionStatus, knownWaits, type CompanionStatus } from './companion-status.js';
import { currentPolicy, type ClusterOptions, type Connection } from './connect.js';
import { withUnreadClaims } from './unread/gpu-claims.js';
import { withUnreadMaintenances } from './unread/maintenances.js';
import { withUnreadNodeStates } from './unread/sriov-node-states.js';

/** One snapshot of a cluster, and the companion's decision about it. */
export interface Survey {
  readonly policy: UpgradePolicy;
  readonly policyHash: string;
  readonly snapshot: Snapshot;
  readonly decision: Decision;
  /** What nodes wait for: by the companion's status where it knows more, else by the decision. */
  readonly waiting: readonly Waiting[];
  readonly companion: CompanionStatus;
  /** Absent: there is no Lease. */
  readonly lease?: LeaseRecord;
  readonly nowMs: number;
}

/** Maximum number of DaemonSets to look up. If a drain needs more, its wait says so. */
const MOST_LOOKUPS = 100;

/**
 * Lists what the companion lists and makes the same decision. Changes nothing. An error ends the command.
 *
 * @param ignoreWindowsUntil as if the status ConfigMap had this annotation. Default: what it has
 */
export async function survey(
  connection: Connection,
  options: ClusterOptions,
  ignoreWindowsUntil?: string,
): Promise<Survey> {
  const { port } = connection;
  const { policy, hash, writtenMs } = await currentPolicy(connection, options);
  const namespaces = namespacesOf(policy, options.namespace);
  const [daemonSets, lists, budgets, status, lease, gpuOperator, claims, nodeStates, maintenances] = await Promise.all([
    listDaemonSets(port, namespaces).then(valueOf),
    listOthers(port, namespaces, () => true).then(valueOf),
    port.listBudgets(),
    port.readStatus(),
    port.readLease(),
    isGpuOperatorUsed(policy) ? port.listGpuOperatorPolicies() : undefined,
    areGpuClaimsUsed(policy) ? port.list('gpuClaims') : undefined,
    listOfPolicy(port, 'sriovNodeStates', policy),
    listOfPolicy(port, 'nodeMaintenances', policy),
  ]);
  const snapshot: Snapshot = {
    ...listedSnapshot({ ...lists, daemonSets }),
    // They only name what blocks an eviction. Users who may not list them get the rest of the output.
    budgets: budgets.kind === 'ok' ? budgets.value : [],
    // Users who may not list them miss the findings about them, which the status of the companion has.
    ...(gpuOperator?.kind === 'ok' && { gpuOperatorPolicies: gpuOperator.value }),
    ...(claims?.kind === 'ok' && { podsWithGpuClaims: claimingPodsOf(claims.value.items) }),
    ...(nodeStates.kind === 'ok' && nodeStates.value),
    // An absent map would say that the cluster does not serve the kind.
    ...(maintenances.kind === 'ok' ? maintenances.value : { nodeMaintenances: new Map() }),
    ...(writtenMs !== undefined && { policyWrittenMs: writtenMs }),
    listedBefore: new Set(status.kind === 'ok' ? listedDaemonSets(status.value.data) : []),
    ...readByHand(status.kind === 'ok' ? status.value.annotations : undefined),
    ...(ignoreWindowsUntil !== undefined && { ignoreWindowsUntil }),
  };
  const nowMs = Date.now();
  const decided = await decideWithAnswers(port, snapshot, policy, nowMs);
  const { nodes } = snapshot;
  const decision = [
    { answer: claims, without: withUnreadClaims },
    { answer: nodeStates, without: withUnreadNodeStates },
    { answer: maintenances, without: withUnreadMaintenances },
  ].reduce(
    (made, { answer, without }) =>
      answer === undefined || answer.kind === 'ok' ? made : without(made, nodes, policy, answer.message),
    decided,
  );
  const companion = companionStatus(status, hash);
  return {
    companion,
    waiting: knownWaits(decision.waiting, companion, nodes),
    policy,
    policyHash: hash,
    snapshot,
    decision,
    nowMs,
    ...(lease.kind === 'ok' && { lease: lease.value.record }),
  };
}

/** Looks up the DaemonSets of the pods that the drains have to move. */
async function decideWithAnswers(
  port: ClusterPort,
  snapshot: Snapshot,
  policy: UpgradePolicy,
  nowMs: number,
): Promise<Decision> {
  const first = decide(snapshot, policy, nowMs);
  if (first.daemonSetLookups.length === 0) return first;
  const foreignDaemonSets = new Map<string, 'present' | 'absent' | 'unknown'>();
  for (const { namespace, name } of first.daemonSetLookups.slice(0, MOST_LOOKUPS)) {
    const { kind } = await port.getDaemonSet(namespace, name);
    foreignDaemonSets.set(`${namespace}/${name}`, kind === 'ok' ? 'present' : kind === 'gone' ? 'absent' : 'unknown');
  }
  return decide({ ...snapshot, foreignDaemonSets }, policy, nowMs);
}
