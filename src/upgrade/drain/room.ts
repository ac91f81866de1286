import { fromStructured, matchesSelector, selectorOf } from '../../kubernetes/selection/label-selector.js';
import { once } from '../../lib/memo.js';
import { IN_PROGRESS } from '../model/node-states.js';
import { nodeKey, type Snapshot } from '../model/snapshot.js';
import type { SnapshotPod } from '../model/types.js';
import type { DriverView, NodeView } from '../view/driver-view.js';
import { isFinished } from './filters.js';
import { nodeHasPodsToMove } from './pods-to-move.js';

/**
 * When nodes may start to drain. A node that cannot go on takes no part: one that waits for jobs, whose policy is off, that another
 * program upgrades, whose patch is refused, or that failed.
 */
export interface Room {
  /** Why the node must wait; undefined if it may start. The node itself never counts. */
  readonly wait: (view: NodeView) => RoomWait | undefined;
  /** This decision starts the node. */
  readonly take: (view: NodeView) => void;
}

interface RoomWait {
  readonly message: string;
  /** When the answer may differ although no object changed. */
  readonly wakeMs?: number;
}

/** The time from the start of a drain until the snapshot has the pods that replace the first evicted ones. */
const START_MS = 5_000;
/** A pod without a node counts for this time. By then its old node has been drained and its driver has been restarted. */
const LONGEST_MS = 3_600_000;
/** A pod may seem this much older than the eviction that it follows: clocks differ, and creation times are whole seconds. */
const CLOCK_SKEW_MS = 5_000;

/** A node in progress. */
interface Started {
  readonly view: NodeView;
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
  const withoutNode = once(() => podsWithoutNode(drivers, snapshot, nowMs));
  const budgets = once(() => budgetsOf(snapshot));
  const driverOf = (view: NodeView) => drivers.find(({ nodes }) => nodes.includes(view));
  return {
    wait(view) {
      const others = started().filter((one) => one.view !== view);
      return startWait(others, nowMs) ?? podWait(view, withoutNode()) ?? budgetWait(view, others, budgets());
    },
    take(view) {
      const driver = driverOf(view);
      if (driver === undefined || started().some((one) => one.view === view && one.startMs === nowMs)) return;
      started().push({ view, startMs: nowMs, pods: once(() => podsToEvict(view, driver, snapshot)) });
    },
  };
}

/** As many nodes start at the same time as have started before and are in progress, and at least one. */
function startWait(others: readonly Started[], nowMs: number): RoomWait | undefined {
  const young = others.filter(({ startMs }) => nowMs < startMs + START_MS);
  const evicting = others.filter(({ view }) => view.state !== 'wait-for-jobs-required');
  const before = evicting.filter(({ startMs }) => nowMs >= startMs + START_MS).length;
  if (young.length < Math.max(1, before)) return undefined;
  const message = `${young.length} nodes have just started; more follow when their evicted pods have nodes`;
  return { message, wakeMs: Math.min(...young.map(({ startMs }) => startMs)) + START_MS };
}

function podWait(view: NodeView, withoutNode: readonly PodWithoutNode[]): RoomWait | undefined {
  const first = withoutNode.find(({ from }) => from !== view);
  if (first === undefined) return undefined;
  const { pod, from, untilMs } = first;
  const message = `pod ${pod.namespace}/${pod.name} has no node; it replaces one that was evicted from ${from.node.name}`;
  return { message, wakeMs: untilMs };
}

/** One node at a time evicts the pods of a PodDisruptionBudget. Several would each evict some and wait for each other. */
function budgetWait(view: NodeView, others: readonly Started[], budgets: readonly Budget[]): RoomWait | undefined {
  for (const { name, covers } of budgets) {
    if (!view.pods.all.some(covers)) continue;
    const first = others.find(({ pods }) => pods().some(covers));
    if (first !== undefined)
      return { message: `PodDisruptionBudget ${name} is needed for ${first.view.node.name} first` };
  }
  return undefined;
}

