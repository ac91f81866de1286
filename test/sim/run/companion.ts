import { SRIOV_DRAIN_KEYS } from '../../../src/shared/contract/labels.js';
import type { UpgradePolicy } from '../../../src/shared/contract/upgrade-policy.js';
import { decide } from '../../../src/companion/core/decide/decide.js';
import { controllerLeft } from '../../../src/companion/core/fleet/findings.js';
import { recordEviction, withEviction } from '../../../src/companion/core/drain/evictions.js';
import { TRANSITIONS } from '../../../src/companion/core/flow/transitions.js';
import { nodeKey, type Snapshot } from '../../../src/companion/core/model/snapshot.js';
import type {
  Action,
  Decision,
  EvictedControllers,
  EvictionRecord,
  RefusedPatch,
} from '../../../src/companion/core/model/types.js';
import { call, carryOut, evictionOutcome, type ApiResult } from '../../../src/forecast/simulation/api.js';
import { makeCaches, type Caches } from '../../../src/forecast/simulation/cache.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import type { CompanionSwitch } from '../simulation.js';
import type { Invariants } from '../rules/invariants.js';
import { Violation } from '../rules/rules.js';

/** More decisions than this in one run count as an endless loop. */
const DECISIONS_LIMIT = 60_000;

interface BackOff {
  readonly untilMs: number;
  readonly failures: number;
}

