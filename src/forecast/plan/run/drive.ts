import { isRestartedByOperator, nodeUpgradePolicies } from '../../../shared/contract/upgrade-policy.js';
import { durationMs } from '../../../shared/contract/duration.js';
import { windowState } from '../../../shared/contract/maintenance-window.js';
import { followSnapshot } from '../../simulation/cache.js';
import { makeRequests } from '../../simulation/requests.js';
import type { SimulatedCluster } from '../../simulation/simulated-cluster.js';
import type { Actor, Store, StoredNode, StoredPod } from '../../simulation/store.js';
import type { Action, Decision } from '../../../companion/model/types.js';
import { decisionLoop, type LoopPort } from '../../../companion/runtime/loop/decision-loop.js';
import { isComplete } from '../../../companion/runtime/run-outcome.js';

/** What watches a run. */
interface Observer {
  readonly decided: (decision: Decision, nowMs: number) => void;
  readonly acted: (action: Action, isAccepted: boolean, nowMs: number) => void;
  /** When the state of a node last changed. */
  readonly lastStepMs: () => number;
}

/** From a change until the decision on it, with the time that requests and watches take. What happens meanwhile is decided once. */
const TICK_MS = 300;
/**
 * The shortest time between two decisions, for each node: a decision looks at all nodes, and in a large fleet some node changes in every
 * second. With this the number of decisions does not grow with the fleet.
 */
const PAUSE_PER_NODE_MS = 5;
/** How long a change that no decision acts on can wait for one. It may set a deadline, and those are minutes away. */
const LATER_MS = 30_000;
/** Without a change of a node's state for this long, and longer than all of its deadlines, nodes wait for somebody. */
const QUIET_MS = 2 * 3_600_000;
/** No plan looks further ahead than so many days. */
export const HORIZON_DAYS = 92;

/**
 * Runs the companion's loop on the simulated cluster until nothing is left that it can do or wait for: time passes until something changes or
 * is due. When it only waits for a time, the CronJob runs it again. It yields after each decision.
 *
 * @param schedule of the CronJob; undefined: nobody runs it again
 * @returns whether it came to its end before the plan's horizon
 */
export function drive(
  cluster: SimulatedCluster,
  schedule: string | undefined,
  observer: Observer,
): Generator<undefined, boolean> {
  return decisionLoop(plannedPort(cluster, schedule, observer), {});
}

/** Requests take no time, and caches have no delay. */
function plannedPort(
  cluster: SimulatedCluster,
  schedule: string | undefined,
  observer: Observer,
): LoopPort<undefined, boolean> {
  const { events, store, policy, policyWrittenMs } = cluster;
  const follow = followSnapshot(cluster);
  const requests = makeRequests(cluster, { random: () => 0.5 });
  const quietMs = QUIET_MS + longestDeadlineMs(cluster);
  const endMs = events.now() + HORIZON_DAYS * 86_400_000;
  const listedBefore = new Set([...store.daemonSets.values()].map(({ uid }) => uid));
  const changes = countChanges(cluster);
  let seen = changes();
  let isOver = false;
  return {
    clock: events,
    *ready() {
      if (isOver) return { end: true };
      return events.now() < endMs ? { policy } : { end: false };
    },
    snapshot: () => requests.withResults({ ...follow(), listedBefore, policyWrittenMs }),
    mostEvictions: () => Infinity,
    timed: (compute) => compute(),
    relist: () => undefined,
    *decided(decision) {
      observer.decided(decision, events.now());
      yield;
      return undefined;
    },
    act: ({ actions }, snapshot) => {
      seen = changes();
      for (const action of actions)
        if (!requests.isBackingOff(action))
          requests.send(action, snapshot, (isAccepted) => observer.acted(action, isAccepted, events.now()));
    },
    *wait(decision) {
      const nowMs = events.now();
      // Operators look at their objects again and again, so that something always happens.
      const latestMs = hasOperator(cluster) ? nowMs + quietMs + 1 : Infinity;
      const isQuiet = nowMs - Math.max(observer.lastStepMs(), policyWrittenMs) > quietMs;
      const when = nextDecision(decision, nowMs, { schedule, isQuiet, latestMs });
      isOver = when === undefined || !passTime(cluster, () => changesSince(changes(), seen), when, endMs);
      const pauseMs = isOver ? 0 : PAUSE_PER_NODE_MS * store.nodes.size;
      while (events.step(Math.min(nowMs + pauseMs, endMs)));
    },
  };
}

interface When {
  /** No change is waited for. */
  readonly isSleeping: boolean;
  readonly atMs: number;
}

interface WaitLimits {
  readonly schedule: string | undefined;
  /** Nothing has happened for a long time. */
  readonly isQuiet: boolean;
  /** When it is decided again at the latest. */
  readonly latestMs: number;
}

const hasOperator = ({ policy: { drivers, nodeMaintenance } }: SimulatedCluster): boolean =>
  nodeMaintenance !== undefined || drivers.some(isRestartedByOperator);

function nextDecision(
  decision: Decision,
  nowMs: number,
  { schedule, isQuiet, latestMs }: WaitLimits,
): When | undefined {
  if (isQuiet && decision.actions.every(({ kind }) => kind === 'evictPod')) {
    const opens = decision.waiting.flatMap(({ kind, untilMs }) =>
      (kind === 'window' || kind === 'soak') && untilMs !== undefined && untilMs > nowMs ? [untilMs] : [],
    );
    return opens.length === 0 ? undefined : { isSleeping: true, atMs: Math.min(...opens) };
  }
  if (!isComplete(decision, 'cronjob'))
    return { isSleeping: false, atMs: Math.min(decision.wakeMs ?? Infinity, latestMs) };
  if (decision.wakeMs === undefined || schedule === undefined) return undefined;
  return { isSleeping: true, atMs: nextRunMs(schedule, decision.wakeMs) };
}

