import { isFinished } from '../../model/pod.js';
import { IN_PROGRESS } from '../../model/node-states.js';
import { SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import type { Snapshot } from '../../model/snapshot.js';
import type {
  Action,
  ChangeNodeMaintenance,
  DeleteDaemonSet,
  DeletePod,
  EvictPod,
  PatchNode,
  PatchSriovNodeState,
  SnapshotNode,
} from '../../model/types.js';
import type { RequestResults } from '../observe/request-results.js';
import type { Ports } from '../ports.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import { createBackoffs, keyOf, type Backoffs } from './back-offs.js';
import { createLimit, createSequences, type Limit, type Sequences } from '../timing/limit.js';
import { patchUntilCertain, type BeginPermission, type WritePermission } from './patch.js';

/** The parts of the snapshot of a decision that sending its actions needs. */
type DecidedFrom = Pick<Snapshot, 'pods' | 'nodes'>;

/** Sends the actions of one lease session. */
export interface Actuator {
  /**
   * Starts the actions of one decision, all at the same time. The next decision repeats the actions that are over the limit, and
   * those on two kinds of nodes: nodes whose last patch has no certain result yet, and nodes to be patched while evictions or
   * deletions of an earlier decision are under way, because one that arrives after the patch could end a pod on an uncordoned node.
   */
  readonly start: (actions: readonly Action[], decidedFrom: DecidedFrom) => void;
  /**
   * The maximum number of evictions that a decision should have: all places, and the evictions that wait for a back-off. The number
   * of free places is too small, because the first evictions of a decision may be those that are under way.
   */
  readonly mostEvictions: () => number;
  readonly idle: () => boolean;
  /** Resolves when nothing is under way. */
  readonly whenIdle: () => Promise<void>;
  /** It stopped while a patch might still take effect, so the Lease must not be released. */
  readonly uncertain: () => boolean;
  /** The API server's message about a missing right. */
  readonly forbidden: () => string | undefined;
  /** When (monotonic) a failed action may be sent again. */
  readonly nextMonotonicMs: () => number | undefined;
  /** Messages of the actions that failed last time. */
  readonly problems: () => readonly string[];
}

interface ActuatorOptions {
  readonly permission: WritePermission;
  readonly mayBegin: BeginPermission;
  readonly results: RequestResults;
  /** How many requests may be under way. */
  readonly concurrency: number;
  /** An action has a result. The loop decides again. */
  readonly changed: () => void;
  /** An action took effect. */
  readonly done: (action: Action) => void;
  /** A PodDisruptionBudget refused an eviction. */
  readonly refused: (eviction: EvictPod) => void;
  readonly crashed: (error: unknown) => void;
}

/** At most this many patches are under way or queued, because the last of many would be outdated when it is sent. */
const MOST_PATCHES = 256;
/**
 * The share of requests that may be patches which only record a state. A new driver version causes one for each node; without a limit
 * they would use up the client's rate for seconds and delay the requests for nodes in progress.
 */
const STATE_ONLY_SHARE = 0.5;
/**
 * Priority of queued requests: first patches that end the upgrade of a node, because the node is unavailable and has a slot until
 * then; next other steps; last evictions and patches that only record a state, because there are many of them.
 */
const RANK = { ending: 0, step: 1, bulk: 2 } as const;
/** How many evictions and deletions may be queued, for each that may be under way. */
const QUEUE_FACTOR = 4;

type Removal = EvictPod | DeletePod | DeleteDaemonSet | PatchSriovNodeState | ChangeNodeMaintenance;

/** An eviction or a deletion that is under way or queued. */
interface StartedRemoval {
  /** Undefined for a DaemonSet. */
  readonly node: string | undefined;
  isSent: boolean;
  /** A later decision patches its node, so it is not sent any more. */
  isDropped: boolean;
}

interface ActuatorState extends ActuatorOptions {
  readonly ports: Ports;
  readonly backoffs: Backoffs;
  /** Requests under way. */
  readonly limit: Limit;
  /** Evictions of pods that have one controller, by its UID. */
  readonly inSequence: Sequences;
  /** Patches under way, by node. */
  readonly patches: Map<string, Promise<void>>;
  /** Number of patches that only record a state. */
  stateOnly: number;
  /** Evictions and deletions under way or queued, by what they remove. */
  readonly removals: Map<string, StartedRemoval & { readonly finished: Promise<void> }>;
  /** Evictions of the last decision that were left out because of a patch of their node. */
  leftOut: number;
  uncertain: boolean;
  forbidden?: string;
}

export function createActuator(ports: Ports, options: ActuatorOptions): Actuator {
  const state: ActuatorState = {
    ...options,
    ports,
    backoffs: createBackoffs(ports.clock, ports.random),
    limit: createLimit(options.concurrency),
    inSequence: createSequences(),
    patches: new Map(),
    stateOnly: 0,
    removals: new Map(),
    leftOut: 0,
    uncertain: false,
  };
  return {
    start: (actions, decidedFrom) => start(state, actions, decidedFrom),
    mostEvictions: () => placesOf(state) + state.backoffs.count() + state.leftOut,
    idle: () => state.patches.size + state.removals.size === 0,
    async whenIdle() {
      await Promise.all([...state.patches.values(), ...[...state.removals.values()].map(({ finished }) => finished)]);
    },
    uncertain: () => state.uncertain,
    forbidden: () => state.forbidden,
    nextMonotonicMs: state.backoffs.nextMonotonicMs,
    problems: state.backoffs.problems,
  };
}

/** How many evictions and deletions may be under way or queued. */
function placesOf({ concurrency }: ActuatorState): number {
  return QUEUE_FACTOR * concurrency;
}

function start(state: ActuatorState, actions: readonly Action[], decidedFrom: DecidedFrom): void {
  state.leftOut = 0;
  // An action that cannot be sent would be dropped, and each dropped action causes another decision.
  if (state.permission() !== 'granted') return;
  // The actions of one decision are independent of each other, those of two decisions are not.
  const sendable = actions.filter((action) => !state.backoffs.has(action));
  const busy = new Set([...state.patches.keys(), ...nodesToWaitFor(state, sendable)]);
  for (const action of sendable) {
    if (action.kind !== 'deleteDaemonSet' && busy.has(action.node)) state.leftOut += action.kind === 'evictPod' ? 1 : 0;
    else startOne(state, action, decidedFrom);
  }
}

/** Nodes to be patched where a removal of an earlier decision is under way. Those that are only queued are dropped. */
function nodesToWaitFor({ removals }: ActuatorState, actions: readonly Action[]): readonly string[] {
  if (removals.size === 0) return [];
  const patched = new Set(actions.flatMap((action) => (action.kind === 'patchNode' ? [action.node] : [])));
  const nodes: string[] = [];
  for (const removal of removals.values()) {
    if (removal.node === undefined || !patched.has(removal.node)) continue;
    if (removal.isSent) nodes.push(removal.node);
    else removal.isDropped = true;
  }
  return nodes;
}

function startOne(state: ActuatorState, action: Action, { pods, nodes }: DecidedFrom): void {
  switch (action.kind) {
    case 'patchNode':
      return startPatch(state, action, nodes);
    case 'evictPod':
      return startRemoval(state, action, () => evict(state, action), action.controllerUid);
    case 'deletePod':
      return startRemoval(state, action, () => deletePod(state, action, pods));
    case 'deleteDaemonSet':
    case 'changeNodeMaintenance':
      return startRemoval(state, action, () => remove(state, action));
    case 'patchSriovNodeState':
      return startRemoval(state, action, () => answerDaemon(state, action, pods));
  }
}

/** Starts a patch. Until its result is certain, the snapshot counts a node that it begins as in progress. */
function startPatch(state: ActuatorState, action: PatchNode, nodes: DecidedFrom['nodes']): void {
  const { patches, results } = state;
  const stateOnly = isStateOnly(action) ? 1 : 0;
  if (patches.size >= MOST_PATCHES || state.stateOnly + stateOnly > Math.ceil(STATE_ONLY_SHARE * state.concurrency))
    return;
  state.stateOnly += stateOnly;
  results.notePending(action);
  const atOnce = isEnding(action) ? RANK.ending : RANK.step;
  const limit: Limit = (run) => state.limit(run, stateOnly === 1 ? RANK.bulk : atOnce);
  const finished = patch(state, action, limit, nodes)
    .catch(state.crashed)
    .then(() => {
      patches.delete(action.node);
      state.stateOnly -= stateOnly;
      results.noteResolved(action);
      state.changed();
    });
  patches.set(action.node, finished);
}

/** Whether a patch only records the state of a node at rest: it begins and ends no upgrade. */
function isStateOnly({ steps, unschedulable }: PatchNode): boolean {
  const isAtRest = steps.every(({ from, to }) => !IN_PROGRESS.has(from) && !IN_PROGRESS.has(to));
  return unschedulable === undefined && steps.length > 0 && isAtRest;
}

/** Whether a patch ends the upgrade of its node: done, failed or held back. */
function isEnding({ steps }: PatchNode): boolean {
  const last = steps.at(-1);
  return last !== undefined && !IN_PROGRESS.has(last.to);
}

async function patch(
  state: ActuatorState,
  action: PatchNode,
  limit: Limit,
  nodes: DecidedFrom['nodes'],
): Promise<void> {
  const { backoffs, results, ports, permission, mayBegin } = state;
  const context = {
    ports,
    permission,
    mayBegin,
    limit,
    decidedFrom: () => nodes.find(({ uid }) => uid === action.uid),
    renewed(current: SnapshotNode, after: PatchNode) {
      results.noteNode(current);
      results.notePending(after);
    },
  };
  const result = await patchUntilCertain(context, action);
  switch (result.kind) {
    case 'done':
      backoffs.release(action);
      results.notePatchAccepted(action);
      results.noteNode(result.node);
      state.done(action);
      break;
    case 'stale':
      backoffs.release(action);
      results.noteNode(result.node);
      break;
    case 'gone':
      backoffs.untilObserved(action);
      break;
    case 'failed':
      results.notePatchRefused(
        action,
        result.message,
        backoffs.afterFailure(action, `node ${action.node}: ${result.message}`),
      );
      break;
    case 'forbidden':
      state.forbidden ??= result.message;
      break;
    case 'unknown':
      state.uncertain = true;
      break;
    case 'dropped':
  }
}

/**
 * Starts an eviction or a deletion, unless it is under way or too many are. Evictions leave room for deletions.
 *
 * @param sequence evictions with the same one follow each other. Pods of one controller have the same PodDisruptionBudget, and an
 *   API server that finds it changed by another eviction tries again after half a second (`EvictionsRetry` in
 *   `pkg/registry/core/pod/storage/eviction.go`). 16 at a time take 3 s each and 25 pods no less time than one after the other, and
 *   the requests take our places meanwhile.
 */
function startRemoval(state: ActuatorState, action: Removal, run: () => Promise<void>, sequence?: string): void {
  const { removals } = state;
  const key = keyOf(action);
  const places = action.kind === 'evictPod' ? placesOf(state) : 2 * placesOf(state);
  if (removals.has(key) || removals.size >= places) return;
  const node = action.kind === 'deleteDaemonSet' ? undefined : action.node;
  const removal: StartedRemoval = { node, isSent: false, isDropped: false };
  const send = (): Promise<void> =>
    state.limit(
      async () => {
        // Permission may have ended while it was queued.
        if (removal.isDropped || state.permission() !== 'granted') return;
        removal.isSent = true;
        await run();
      },
      action.kind === 'evictPod' ? RANK.bulk : RANK.step,
    );
  const sent = sequence === undefined ? send() : state.inSequence(sequence, send);
  const finished = sent.catch(state.crashed).then(() => {
    removals.delete(key);
    state.changed();
  });
  removals.set(key, Object.assign(removal, { finished }));
}

async function evict(state: ActuatorState, action: EvictPod): Promise<void> {
  const answer = await state.ports.cluster.evictPod(action);
  if (answer.kind === 'forbidden') {
    state.forbidden ??= answer.message;
    return;
  }
  state.results.noteEviction(action, answer);
  if (answer.kind === 'gone') state.backoffs.untilObserved(action);
  if (answer.kind === 'accepted') state.done(action);
  if (answer.kind === 'refused') state.refused(action);
}

/**
 * Deletes a pod. Before a driver is unloaded, the pods of its node are listed from the API server: a pod that was bound just
 * before the cordon may be missing in the snapshot that the decision was made from.
 */
async function deletePod(state: ActuatorState, action: DeletePod, pods: Snapshot['pods']): Promise<void> {
  if (action.reason === 'driver-restart' || action.reason === 'driver-leftover') {
    if (!(await hasAllPods(state, action, pods))) return;
  }
  await remove(state, action);
}

/** Answers a config daemon. It changes virtual functions as soon as its node counts as drained, so the pods are listed before that, too. */
async function answerDaemon(state: ActuatorState, action: PatchSriovNodeState, pods: Snapshot['pods']): Promise<void> {
  const isDrained = action.annotations[SRIOV_DRAIN_KEYS.current] === 'DrainComplete';
  if (isDrained && !(await hasAllPods(state, action, pods))) return;
  await remove(state, action);
}

/** Whether the decision knew all pods of the node that the API server has. */
async function hasAllPods(
  state: ActuatorState,
  action: DeletePod | PatchSriovNodeState,
  pods: Snapshot['pods'],
): Promise<boolean> {
  const answer = await state.ports.cluster.listPodsOnNode(action.node);
  if (answer.kind !== 'ok') {
    noteFailure(state, action, answer);
    return false;
  }
  const known = new Set(pods.onNode(action.node).map(({ uid }) => uid));
  const missed = answer.value.find((pod) => !known.has(pod.uid) && !isFinished(pod));
  if (missed !== undefined) {
    const message = `the watch has not shown pod ${missed.namespace}/${missed.name} on node ${action.node} yet`;
    noteFailure(state, action, { kind: 'retry', message });
    return false;
  }
  return state.permission() === 'granted';
}

async function remove(state: ActuatorState, action: Exclude<Removal, EvictPod>): Promise<void> {
  const answer = await sendRemoval(state.ports.cluster, action);
  if (answer.kind === 'ok') state.done(action);
  // The namespace of the object, or its kind, is missing.
  const isNowhere =
    answer.kind === 'gone' && action.kind === 'changeNodeMaintenance' && action.change.kind === 'create';
  if (answer.kind === 'ok' || (answer.kind === 'gone' && !isNowhere) || answer.kind === 'conflict')
    state.backoffs.untilObserved(action);
  else noteFailure(state, action, answer);
}

function sendRemoval(cluster: Ports['cluster'], action: Exclude<Removal, EvictPod>): Promise<Answer<undefined>> {
  switch (action.kind) {
    case 'deletePod':
      return cluster.deletePod(action);
    case 'deleteDaemonSet':
      return cluster.deleteDaemonSet(action);
    case 'patchSriovNodeState':
      return cluster.patchSriovNodeState(action);
    case 'changeNodeMaintenance':
      return cluster.changeNodeMaintenance(action);
  }
}

function noteFailure(
  state: ActuatorState,
  action: Exclude<Removal, EvictPod>,
  answer: Exclude<Answer<unknown>, { kind: 'ok' }>,
): void {
  if (answer.kind === 'forbidden') state.forbidden ??= answer.message;
  else {
    const problem = `${action.namespace}/${action.name}: ${answer.message}`;
    state.backoffs.afterFailure(action, problem, answer.kind === 'retry' ? answer.retryAfterSeconds : undefined);
  }
}
