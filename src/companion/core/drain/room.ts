import { counted } from '../../../shared/lib/listed.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { once } from '../../../shared/lib/memo.js';
import { DRAINING, IN_PROGRESS } from '../../model/node-states.js';
import { isFinished, nameOf } from '../../model/pod.js';
import { nodeKey, type Snapshot } from '../../model/snapshot.js';
import type { SnapshotPod } from '../../model/types.js';
import type { DriverView } from '../view/driver-view.js';
import { isRefused, type NodeView } from '../view/node-view.js';
import { podBudgetsOf, type PodBudget } from './budgets.js';
import { isPodToMove } from './pods-to-move.js';

/**
 * When nodes may start to drain. A node that cannot go on takes no part: one that waits for jobs, whose policy is off, that another
 * program upgrades, whose patches are refused, that gets no driver, or that failed.
 */
export interface Room {
  /** Why the node must wait; undefined if it may start. The node itself never counts. */
  readonly wait: (view: NodeView, driver: DriverView) => RoomWait | undefined;
  /** This decision starts the node. */
  readonly take: (view: NodeView, driver: DriverView) => void;
}

interface RoomWait {
  readonly message: string;
  /** When the answer may differ although no object changed. */
  readonly wakeMs?: number;
}

/** The time from the start of a drain until the snapshot has the pods that replace the first evicted ones. */
const START_MS = 5_000;
/** A node keeps others waiting for its evicted pods at most so long after its drain began. */
const LONGEST_MS = 3_600_000;
/** And so long while its drain lasts: the drain may never end, and then nothing else may wait for it. */
const LONGEST_DRAIN_MS = 600_000;
/** A pod may seem this much older than the eviction that it follows: clocks differ, and creation times are whole seconds. */
const CLOCK_SKEW_MS = 5_000;

/** A node in progress. */
interface Started {
  readonly view: NodeView;
  readonly driver: DriverView;
  /** When it was cordoned, or started to evict pods. */
  readonly startMs: number;
  /** The pods that it has still to evict. */
  readonly pods: () => readonly SnapshotPod[];
}

interface PodWithoutNode {
  readonly pod: SnapshotPod;
  /** Where the pod was evicted that it replaces. */
  readonly from: NodeView;
  readonly untilMs: number;
}

/** The room of all drivers in one decision. */
export function roomOf(drivers: readonly DriverView[], snapshot: Snapshot, nowMs: number): Room {
  const started = once(() => startedNodes(drivers, snapshot, nowMs));
  // Thousands of nodes may ask before one starts.
  let starts = once(() => startsOf(started(), nowMs));
  const withoutNode = once(() => podsWithoutNode(started(), snapshot, nowMs));
  const budgets = once(() => groupBy(podBudgetsOf(snapshot), ({ namespace }) => namespace));
  return {
    wait(view, driver) {
      const pods = () => podsToEvict(view, driver, snapshot);
      return (
        startWait(view, starts()) ?? podWait(view, withoutNode()) ?? budgetWait(view, pods(), started(), budgets())
      );
    },
    take(view, driver) {
      const pods = once(() => podsToEvict(view, driver, snapshot));
      const known = started().findIndex((one) => one.view === view);
      started().splice(known < 0 ? started().length : known, 1, { view, driver, startMs: nowMs, pods });
      starts = once(() => startsOf(started(), nowMs));
    },
  };
}

interface Starts {
  /** Nodes that have just started. */
  readonly young: readonly Started[];
  /** Nodes that have started before. */
  readonly before: ReadonlySet<NodeView>;
}

function startsOf(started: readonly Started[], nowMs: number): Starts {
  const isYoung = ({ startMs }: Started) => nowMs < startMs + START_MS;
  const before = started.filter((one) => !isYoung(one) && !waitsForJobs(one.view));
  return { young: started.filter(isYoung), before: new Set(before.map(({ view }) => view)) };
}

/** As many nodes start at the same time as have started before and are in progress, and at least one. */
function startWait(view: NodeView, { young, before }: Starts): RoomWait | undefined {
  const others = young.filter((one) => one.view !== view);
  if (others.length < Math.max(1, before.has(view) ? before.size - 1 : before.size)) return undefined;
  const message = `${counted(others.length, 'node')} just started; more follow when their evicted pods have nodes`;
  return { message, wakeMs: Math.min(...others.map(({ startMs }) => startMs)) + START_MS };
}