/** When the CronJob runs next. Its time zone is that of the controller manager, which is UTC. */
function nextRunMs(schedule: string, fromMs: number): number {
  const { open, nextChangeMs = Infinity } = windowState({ schedule, duration: '1m', timeZone: 'UTC' }, fromMs);
  return open ? fromMs : nextChangeMs;
}

/** How many changes there were that a decision can depend on. */
interface Changes {
  /** Those that it may act on at once. */
  readonly urgent: number;
  readonly all: number;
}

/**
 * Counts changes. A decision does not depend on how pods of workloads start, and a drain goes on when the last of its pods has ended. An
 * eviction that a budget refused is tried again after a while, whatever changes.
 */
function countChanges({ store }: SimulatedCluster): () => Changes {
  let [urgent, all] = [0, 0];
  const note = (isUrgent: boolean): void => {
    all += 1;
    if (isUrgent) urgent += 1;
  };
  store.nodes.listen((_key, before, after, actor) => note(isUrgentNode(before, after, actor)));
  for (const table of [store.daemonSets, store.sriovNodeStates, store.nodeMaintenances]) table.listen(() => note(true));
  store.budgets.listen((_key, before, after) => {
    const wasSpent = (before?.disruptionsAllowed ?? 0) <= 0;
    if (wasSpent !== (after?.disruptionsAllowed ?? 0) <= 0) note(true);
  });
  store.pods.listen((_key, before, after) => {
    const kind = (after ?? before)?.lifecycle.kind;
    if (kind === 'driver' || kind === 'gated') return note(isUrgentDriverPod(store, before, after));
    const isLast = after === undefined && before !== undefined && !isEnding(store.podsOn(before.nodeName));
    if (isLast || (before?.unschedulable ?? false) !== (after?.unschedulable ?? false)) note(true);
  });
  return () => ({ urgent, all });
}

/** The companion's own records and the time of a cordon only set deadlines. */
function isUrgentNode(before: StoredNode | undefined, after: StoredNode | undefined, actor: Actor): boolean {
  if (before === undefined || after === undefined) return true;
  const labels = Object.keys(after.labels);
  const isSame =
    before.unschedulable === after.unschedulable &&
    before.ready === after.ready &&
    before.allocatable === after.allocatable &&
    labels.length === Object.keys(before.labels).length &&
    labels.every((key) => before.labels[key] === after.labels[key]);
  return !isSame || (actor !== 'ours' && before.annotations !== after.annotations);
}

/**
 * A driver pod that is created, bound, started, deleted or gone is waited for further, until the next one is ready. Without its DaemonSet there
 * is no next one.
 */
function isUrgentDriverPod(
  { daemonSets }: Store,
  before: StoredPod | undefined,
  after: StoredPod | undefined,
): boolean {
  if (before === undefined) return false;
  if (after === undefined) return ![...daemonSets.values()].some(({ uid }) => uid === before.controller?.uid);
  if (before.ready !== after.ready) return after.ready;
  const isWaitedFor =
    before.nodeName !== after.nodeName || before.phase !== after.phase || before.deletionMs !== after.deletionMs;
  return !isWaitedFor;
}

function changesSince(now: Changes, before: Changes): 'urgent' | 'some' | 'none' {
  if (now.urgent > before.urgent) return 'urgent';
  return now.all > before.all ? 'some' : 'none';
}

/** Whether a node has pods that are still to end. */
function isEnding(pods: Iterable<StoredPod>): boolean {
  for (const { deletionMs } of pods) if (deletionMs !== undefined) return true;
  return false;
}

/** Lets time pass until something changes or the time has come. False: nothing will ever happen. */
function passTime(
  { events }: SimulatedCluster,
  changed: () => 'urgent' | 'some' | 'none',
  { isSleeping, atMs }: When,
  endMs: number,
): boolean {
  let untilMs = Math.min(atMs, endMs);
  while (isSleeping || changed() !== 'urgent') {
    if (!isSleeping && changed() === 'some') untilMs = Math.min(untilMs, events.now() + LATER_MS);
    const nextMs = events.nextMs() ?? Infinity;
    if (nextMs > untilMs) {
      if (atMs === Infinity && untilMs === endMs && nextMs > endMs) return false;
      events.step(untilMs);
      return true;
    }
    events.step(nextMs);
  }
  const collectedMs = Math.min(events.now() + TICK_MS, endMs);
  while (events.step(collectedMs));
  return true;
}

/** The longest time-out of the policy. */
function longestDeadlineMs({ policy }: SimulatedCluster): number {
  const { drivers, rollout } = policy;
  const ofPolicies = drivers.flatMap((driver) =>
    nodeUpgradePolicies(driver).flatMap(({ drain, waitForCompletion, startupSeconds }) => [
      drain.timeoutSeconds,
      waitForCompletion.timeoutSeconds,
      startupSeconds,
    ]),
  );
  const ofRollout = [rollout.validation?.timeoutSeconds ?? 0, durationMs(rollout.driverTimeout) / 1000];
  return Math.max(...ofRollout, ...ofPolicies) * 1000;
}
