import { counted } from '../../../shared/lib/listed.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { once } from '../../../shared/lib/memo.js';
import { isFinished, isOfJob, nameOf } from '../../model/pod.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { EvictedPods, SnapshotNode, SnapshotPod, WaitReason } from '../../model/types.js';
import type { Taint } from '../../../shared/kubernetes/selection/taints.js';
import { suspendedWait, isRefused } from './node-facts.js';
import { firstReason, type NodePlan, type Placement, type Shared } from './plan.js';
import type { PodBudget } from '../drain/budgets.js';
import { podsToEvict } from './pods-to-move.js';

/** The time from the start of a drain, or its end, until the snapshot has the pods that replace evicted ones. */
const START_MS = 5_000;
/** A node keeps others waiting for its evicted pods at most so long after its drain began. */
const LONGEST_MS = 3_600_000;
/** And so long while its drain lasts: the drain may never end, and then nothing else may wait for it. */
const LONGEST_DRAIN_MS = 600_000;
/** A pod that has not ended so long after its grace period may never end. */
const ENDING_MS = 30_000;
/** A pod may seem this much older than the eviction that it follows: clocks differ, and creation times are whole seconds. */
const CLOCK_SKEW_MS = 5_000;

/** A node in maintenance. */
interface Started {
  readonly plan: NodePlan;
  /** When it was cordoned, or started to evict pods. */
  readonly startMs: number;
  /** The pods that it has still to evict. */
  readonly pods: () => readonly SnapshotPod[];
}

/** @param inMaintenance the plans of the nodes that the snapshot has in maintenance */
export function placementOf(
  inMaintenance: readonly NodePlan[],
  { snapshot, rollout, podBudgets, nowMs }: Pick<Shared, 'snapshot' | 'rollout' | 'podBudgets' | 'nowMs'>,
): Placement {
  const started = once(() => inMaintenance.flatMap((plan) => startedNode(plan, nowMs) ?? []));
  // Thousands of nodes may ask before one starts.
  let starts = once(() => startsOf(started(), nowMs));
  const withoutNode = podsWithoutNode(snapshot, nowMs);
  return {
    wait(plan) {
      const pods = () => podsToEvict(plan);
      const forPods =
        rollout.waitForEvictedPods === false
          ? undefined
          : (startWait(plan, starts()) ?? podWait(plan, started(), withoutNode));
      return forPods ?? budgetWait(plan, pods(), started(), podBudgets());
    },
    take(plan) {
      const pods = once(() => podsToEvict(plan));
      const known = started().findIndex((one) => one.plan === plan);
      started().splice(known < 0 ? started().length : known, 1, { plan, startMs: nowMs, pods });
      starts = once(() => startsOf(started(), nowMs));
    },
  };
}

interface Starts {
  /** Nodes that have just started. */
  readonly young: readonly Started[];
  /** Nodes that have started before. */
  readonly before: ReadonlySet<NodePlan>;
}

function startsOf(started: readonly Started[], nowMs: number): Starts {
  const isYoung = ({ startMs }: Started) => nowMs < startMs + START_MS;
  const before = started.filter((one) => !isYoung(one) && one.plan.seen !== 'jobs');
  return { young: started.filter(isYoung), before: new Set(before.map(({ plan }) => plan)) };
}

/** As many nodes start at the same time as have started before and are in maintenance, and at least one. */
function startWait(plan: NodePlan, { young, before }: Starts): WaitReason | undefined {
  const others = young.filter((one) => one.plan !== plan);
  if (others.length < Math.max(1, before.has(plan) ? before.size - 1 : before.size)) return undefined;
  const message = `${counted(others.length, 'node')} just started; more follow when their evicted pods have nodes`;
  return { kind: 'evicted-pods', message, wakeMs: Math.min(...others.map(({ startMs }) => startMs)) + START_MS };
}

function podWait(
  plan: NodePlan,
  started: readonly Started[],
  withoutNode: (of: Started) => WaitReason | undefined,
): WaitReason | undefined {
  return firstReason(started, (one) => (one.plan === plan ? undefined : withoutNode(one)));
}

/** One node at a time evicts the pods of a PodDisruptionBudget. Several would each evict some and wait for each other. */
function budgetWait(
  plan: NodePlan,
  own: readonly SnapshotPod[],
  started: readonly Started[],
  budgets: ReadonlyMap<string, readonly PodBudget[]>,
): WaitReason | undefined {
  const ownIn = groupBy(own, ({ namespace }) => namespace);
  const needed = [...budgets].flatMap(([namespace, all]) => (ownIn.has(namespace) ? all : []));
  for (const { namespace, name, covers } of needed) {
    if (ownIn.get(namespace)?.some(covers) !== true) continue;
    const first = started.find((one) => one.plan !== plan && one.pods().some(covers));
    if (first !== undefined) {
      const message = `PodDisruptionBudget ${namespace}/${name} is needed for ${first.plan.node.name} first`;
      return { kind: 'evicted-pods', message };
    }
  }
  return undefined;
}

/** Evictions of another program are not counted: it may be waiting for a place that the node has which would wait here. */
function isEvicting(plan: NodePlan): boolean {
  const { node, seen, parts } = plan;
  const isOurs = seen === 'drain' || (seen === 'cordon' && parts.some(({ part }) => part.state === 'cordon-required'));
  return (
    isOurs &&
    node.unschedulable &&
    parts.every(({ isMember, answers }) => !isMember || answers.hold(plan) === undefined)
  );
}