interface Process {
  readonly policy: UpgradePolicy;
  readonly policyWrittenMs: number;
  readonly caches: Caches;
  readonly evictions: Map<string, EvictionRecord>;
  evicted: EvictedControllers;
  readonly mostEvictions: number;
  alive: boolean;
  /** It waits for its requests, and makes no more decisions. */
  stopping: boolean;
  inFlight: number;
  /** All writes up to this version must have arrived before the next decision. */
  barrier: number;
  scheduled: boolean;
  /** By the UID of what they are about, requests that failed and are not sent before this time. */
  readonly backOffs: Map<string, BackOff>;
  readonly refusedPatches: Map<string, RefusedPatch>;
  /** It is killed after this number of further calls. */
  actionsLeft: number;
  latest: Decision | undefined;
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
 * The smallest loop around `decide`: it waits until its own writes have arrived, decides, acts, and repeats that after a change of the
 * caches or at the next wake time. There is no Lease: only one process runs at a time.
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
    if (one.scheduled || !one.alive || one.stopping || one.inFlight > 0) return;
    one.scheduled = true;
    cluster.events.after(delayMs, () => {
      one.scheduled = false;
      if (!one.alive || one.stopping || one.inFlight > 0 || !one.caches.caughtUp(one.barrier)) return;
      decisions += 1;
      if (decisions > DECISIONS_LIMIT) throw new Violation('it ends', `${DECISIONS_LIMIT} decisions`);
      latest = decideOnce(one);
    });
  };
  const decideOnce = (one: Process): Decision => {
    const now = cluster.events.now() + skewMs;
    const { mostEvictions, evicted, refusedPatches, policyWrittenMs } = one;
    const memory = { evicted, refusedPatches: new Map(refusedPatches), policyWrittenMs };
    const snapshot: Snapshot = { ...one.caches.snapshot(one.evictions), ...memory };
    const decided = decide(snapshot, one.policy, now, TRANSITIONS, { mostEvictions });
    const decision = change(decided, snapshot, one.policy, now);
    if (controllerLeft(one.latest, decision)) {
      one.barrier = cluster.store.version();
      one.latest = decision;
      wake(one, 10);
      return decision;
    }
    one.latest = decision;
    invariants.onDecision(snapshot, one.policy, decision, now);
    const untilMs = ({ uid }: Action): number => one.backOffs.get(uid)?.untilMs ?? 0;
    const heldBack = decision.actions.filter((action) => untilMs(action) > cluster.events.now());
    const actions = cluster.chance.companion.shuffle(decision.actions.filter((action) => !heldBack.includes(action)));
    if (actions.length === 0) {
      const wakeMs = Math.min(...heldBack.map(untilMs), (decision.wakeMs ?? Infinity) - skewMs);
      cluster.events.after(Math.max(100, wakeMs - cluster.events.now()), () => wake(one, 10));
    }
    one.inFlight = actions.length;
    for (const action of actions) send(cluster, one, { action, pods: snapshot.pods }, skewMs, () => finish(one));
    return decision;
  };
  const finish = (one: Process): void => {
    one.inFlight -= 1;
    if (one.inFlight > 0 || !one.alive) return;
    one.barrier = cluster.store.version();
    wake(one, 50);
  };
  const start = (): void => {
    starts += 1;
    const caches = makeCaches(cluster, () => wake(one, 20));
    const one: Process = {
      policy: cluster.policy,
      policyWrittenMs: cluster.policyWrittenMs,
      caches,
      evictions: new Map(),
      evicted: new Map(),
      mostEvictions: [1, 3, Infinity][cluster.seed % 3] ?? Infinity,
      alive: true,
      stopping: false,
      inFlight: 0,
      barrier: 0,
      scheduled: false,
      backOffs: new Map(),
      refusedPatches: new Map(),
      actionsLeft: Infinity,
      latest: undefined,
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

const dies = new WeakMap<Process, () => void>();

/** An action and the pods that it was decided on. */
interface Order {
  readonly action: Action;
  readonly pods: Snapshot['pods'];
}

const NOT_LISTED: ApiResult = { status: 409, message: 'the watch has not shown a pod of the node yet' };

/** Like the actuator: a driver goes, and a node counts as drained, only if a list shows no pod of the node that the decision missed. */
function isListed(cluster: SimulatedCluster, action: Action, pods: Snapshot['pods']): boolean {
  const isRestart = action.kind === 'deletePod' && action.reason === 'driver-restart';
  const isAnswer =
    action.kind === 'patchSriovNodeState' && action.annotations[SRIOV_DRAIN_KEYS.current] === 'DrainComplete';
  if (!isRestart && !isAnswer) return true;
  const known = new Set(pods.onNode(action.node).map(({ uid }) => uid));
  return [...cluster.store.pods.values()].every(
    (pod) => pod.nodeName !== action.node || known.has(pod.uid) || pod.phase === 'Succeeded' || pod.phase === 'Failed',
  );
}

/** Sends one action. Half of the requests of a killed process arrive. */
function send(
  cluster: SimulatedCluster,
  one: Process,
  { action, pods }: Order,
  skewMs: number,
  done: () => void,
): void {
  const text = describeAction(action);
  const effect = (): ApiResult => {
    if (!one.alive && cluster.chance.companion.chance(0.5)) return { status: 0, message: 'never sent' };
    cluster.note(`  ${text}`);
    const { status, message, retryAfterSeconds } = isListed(cluster, action, pods)
      ? carryOut(cluster, action)
      : NOT_LISTED;
    one.actionsLeft -= 1;
    if (one.actionsLeft <= 0) dies.get(one)?.();
    // Without the time that it took: all requests of a decision are waited for here, but not by the actuator.
    return { status, message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  };
  call(cluster, text, effect, (result) => {
    if (!one.alive) return;
    if (action.kind === 'evictPod') {
      const now = cluster.events.now() + skewMs;
      const random = (): number => cluster.chance.companion.next();
      const outcome = evictionOutcome(result);
      if (outcome.kind === 'accepted') one.evicted = withEviction(one.evicted, action, now);
      const record = recordEviction(action.uid, one.evictions.get(action.uid), outcome, now, random);
      if (record === undefined) one.evictions.delete(action.uid);
      else one.evictions.set(action.uid, record);
    } else noteResult(cluster, one, action, result, skewMs);
    done();
  });
}

/** Like the actuator: a request that failed is held back, longer with each failure in a row. */
function noteResult(
  cluster: SimulatedCluster,
  { backOffs, refusedPatches }: Process,
  action: Action,
  { status, message }: ApiResult,
  skewMs: number,
): void {
  const { uid } = action;
  const key = action.kind === 'patchNode' ? nodeKey(action.driver, action.node) : undefined;
  if (key !== undefined) refusedPatches.delete(key);
  if (status >= 200 && status < 300) return void backOffs.delete(uid);
  const failures = (backOffs.get(uid)?.failures ?? 0) + 1;
  const untilMs = cluster.events.now() + Math.min(60_000, 50 * 2 ** failures);
  backOffs.set(uid, { failures, untilMs });
  if (key !== undefined && status !== 409) refusedPatches.set(key, { message, failures, untilMs: untilMs + skewMs });
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
