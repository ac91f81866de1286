import { decide } from '../../decide.js';
import { endOf, isAtEnd, runEnd, type RunEnd } from '../run-outcome.js';
import { namespacesOf, readPolicy, type CurrentPolicy } from './policy.js';
import { failedInRun, readStatus, type Run } from './run.js';
import { listDaemonSets, listForLook } from '../observe/observer.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Answer } from '../ports.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotPod } from '../../model/types.js';

/** What a look at the cluster showed. */
export type LookResult =
  | { readonly kind: 'end'; readonly end: RunEnd }
  | { readonly kind: 'work' }
  | { readonly kind: 'retry'; readonly message: string };

/**
 * Whether there is anything to do, by consistent lists instead of caches: DaemonSets first, then the policy, then nodes and
 * the pods of the drivers' namespaces. Nothing is done with the decision: pods elsewhere are missing in it, so it may say
 * that a node could go on, but never that one is done which is not.
 */
export async function look(run: Run, foreignPods: Iterable<SnapshotPod>): Promise<LookResult> {
  const { ports, options } = run;
  let namespaces: readonly string[] = [options.namespace];
  for (;;) {
    const daemonSets = await listDaemonSets(ports, namespaces);
    if (daemonSets.kind !== 'ok') return unlisted(daemonSets);
    const current = await readPolicy(ports.cluster, options.policyHash);
    if (current.kind !== 'policy') return current;
    const needed = namespacesOf(current.policy, options.namespace);
    if (needed.some((name) => !namespaces.includes(name))) {
      namespaces = needed;
      continue;
    }
    if (!(await readStatus(run))) return { kind: 'retry', message: 'the status cannot be read' };
    const rest = await listForLook(ports, namespaces);
    if (rest.kind !== 'ok') return unlisted(rest);
    const pods = [...rest.value.pods];
    for (const pod of foreignPods) if (!namespaces.includes(pod.namespace)) pods.push(pod);
    return judge(run, current, { ...rest.value, pods: podIndexOf(pods), daemonSets: daemonSets.value });
  }
}

function judge(
  run: Run,
  current: CurrentPolicy,
  seen: Pick<Snapshot, 'nodes' | 'pods' | 'daemonSets' | 'revisions'>,
): LookResult {
  const nothing = { budgets: [], foreignDaemonSets: new Map(), evictions: { byNode: new Map(), shiftMs: 0 } };
  const snapshot: Snapshot = { ...seen, ...nothing, paused: run.paused };
  const failed = failedInRun(run, snapshot, current);
  const decision = decide(snapshot, current.policy, run.ports.clock.now());
  run.decision = decision;
  return isAtEnd(decision, run.options.mode) ? { kind: 'end', end: endOf(decision, failed) } : { kind: 'work' };
}

function unlisted(answer: Exclude<Answer<unknown>, { kind: 'ok' }>): LookResult {
  return answer.kind === 'forbidden'
    ? { kind: 'end', end: runEnd('forbidden', answer.message) }
    : { kind: 'retry', message: answer.message };
}
