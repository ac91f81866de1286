import type { UpgradePolicy } from '../../../src/shared/contract/upgrade-policy.js';
import { decide } from '../../../src/companion/decide.js';
import { checkingKept } from '../rules/kept.js';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import type { Action, Decision } from '../../../src/companion/model/types.js';
import { decisionLoop, type LoopPort } from '../../../src/companion/runtime/loop/decision-loop.js';
import type { ApiResult } from '../../../src/forecast/simulation/api.js';
import { makeCaches, type Caches } from '../../../src/forecast/simulation/cache.js';
import { makeRequests, type Requests } from '../../../src/forecast/simulation/requests.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import type { CompanionSwitch } from '../simulation.js';
import type { Invariants } from '../rules/invariants.js';
import { Violation } from '../rules/rules.js';

const checkedDecide = checkingKept(decide);

/** More decisions than this in one run count as an endless loop. */
const DECISIONS_LIMIT = 60_000;

interface Process {
  readonly policy: UpgradePolicy;
  readonly caches: Caches;
  readonly requests: Requests;
  readonly loop: Generator<undefined, never>;
  alive: boolean;
  /** It waits for its requests, and makes no more decisions. */
  stopping: boolean;
  inFlight: number;
  /** All writes up to this version must have arrived before the next decision. */
  barrier: number;
  scheduled: boolean;
  /** It is killed after this number of further calls. */
  actionsLeft: number;
}

/** Controls of the companion for a test. */
export interface Companion extends CompanionSwitch {
  readonly decisions: number;
  readonly latest: Decision | undefined;
}

/** Makes decisions wrong. The rules must detect it. */
export type DecisionChange = (decision: Decision, snapshot: Snapshot, policy: UpgradePolicy, nowMs: number) => Decision;
const unchanged: DecisionChange = (decision) => decision;

/**
 * The companion's loop, without a Lease: only one process runs at a time. It waits until its own writes have arrived, and until caches change
 * or a time is due. The faults are those of its port: requests that fail, or arrive after the process was killed, and late caches.
 */
export function startCompanion(
  cluster: SimulatedCluster,
  invariants: Invariants,
  change: DecisionChange = unchanged,
): Companion {
  let process: Process | undefined;
  let decisions = 0;
  let latest: Decision | undefined;
  let skewMs = 0;
  let starts = 0;

  const wake = (one: Process, delayMs: number): void => {
    if (one.scheduled || !canDecide(one)) return;
    one.scheduled = true;
    cluster.events.after(delayMs, () => {
      one.scheduled = false;
      if (!canDecide(one) || !one.caches.caughtUp(one.barrier)) return;
      decisions += 1;
      if (decisions > DECISIONS_LIMIT) throw new Violation('it ends', `${DECISIONS_LIMIT} decisions`);
      one.loop.next();
    });
  };
  const start = (): void => {
    starts += 1;
    const caches = makeCaches(cluster, () => wake(one, 20));
    const isAlive = (): boolean => one.alive;
    const requests = makeRequests(cluster, {
      random: () => cluster.chance.companion.next(),
      skewMs: () => skewMs,
      isAlive,
      carriedOut: (action, now) => carriedOut(cluster, one, action, now),
    });
    const one: Process = {
      ...{ policy: cluster.policy, caches, requests, alive: true, stopping: false },
      ...{ inFlight: 0, barrier: 0, scheduled: false, actionsLeft: Infinity },
      loop: decisionLoop(
        {
          ...portOf(cluster, {
            process: () => one,
            wake: (delayMs) => wake(one, delayMs),
            skewMs: () => skewMs,
          }),
          clock: { now: () => cluster.events.now() + skewMs },
          decide: (snapshot, policy, nowMs, ...rest) =>
            change(checkedDecide(snapshot, policy, nowMs, ...rest), snapshot, policy, nowMs),
          *decided(decision, snapshot) {
            latest = decision;
            invariants.onDecision(snapshot, one.policy, decision, cluster.events.now() + skewMs);
            return undefined;
          },
        },
        {},
      ),
    };
    process = one;
    cluster.note(`companion ${starts} starts`);
    invariants.setPolicy(one.policy);
    wake(one, 10);
  };
  const stopThen = (one: Process, next: () => void): void => {
    one.stopping = true;
    if (one.inFlight > 0) return cluster.events.after(100, () => stopThen(one, next));
    one.alive = false;
    one.caches.close();
    next();
  };
  start();
  return {
    get decisions() {
      return decisions;
    },
    get latest() {
      return latest;
    },
    supersede: () => {
      const one = process;
      if (one === undefined || one.stopping || !one.alive) return;
      cluster.events.after(cluster.chance.companion.int(0, 5000), () => {
        if (one.alive && !one.stopping) stopThen(one, () => cluster.events.after(1000, start));
      });
    },
    crash: (afterActions, backAfterMs) => {
      const one = process;
      if (one === undefined || one.stopping || !one.alive) return;
      const die = (): void => {
        if (!one.alive || one.stopping) return;
        cluster.note('companion dies');
        one.alive = false;
        one.caches.close();
        cluster.events.after(backAfterMs, start);
      };
      one.actionsLeft = afterActions;
      dies.set(one, die);
      if (afterActions === 0) die();
    },
    terminate: (backAfterMs) => {
      const one = process;
      if (one === undefined || one.stopping || !one.alive) return;
      stopThen(one, () => cluster.events.after(backAfterMs, start));
    },
    stall: (untilMs, compacted) => process?.caches.stall(untilMs, compacted),
    jumpClock: (byMs) => {
      skewMs += byMs;
      if (process !== undefined) wake(process, 10);
    },
  };
}