function startedNode(plan: NodePlan, nowMs: number): Started | undefined {
  if (suspendedWait(plan) !== undefined || isRefused(plan)) return undefined;
  const starts = STARTS.map((state) => (plan.record.since?.[state] ?? Number.NaN) * 1000).filter((ms) => ms <= nowMs);
  if (starts.length === 0) return undefined;
  return { plan, startMs: Math.max(...starts), pods: once(() => (isEvicting(plan) ? podsToEvict(plan) : [])) };
}

const STARTS = ['wait-for-jobs-required', 'pod-deletion-required', 'drain-required', 'node-maintenance-required'];

/** An evicted pod of a node that has no node yet. Those of a node that is done fit there again. */
function podsWithoutNode(snapshot: Snapshot, nowMs: number): (of: Started) => WaitReason | undefined {
  const { evicted, pods } = snapshot;
  const unbound = once(() => pods.onNode('').filter((pod) => pod.deletionMs === undefined && !isFinished(pod)));
  const isWaitedFor = hasPlaceElsewhere(snapshot);
  const find = (one: Started): WaitReason | undefined => {
    const { node } = one.plan;
    const controllers = evicted?.get(node.name);
    const untilMs = one.startMs + (isDraining(one.plan) ? LONGEST_DRAIN_MS : LONGEST_MS);
    if (controllers === undefined || nowMs >= untilMs) return undefined;
    const replaces = ({ controller, createdMs }: SnapshotPod) =>
      createdMs >= (controllers.get(controller?.uid ?? '')?.firstMs ?? Infinity) - CLOCK_SKEW_MS;
    const placeless = unbound().find(
      (pod) => replaces(pod) && isWaitedFor(pod.controller?.uid ?? '', node, pod.fitsEmptyNodes),
    );
    if (placeless !== undefined) {
      const message = `pod ${nameOf(placeless)} has no node; it replaces one that was evicted from ${node.name}`;
      return { kind: 'evicted-pods', message, wakeMs: untilMs };
    }
    return firstReason([...controllers], ([uid, gone]) => {
      const comesMs = Math.min(untilMs, successorMs(one, gone));
      if (nowMs >= comesMs || successors(pods.ofController(uid), gone) >= gone.uids.size || !isWaitedFor(uid, node))
        return undefined;
      return {
        kind: 'evicted-pods',
        message: `a pod that was evicted from ${node.name} is not replaced yet`,
        wakeMs: comesMs,
      };
    });
  };
  const found = new Map<Started, WaitReason | undefined>();
  return (one) => {
    if (!found.has(one)) found.set(one, find(one));
    return found.get(one);
  };
}

function isDraining({ seen }: NodePlan): boolean {
  return seen === 'cordon' || seen === 'jobs' || seen === 'drain';
}

/** Until when the successor of an evicted pod is waited for: some controllers make it when the old pod is gone. */
function successorMs({ plan, pods }: Started, { uids }: EvictedPods): number {
  if (!isDraining(plan)) return drainEndMs(plan) + START_MS;
  const ending = plan.pods.filter(({ deletionMs }) => deletionMs !== undefined);
  const own = ending.filter(({ uid }) => uids.has(uid)).map(({ deletionMs = 0 }) => deletionMs + ENDING_MS);
  if (own.length > 0) return Math.max(...own);
  // The drain ends in this decision, and the time after it begins.
  return ending.length === 0 && pods().length === 0 ? Infinity : 0;
}

/** When the first restart of the node began, which its pods had to leave for. */
function drainEndMs({ record: { restarts = {} } }: NodePlan): number {
  const times = Object.values(restarts);
  return times.length === 0 ? 0 : Math.min(...times) * 1000;
}

/** How many pods have replaced those of a controller that were evicted from a node. */
function successors(own: readonly SnapshotPod[], { firstMs, uids }: EvictedPods): number {
  return own.filter(({ uid, createdMs }) => createdMs >= firstMs - CLOCK_SKEW_MS && !uids.has(uid)).length;
}

/**
 * Whether another node in service may take a pod of the controller, at most as many as the scheduler says. Those of a Deployment go where room is, also
 * to nodes that are full now. Where each that offers what it asks for has one already (one slurmd for each node), the pod comes back with its node, and
 * waiting for it would take out one node at a time. Whether it tolerates taints that its node does not have is not known; it is taken not to. A pod of a
 * job lost its work when it was evicted, and may stand in a queue for hours: it is not waited for.
 */
function hasPlaceElsewhere({
  nodes,
  pods,
}: Snapshot): (controllerUid: string, from: SnapshotNode, most?: number) => boolean {
  return (uid, from, most = Infinity) => {
    const own = pods.ofController(uid);
    if (most === 0 || own.some(isOfJob)) return false;
    if (own.some(({ controller }) => controller?.kind === 'ReplicaSet')) return true;
    const taken = new Set(own.map(({ nodeName }) => nodeName));
    const asked = own[0]?.resourceNames ?? [];
    const isTolerated = ({ key, effect }: Taint): boolean =>
      effect === 'PreferNoSchedule' || from.taints.some((one) => one.key === key && one.effect === effect);
    const others = nodes.filter(
      ({ name, unschedulable, ready, taints }) =>
        !unschedulable && ready === 'True' && name !== from.name && taints.every(isTolerated),
    );
    const isTaken = ({ name }: SnapshotNode): boolean => taken.has(name);
    if (most <= others.filter(isTaken).length) return false;
    return others.some((one) => !isTaken(one) && asked.every((resource) => resource in one.allocatable));
  };
}
