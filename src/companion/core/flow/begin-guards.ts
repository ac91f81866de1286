import type { SnapshotPod, WaitReason } from '../../model/types.js';
import { counted } from '../../../shared/lib/listed.js';
import { otherDriverHere, waitForDriver } from './other-driver.js';
import { isRetriedInMaintenance } from './node-maintenance.js';
import { cordonOwner } from './cordon.js';
import { durationMs } from '../../../shared/contract/duration.js';
import { PRE_PULL_DIGEST_LABEL, PRE_PULL_LABEL } from '../../../shared/contract/labels.js';
import { cannotBegin } from '../view/node-view.js';
import { timeOf } from './clock.js';
import {
  annotation,
  domainOf,
  hasPodsToMove,
  isPrePulled,
  isSkipped,
  isUnavailable,
  joins,
  type Budget,
  type Canaries,
  type Guard,
  type NodePlan,
} from './node-plan.js';

/** Conditions for starting the upgrade of a node. Without a fleet no upgrade begins. */
export const BEGIN_GUARDS = {
  nodeIncluded: (plan) => !isSkipped(plan) || { kind: 'skip', message: `label ${plan.context.driver.keys.skip}` },
  companionActive: (plan) =>
    plan.context.fleet?.paused !== true || { kind: 'pause', message: 'the companion is paused' },
  /** The SR-IOV operator drains no node of two pools either. */
  poolKnown: ({ view: { poolConflict } }) =>
    poolConflict === undefined || {
      kind: 'pools',
      message: `it is in the SR-IOV pools ${poolConflict}, and may be in one`,
    },
  reachable: ({ view }) =>
    view.node.ready !== 'Unknown' || {
      kind: 'unreachable',
      message: 'its kubelet does not report, so its pods could not terminate',
    },
  /** No other driver is upgraded on the node, or this one joins. */
  nodeFree: (plan) => (joins(plan) && !plan.context.begun.has(plan.view.node.name)) || otherDriverWait(plan),
  otherDriversIdle: otherDriverWait,
  failureBudgetLeft: (plan) => {
    const { fleet } = plan.context;
    return fleet !== undefined && (canLoadWithoutDrain(plan) || bringsFunctions(plan) || fleet.failures);
  },
  windowOpen: (plan) => {
    const { fleet } = plan.context;
    return fleet !== undefined && (canLoadWithoutDrain(plan) || joins(plan) || fleet.window);
  },
  canariesSoaked: (plan) => {
    const { fleet } = plan.context;
    if (fleet === undefined) return false;
    if (cordonOwner(plan) === 'companion' || isRetriedInMaintenance(plan)) return true;
    for (const canaries of fleet.canariesFor(plan)) {
      const wait = canaryWait(plan, canaries);
      if (wait !== undefined) return wait;
    }
    return true;
  },
  topologyFree: (plan) => {
    const { context, view } = plan;
    const { fleet } = context;
    if (fleet === undefined) return false;
    if (joins(plan) || isRetriedInMaintenance(plan)) return true;
    const own = domainOf(fleet.rollout, view.node);
    const others = [...fleet.domains].filter((domain) => domain !== own);
    const message = `${fleet.rollout.topologyKey ?? ''}=${others.join(', ')} comes first`;
    return others.length === 0 || { kind: 'topology', message };
  },
  slotFree: (plan) => {
    if (plan.context.fleet === undefined) return false;
    // An administrator cordoned the node, or it is out for another driver, so its upgrade makes no other node unavailable.
    if (cordonOwner(plan) === 'other' || joins(plan) || isRetriedInMaintenance(plan)) return true;
    for (const budget of plan.context.fleet.budgetsOf(plan)) {
      const wait = budgetWait(plan, budget);
      if (wait !== undefined) return wait;
    }
    return true;
  },
  /** Other nodes have room for the pods that its drain evicts. */
  roomLeft: (plan) => {
    const { room, driver, withoutRoom } = plan.context;
    const wait = hasPodsToMove(plan) ? room.wait(plan.view, driver) : undefined;
    if (wait !== undefined) return { kind: 'room', ...wait };
    return (plan.state === 'upgrade-required' && withoutRoom.get(plan.view.node.name)) || true;
  },
  /** The node has the new image, or the time-out of the pull is over. */
  imagePulled: (plan) => {
    const { rollout } = plan.context;
    const { covering } = plan.view;
    if (!isPrePulled(plan) || covering === undefined) return true;
    const pod = prePullPod(plan, covering.digest);
    const { nowMs } = plan.context;
    const start = annotation(plan, plan.context.driver.keys.prePullStart) ?? '';
    const sinceMs = timeOf(start, nowMs) ?? pod?.createdMs;
    // No pod pulls the image for a node that the operator or a request put into this state, so the wait would never end.
    if (sinceMs === undefined || pod?.ready === true) return true;
    const untilMs = sinceMs + durationMs(rollout.prePullTimeout) + 1;
    return nowMs >= untilMs || { kind: 'image', message: 'the new image is being pulled', sinceMs, untilMs };
  },
} satisfies Record<string, Guard>;

