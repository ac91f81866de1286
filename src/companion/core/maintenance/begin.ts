import { runContinues } from '../../model/wait-kinds.js';
import type { WaitReason } from '../../model/types.js';
import type { Budget } from './limits.js';
import { counted } from '../../../shared/lib/listed.js';
import { hasPodsToMove } from './pods-to-move.js';
import { obstacleWait } from './obstacles.js';
import { placementWait } from './conditions.js';
import { cordonOwner } from './cordon.js';
import { isDue, partWait, waitForCanaries } from './take-part.js';
import { failedElsewhere, foreignFlow, isOutAlready, isUnavailable } from './node-facts.js';
import { domainOf, firstReason, membersOf, type NodePlan, type PlannedPart, type Condition } from './plan.js';

/**
 * Whether the maintenance of the node may begin. It begins for all that is due on it, but for what waits for a person or a time; one that waits for
 * anything else keeps the node waiting, so that it is taken out once. The participants that it begins for become its members.
 */
export const mayBegin: Condition = (plan) => {
  const due = plan.parts.filter(isDue);
  const waits = due.map((one) => [one, partWait(plan, one)] as const);
  const going = waits.filter(([, wait]) => wait === undefined || runContinues(wait.kind, 'job'));
  const [firstWait] = waits.flatMap(([, wait]) => wait ?? []);
  if (going.length === 0) return firstWait ?? false;
  const parts = going.map(([one]) => one);
  // One that failed is tried again with the others.
  const failed = plan.parts.filter(({ state }) => state === 'upgrade-failed');
  const wait =
    firstReason(going, ([, reason]) => reason) ??
    firstReason(failed, ({ part }) => part.suspended) ??
    nodeWait(plan, parts);
  if (wait !== undefined) return wait;
  for (const one of plan.parts) one.isMember = parts.includes(one) || failed.includes(one);
  return true;
};

/** Why the node may not be taken out for these participants. */
function nodeWait(plan: NodePlan, parts: readonly PlannedPart[]): WaitReason | undefined {
  const { shared, node } = plan;
  const { fleet, rollout } = shared;
  if (node.ready === 'Unknown')
    return { kind: 'unreachable', message: 'its kubelet does not report, so its pods could not terminate' };
  const isTaken = shared.modeOf(plan).isTaken(plan);
  const isHarmless = parts.every(({ answers }) => answers.isHarmless(plan));
  return (
    foreignFlow(plan) ??
    failedElsewhere(plan) ??
    (isHarmless ? undefined : (fleet.haltOf(node) ?? fleet.windowOf(node))) ??
    (isTaken || cordonOwner(plan) === 'companion' ? undefined : canaryWait(plan, parts)) ??
    (isTaken ? undefined : (topologyWait(plan, domainOf(rollout, node)) ?? slotWait(plan))) ??
    placementWait(plan) ??
    (isTaken || cordonOwner(plan) === 'companion' ? undefined : obstacleWait(plan, parts)) ??
    shared.newMode.beginWait(plan)
  );
}

function topologyWait({ shared: { fleet, rollout } }: NodePlan, own: string): WaitReason | undefined {
  const others = [...fleet.domains].filter((domain) => domain !== own);
  if (others.length === 0) return undefined;
  return { kind: 'topology', message: `${rollout.topologyKey ?? ''}=${others.join(', ')} comes first` };
}

/** A node that an administrator cordoned needs no slot: its maintenance makes no other node unavailable. */
function slotWait(plan: NodePlan): WaitReason | undefined {
  if (cordonOwner(plan) === 'other') return undefined;
  return firstReason(plan.shared.fleet.budgetsOf(plan), (budget) => budgetWait(plan, budget));
}

function budgetWait(plan: NodePlan, budget: Budget): WaitReason | undefined {
  const { name, inProgress, parallelLimit, unavailable, unavailableLimit } = budget;
  if (parallelLimit === 0)
    return { kind: 'unavailable', message: `${name} lets no node out: at most 0 may be in progress` };
  if (inProgress >= parallelLimit)
    return { kind: 'slot', message: `${nodesAre(inProgress, name)} in progress, at most ${parallelLimit} may be` };
  // Otherwise nodes could wait for each other for ever: canaries for this node's place, and this node for the canaries.
  if (isOutAlready(plan) || unavailable + (isUnavailable(plan) ? 0 : 1) <= unavailableLimit) return undefined;
  const message = `${nodesAre(unavailable, name)} cordoned or not ready, at most ${unavailableLimit} may be`;
  return { kind: inProgress > 0 ? 'slot' : 'unavailable', message };
}

function nodesAre(count: number, name: string): string {
  return `${counted(count, 'node')} of ${name} ${count === 1 ? 'is' : 'are'}`;
}

function canaryWait(plan: NodePlan, parts: readonly PlannedPart[]): WaitReason | undefined {
  return firstReason(parts, ({ name }) => waitForCanaries(plan, plan.shared.fleet.canariesOf(name, plan.node)));
}

/** The node begins in this decision: it takes its places in all limits. */
export function takeSlot(plan: NodePlan): void {
  const { fleet, rollout, placement } = plan.shared;
  const isAlready = isUnavailable(plan);
  for (const budget of fleet.budgetsOf(plan)) {
    budget.inProgress += 1;
    if (!isAlready) budget.unavailable += 1;
  }
  for (const { name } of membersOf(plan)) {
    const canaries = fleet.canariesOf(name, plan.node);
    if (canaries?.isCanary(plan.node) === true) canaries.begun += 1;
  }
  if (hasPodsToMove(plan)) placement.take(plan);
  fleet.domains.add(domainOf(rollout, plan.node));
}