function podWait(view: NodeView, withoutNode: readonly PodWithoutNode[]): RoomWait | undefined {
  const first = withoutNode.find(({ from }) => from !== view);
  if (first === undefined) return undefined;
  const { pod, from, untilMs } = first;
  const message = `pod ${nameOf(pod)} has no node; it replaces one that was evicted from ${from.node.name}`;
  return { message, wakeMs: untilMs };
}

/** One node at a time evicts the pods of a PodDisruptionBudget. Several would each evict some and wait for each other. */
function budgetWait(
  view: NodeView,
  own: readonly SnapshotPod[],
  started: readonly Started[],
  budgets: ReadonlyMap<string, readonly PodBudget[]>,
): RoomWait | undefined {
  const ownIn = groupBy(own, ({ namespace }) => namespace);
  const needed = [...budgets].flatMap(([namespace, all]) => (ownIn.has(namespace) ? all : []));
  for (const { namespace, name, covers } of needed) {
    if (ownIn.get(namespace)?.some(covers) !== true) continue;
    const first = started.find((one) => one.view !== view && one.pods().some(covers));
    if (first !== undefined)
      return { message: `PodDisruptionBudget ${namespace}/${name} is needed for ${first.view.node.name} first` };
  }
  return undefined;
}

function waitsForJobs({ state }: NodeView): boolean {
  return state === 'wait-for-jobs-required';
}

/**
 * Evictions of the Maintenance Operator are not counted: it may be waiting for a place that the node has which would wait here. A node that no DaemonSet
 * would put a driver on keeps its pods.
 */
function isEvicting(view: NodeView): boolean {
  const isOurs = DRAINING.has(view.state) && view.state !== 'node-maintenance-required';
  return isOurs && view.node.unschedulable && !waitsForJobs(view) && view.noDriver === undefined;
}

function startedNodes(drivers: readonly DriverView[], snapshot: Snapshot, nowMs: number): Started[] {
  const started: Started[] = [];
  for (const driver of drivers) {
    for (const view of driver.nodes) {
      if (view.isFrozen || isRefused(view) || !IN_PROGRESS.has(view.state)) continue;
      const startMs = latestStartMs(view, driver, nowMs);
      if (startMs === undefined) continue;
      const pods = once(() => (isEvicting(view) ? podsToEvict(view, driver, snapshot) : []));
      started.push({ view, driver, startMs, pods });
    }
  }
  return started;
}

function latestStartMs({ node }: NodeView, { keys }: DriverView, nowMs: number): number | undefined {
  const starts = [keys.waitStart, keys.podDeletionStart, keys.drainStart, keys.maintenanceStart]
    .map((key) => Number(node.annotations[key] ?? Number.NaN) * 1000)
    .filter((ms) => ms <= nowMs);
  return starts.length === 0 ? undefined : Math.max(...starts);
}

/** The pods that the node still has to evict; without those whose eviction fails for another reason than a PodDisruptionBudget. */
function podsToEvict(view: NodeView, driver: DriverView, { evictions }: Snapshot): readonly SnapshotPod[] {
  const records = evictions.byNode.get(view.node.name);
  const isToMove = isPodToMove(view, driver);
  return view.pods.filter(
    (pod) =>
      pod.deletionMs === undefined &&
      pod.phase === 'Running' &&
      isToMove(pod) &&
      (records?.get(pod.uid)?.outcome ?? 'refused') === 'refused',
  );
}

/** The pods that replace evicted ones and have no node. Those of a node that is done fit there again. */
function podsWithoutNode(
  started: readonly Started[],
  { evicted, pods }: Snapshot,
  nowMs: number,
): readonly PodWithoutNode[] {
  const unbound = evicted === undefined || evicted.size === 0 ? [] : pods.onNode('');
  const candidates = unbound.filter((pod) => pod.deletionMs === undefined && !isFinished(pod));
  if (candidates.length === 0) return [];
  return started.flatMap(({ view, driver, startMs }) => {
    const since = evicted?.get(nodeKey(driver.policy.labelPrefix, view.node.name));
    const untilMs = startMs + (DRAINING.has(view.state) ? LONGEST_DRAIN_MS : LONGEST_MS);
    if (since === undefined || nowMs >= untilMs) return [];
    const replaced = ({ controller, createdMs }: SnapshotPod) =>
      createdMs >= (since.get(controller?.uid ?? '') ?? Infinity) - CLOCK_SKEW_MS;
    return candidates.filter(replaced).map((pod) => ({ pod, from: view, untilMs }));
  });
}