function otherDriverWait(plan: NodePlan): true | WaitReason {
  const other = otherDriverHere(plan) ?? plan.context.begun.get(plan.view.node.name);
  return other === undefined || waitForDriver(plan, other, `the ${other} driver is being upgraded there`);
}

function canaryWait(
  plan: NodePlan,
  { isCanary, finished, begun, wanted, waitReason }: Canaries,
): WaitReason | undefined {
  if (waitReason === undefined) return undefined;
  // A node that joins is one of those that have begun, unless another one took its place.
  const isOneOfThem = joins(plan) && !cannotBegin(plan.view);
  if (isCanary(plan.view.node) && begun < wanted + (isOneOfThem ? 1 : 0)) return undefined;
  // No canary is in progress, so a user has to act.
  return waitReason.kind === 'canary' && begun === finished ? { ...waitReason, kind: 'canary-missing' } : waitReason;
}

/** The pod on the node that pulls the image of a DaemonSet. It is Ready as soon as the node has the image. */
function prePullPod({ view, context: { driver } }: NodePlan, digest: string): SnapshotPod | undefined {
  const { namespace, labelPrefix } = driver.policy;
  return view.pods.find(
    (pod) =>
      pod.namespace === namespace &&
      pod.labels[PRE_PULL_LABEL] === labelPrefix &&
      pod.labels[PRE_PULL_DIGEST_LABEL] === digest,
  );
}

/** Its driver waits for a safe load, and no pod must be evicted for it: a new node, or a drained one. */
function canLoadWithoutDrain(plan: NodePlan): boolean {
  const isWaiting = (annotation(plan, plan.context.driver.keys.safeLoad) ?? '') !== '';
  return isWaiting && !hasPodsToMove(plan) && !plan.view.driverPods.some(({ pod }) => pod.ready);
}

/** The node is out for another driver, which fails without the virtual functions that it waits for. No driver is restarted for them. */
function bringsFunctions(plan: NodePlan): boolean {
  return plan.view.sriov !== undefined && joins(plan);
}

/**
 * The node has a cordon of the flow before its upgrade begins, because a user reset its state label. It is already unavailable, so
 * limits on unavailable nodes do not apply to it. Otherwise nodes could wait for each other for ever: canaries for this node's place
 * in `maxUnavailable`, and this node for the canaries; or two such nodes for each other.
 */
function isAlreadyUnavailable(plan: NodePlan): boolean {
  const owner = cordonOwner(plan);
  return owner === 'companion' || owner === 'operator' || owner === 'maintenance';
}

function budgetWait(plan: NodePlan, budget: Budget): WaitReason | undefined {
  const { name, inProgress, parallelLimit, unavailable, unavailableLimit } = budget;
  if (parallelLimit === 0)
    return { kind: 'unavailable', message: `${name} lets no node out: at most 0 may be in progress` };
  if (inProgress >= parallelLimit) {
    return { kind: 'slot', message: `${nodesAre(inProgress, name)} in progress, at most ${parallelLimit} may be` };
  }
  if (isAlreadyUnavailable(plan) || unavailable + (isUnavailable(plan) ? 0 : 1) <= unavailableLimit) return undefined;
  const message = `${nodesAre(unavailable, name)} cordoned or not ready, at most ${unavailableLimit} may be`;
  return { kind: inProgress > 0 ? 'slot' : 'unavailable', message };
}

function nodesAre(count: number, name: string): string {
  return `${counted(count, 'node')} of ${name} ${count === 1 ? 'is' : 'are'}`;
}