const canDecide = ({ alive, stopping, inFlight }: Process): boolean => alive && !stopping && inFlight === 0;

const dies = new WeakMap<Process, () => void>();

/** What the port of a process needs of it. */
interface PortContext {
  readonly process: () => Process;
  /** Lets its loop go on after so long. */
  readonly wake: (delayMs: number) => void;
  readonly skewMs: () => number;
}

/** What the loop of a process observes and does. */
function portOf(
  cluster: SimulatedCluster,
  { process, wake, skewMs }: PortContext,
): Omit<LoopPort<undefined, never>, 'clock' | 'decide' | 'decided'> {
  const { events, store, chance, seed, policyWrittenMs } = cluster;
  return {
    *ready() {
      const { policy, caches, barrier } = process();
      while (!caches.caughtUp(barrier)) yield;
      return { policy };
    },
    snapshot: () => {
      const { requests, caches } = process();
      return requests.withResults({ ...caches.snapshot(), policyWrittenMs });
    },
    mostEvictions: () => [1, 3, Infinity][seed % 3] ?? Infinity,
    timed: (compute) => compute(),
    relist: () => {
      process().barrier = store.version();
      wake(10);
    },
    act: ({ actions }, snapshot) => {
      const one = process();
      const sent = chance.companion.shuffle(actions.filter((action) => !one.requests.isBackingOff(action)));
      one.inFlight = sent.length;
      for (const action of sent)
        one.requests.send(action, snapshot, () => {
          one.inFlight -= 1;
          if (one.inFlight > 0) return;
          one.barrier = store.version();
          wake(50);
        });
    },
    *wait({ wakeMs = Infinity }) {
      const { inFlight, requests } = process();
      const dueMs = Math.min(requests.nextMs() ?? Infinity, wakeMs - skewMs());
      if (inFlight === 0) events.after(Math.max(100, dueMs - events.now()), () => wake(10));
      yield;
    },
  };
}

/** Half of the requests of a killed process arrive. */
function carriedOut(cluster: SimulatedCluster, one: Process, action: Action, carryOutNow: () => ApiResult): ApiResult {
  if (!one.alive && cluster.chance.companion.chance(0.5)) return { status: 0, message: 'never sent' };
  cluster.note(`  ${describeAction(action)}`);
  const { status, message, cause, retryAfterSeconds } = carryOutNow();
  one.actionsLeft -= 1;
  if (one.actionsLeft <= 0) dies.get(one)?.();
  // Without the time that it took: all requests of a decision are waited for here, but not by the actuator.
  return {
    status,
    message,
    ...(cause && { cause }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function describeAction(action: Action): string {
  switch (action.kind) {
    case 'patchNode': {
      const change = { ...action.labels, ...action.annotations };
      const changes = Object.entries(change).map(([key, value]) => `${key.replace(/^.*[/.]/, '')}=${value}`);
      const cordon = action.unschedulable === undefined ? [] : [action.unschedulable ? 'cordon' : 'uncordon'];
      return `patch ${action.node} ${[...cordon, ...changes].join(' ')} [${action.steps.map(({ row }) => row).join(' ')}]`;
    }
    case 'evictPod':
      return `evict ${action.name} on ${action.node}`;
    case 'deletePod':
      return `delete ${action.name} on ${action.node}: ${action.reason}`;
    case 'patchSriovNodeState':
      return `answer the config daemon of ${action.node}: ${Object.values(action.annotations).join(' ')}`;
    case 'changeNodeMaintenance':
      return `${action.change.kind} NodeMaintenance ${action.name}`;
    case 'deleteDaemonSet':
      return `orphan ${action.name}`;
  }
}
