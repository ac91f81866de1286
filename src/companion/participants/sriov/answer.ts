import { SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import type { MaintenancePhase } from '../../../shared/contract/node-states.js';
import { evictingState, memberDrain } from '../../core/maintenance/node-drain.js';
import { isInMaintenance } from '../../core/maintenance/node-facts.js';
import type { NodePlan, PlannedPart } from '../../core/maintenance/plan.js';
import { goingOn } from '../../core/maintenance/turns.js';
import { asksForDrain, type SriovAnswer, type SriovNodeState } from '../../model/sriov.js';
import type { PatchSriovNodeState } from '../../model/types.js';

/**
 * The answer of the drainer to the config daemon of a node, from the phase that the snapshot has: a companion that was killed gives it again. An
 * answer that the daemon works with is not taken back.
 */
export function sriovAnswer(sriov: SriovNodeState, plan: NodePlan, part: PlannedPart): PatchSriovNodeState | undefined {
  const annotations = answerTo(sriov, plan, part);
  if (Object.keys(annotations).length === 0) return undefined;
  const { namespace, name, uid, resourceVersion } = sriov;
  return {
    kind: 'patchSriovNodeState',
    driver: part.name,
    node: plan.node.name,
    namespace,
    name,
    uid,
    resourceVersion,
    annotations,
  };
}

function answerTo(sriov: SriovNodeState, plan: NodePlan, part: PlannedPart): SriovAnswer {
  const { desired, current } = sriov;
  if (desired === undefined || current === undefined) {
    return {
      ...(desired === undefined && { [SRIOV_DRAIN_KEYS.desired]: 'Idle' as const }),
      ...(current === undefined && { [SRIOV_DRAIN_KEYS.current]: 'Idle' as const }),
    };
  }
  const answer = (text: 'Idle' | 'Draining' | 'DrainComplete'): SriovAnswer =>
    current === text ? {} : { [SRIOV_DRAIN_KEYS.current]: text };
  // It was a member already when the snapshot was taken.
  const isOut = part.isMember && isInMaintenance(plan.seen) && part.part.state !== 'upgrade-required';
  if (!asksForDrain(sriov)) return isReturned(sriov, plan, part.part.state, isOut) ? answer('Idle') : {};
  if (current === 'DrainComplete') return {};
  if (!isOut) return plan.seen === 'failed' || isInMaintenance(plan.seen) ? {} : answer('Idle');
  if (plan.seen !== 'restart')
    return plan.phase === 'failed' || plan.seen === 'validate' || plan.seen === 'uncordon' ? {} : answer('Draining');
  const isTurn = goingOn(plan).includes(part);
  return isTurn && plan.phase === 'restart' && plan.node.unschedulable && isDrained(plan, part)
    ? answer('DrainComplete')
    : {};
}

const BEFORE_RESTART: ReadonlySet<MaintenancePhase> = new Set(['cordon', 'jobs', 'drain']);

/**
 * A config daemon that does not ask is answered by `Idle` before its node is uncordoned: with `DrainComplete` it would go on with the next change
 * of policies. One that failed, and tries again, keeps its drained node. Where the node is tried again for another participant, it may have begun to.
 */
function isReturned(
  { current, syncStatus }: SriovNodeState,
  { seen, node }: NodePlan,
  state: string,
  isOut: boolean,
): boolean {
  // It was never told that the node is drained. Before the restart it may still ask for more.
  if (current === 'Draining') return !isOut || !BEFORE_RESTART.has(seen);
  if (seen === 'failed') return syncStatus === 'Succeeded' || !node.unschedulable;
  if (state === 'upgrade-required') return syncStatus === 'Succeeded' || syncStatus === 'Failed' || !node.unschedulable;
  return !isOut || seen === 'uncordon' || (current === 'DrainComplete' && syncStatus !== 'Failed');
}

/** No pod is on the node that has to leave it for what the daemon asks now, which may be more than it was drained for. */
function isDrained(plan: NodePlan, part: PlannedPart): boolean {
  const state = evictingState({ ...part, state: 'pod-restart-required' });
  if (state === undefined) return true;
  const { leaving, refusals, daemonSetLookups } = memberDrain(plan, part, state);
  return leaving.length + refusals.length + daemonSetLookups.length === 0;
}
