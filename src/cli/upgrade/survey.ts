import { decide } from '../../upgrade/decide/decide.js';
import { podIndexOf } from '../../upgrade/model/pod-index.js';
import type { Snapshot } from '../../upgrade/model/snapshot.js';
import type { Decision, Waiting } from '../../upgrade/model/types.js';
import { listedDaemonSets } from '../../upgrade/runtime/report/status.js';
import { namespacesOf, readPolicy } from '../../upgrade/runtime/loop/policy.js';
import type { Answer, LeaseRecord } from '../../upgrade/runtime/ports.js';
import type { UpgradePolicy } from '../../contract/upgrade-policy.js';
import { PAUSED_ANNOTATION } from '../../contract/labels.js';
import type { KubePort } from '../../upgrade/runtime/kube-port/kube-port.js';
import { companionStatus, knownWaits, type CompanionStatus } from './companion-status.js';

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

/** Why the cluster could not be read. */
interface SurveyFailure {
  readonly kind: 'no-policy' | 'no-answer';
  readonly message: string;
}

/** Maximum number of DaemonSets to look up. If a drain needs more, its wait says so. */
const MOST_LOOKUPS = 100;

class Unanswered extends Error {
  readonly failure: SurveyFailure;
  constructor(failure: SurveyFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Lists what the companion lists and makes the same decision. Changes nothing. */
export async function survey(port: KubePort, namespace: string): Promise<Survey | SurveyFailure> {
  try {
    return await surveyOrThrow(port, namespace);
  } catch (error) {
    if (error instanceof Unanswered) return error.failure;
    throw error;
  }
}

async function surveyOrThrow(port: KubePort, namespace: string): Promise<Survey> {
  const read = await readPolicy(port, undefined);
  if (read.kind === 'end') {
    const kind = read.end.reason === 'bad-policy' ? 'no-policy' : 'no-answer';
    throw new Unanswered({ kind, message: read.end.message });
  }
  if (read.kind === 'retry') throw new Unanswered({ kind: 'no-answer', message: read.message });
  const { policy, hash, writtenMs } = read;
  const namespaces = namespacesOf(policy, namespace);
  const each = <Value>(ask: (name: string) => Promise<Answer<{ readonly items: readonly Value[] }>>) =>
    Promise.all(namespaces.map(async (name) => value(await ask(name)).items)).then((lists) => lists.flat());
  const [daemonSets, revisions, nodes, pods, budgets, status, lease] = await Promise.all([
    each((name) => port.list('daemonSets', name)),
    each((name) => port.list('revisions', name)),
    port.list('nodes').then(value),
    port.list('pods').then(value),
    port.listBudgets(),
    port.readStatus(),
    port.readLease(),
  ]);
  const snapshot: Snapshot = {
    nodes: nodes.items,
    pods: podIndexOf(pods.items),
    ...{ daemonSets, revisions },
    // They only name what blocks an eviction. Users who may not list them get the rest of the output.
    budgets: budgets.kind === 'ok' ? budgets.value : [],
    foreignDaemonSets: new Map(),
    evictions: { byNode: new Map(), shiftMs: 0 },
    ...(writtenMs !== undefined && { policyWrittenMs: writtenMs }),
    listedBefore: new Set(status.kind === 'ok' ? listedDaemonSets(status.value.data) : []),
    paused: status.kind === 'ok' && (status.value.annotations[PAUSED_ANNOTATION] ?? 'false') !== 'false',
  };
  const nowMs = Date.now();
  const decision = await decideWithAnswers(port, snapshot, policy, nowMs);
  const companion = companionStatus(status, hash);
  return {
    ...{ companion, waiting: knownWaits(decision.waiting, companion, nodes.items) },
    ...{ policy, policyHash: hash, snapshot, decision, nowMs },
    ...(lease.kind === 'ok' && { lease: lease.value.record }),
  };
}

/** Looks up the DaemonSets of the pods that the drains have to move. */
async function decideWithAnswers(
  port: KubePort,
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

function value<Value>(answer: Answer<Value>): Value {
  if (answer.kind === 'ok') return answer.value;
  throw new Unanswered({ kind: 'no-answer', message: answer.message });
}