interface Budget {
  readonly name: string;
  readonly covers: (pod: SnapshotPod) => boolean;
}

function budgetsOf({ budgets }: Snapshot): readonly Budget[] {
  return budgets.flatMap(({ namespace, name, selector }) => {
    if (selector === undefined) return [];
    const parsed = fromStructured(selector);
    const covers = (pod: SnapshotPod) => pod.namespace === namespace && matchesSelector(parsed, pod.labels);
    return [{ name: `${namespace}/${name}`, covers }];
  });
}

function startedNodes(drivers: readonly DriverView[], snapshot: Snapshot, nowMs: number): Started[] {
  const started: Started[] = [];
  for (const driver of drivers) {
    for (const view of driver.nodes) {
      if (view.isFrozen || view.refusal !== undefined || !IN_PROGRESS.has(view.state)) continue;
      const startMs = latestStartMs(view, driver, nowMs);
      if (startMs === undefined) continue;
      const pods = once(() => (EVICTING.has(view.state) ? podsToEvict(view, driver, snapshot) : []));
      started.push({ view, startMs, pods });
    }
  }
  return started;
}

/** A node whose first patch has no answer yet counts as one in `cordon-required`. */
const EVICTING: ReadonlySet<string> = new Set(['cordon-required', 'pod-deletion-required', 'drain-required']);

function latestStartMs({ node }: NodeView, { keys }: DriverView, nowMs: number): number | undefined {
  const starts = [keys.waitStart, keys.podDeletionStart, keys.drainStart]
    .map((key) => Number(node.annotations[key] ?? Number.NaN) * 1000)
    .filter((ms) => ms <= nowMs);
  return starts.length === 0 ? undefined : Math.max(...starts);
}

/** The pods that the node still has to evict; without those whose eviction fails for another reason than a PodDisruptionBudget. */
function podsToEvict(view: NodeView, driver: DriverView, { evictions }: Snapshot): readonly SnapshotPod[] {
  if (!nodeHasPodsToMove(view, driver)) return [];
  const selector = selectorOf(view.policy?.drain.podSelector ?? '');
  const records = evictions.byNode.get(view.node.name);
  return view.pods.all.filter(
    (pod) =>
      pod.deletionMs === undefined &&
      pod.phase === 'Running' &&
      pod.controller?.kind !== 'DaemonSet' &&
      pod.labels[driver.keys.skipDrain] !== 'true' &&
      (records?.get(pod.uid)?.outcome ?? 'refused') === 'refused' &&
      matchesSelector(selector, pod.labels),
  );
}

/** The pods that replace evicted ones and have no node. */
function podsWithoutNode(
  drivers: readonly DriverView[],
  { evicted, pods }: Snapshot,
  nowMs: number,
): readonly PodWithoutNode[] {
  const unbound = evicted === undefined || evicted.size === 0 ? [] : pods.onNode('').all;
  const candidates = unbound.filter((pod) => pod.deletionMs === undefined && !isFinished(pod));
  if (candidates.length === 0) return [];
  return drivers.flatMap(({ policy, nodes }) =>
    nodes.flatMap((view) => {
      const since = evicted?.get(nodeKey(policy.labelPrefix, view.node.name));
      const isAble = !view.isFrozen && view.refusal === undefined && view.state !== 'upgrade-failed';
      if (since === undefined || !isAble) return [];
      return candidates.flatMap((pod): readonly PodWithoutNode[] => {
        const sinceMs = since.get(pod.controller?.uid ?? '') ?? Infinity;
        const untilMs = pod.createdMs + LONGEST_MS;
        const replacesEvicted = pod.createdMs >= sinceMs - CLOCK_SKEW_MS && nowMs < untilMs;
        return replacesEvicted ? [{ pod, from: view, untilMs }] : [];
      });
    }),
  );
}
