import { createBackoffs, keyOf, type Backoffs } from './back-offs.js';
import { createLimit, type Limit } from './limit.js';
import { patchUntilCertain, type WritePermission } from './patch.js';
import type { RequestResults } from '../observe/request-results.js';
import type { Answer, Ports } from '../ports.js';
import type { Action, DeleteDaemonSet, DeletePod, EvictPod, PatchNode } from '../../model/types.js';

/** Sends the actions of one lease session. */
export interface Actuator {
  /**
   * Carries out the actions of one decision. Resolves when it is certain what became of the patches; evictions and deletions
   * go on meanwhile, because no budget depends on them. What finds no room is left for the next decision.
   */
  readonly carryOut: (actions: readonly Action[]) => Promise<void>;
  /**
   * How many evictions of a decision it can use at most: all places, and those that are held back. The number of free places
   * would be too small, because the first evictions of a decision may be those that are under way.
   */
  readonly mostEvictions: () => number;
  readonly idle: () => boolean;
  /** Resolves when nothing is under way. */
  readonly whenIdle: () => Promise<void>;
  /** It had to stop with a patch that may still take effect, so the Lease must not be released. */
  readonly uncertain: () => boolean;
  /** The API server's message about a missing right. */
  readonly forbidden: () => string | undefined;
  /** When (monotonic) a failed action may be sent again. */
  readonly nextMonotonicMs: () => number | undefined;
  /** Actions that failed last time, as text for people. */
  readonly problems: () => readonly string[];
}

export interface ActuatorOptions {
  readonly permission: WritePermission;
  readonly results: RequestResults;
  /** How many requests may be under way. */
  readonly concurrency: number;
  /** An action has a result: decide again. */
  readonly changed: () => void;
  /** An action took effect. */
  readonly done: (action: Action) => void;
  readonly crashed: (error: unknown) => void;
}

/** At most this many patches of one decision are sent, because the last of many would be outdated. */
const LARGEST_BATCH = 256;
/** How many evictions and deletions may be queued, for each that may be under way. */
const QUEUE_FACTOR = 4;

type Removal = EvictPod | DeletePod | DeleteDaemonSet;

interface ActuatorState extends ActuatorOptions {
  readonly ports: Ports;
  readonly backoffs: Backoffs;
  readonly limit: Limit;
  readonly underWay: Map<string, Promise<void>>;
  uncertain: boolean;
  forbidden?: string;
}

export function createActuator(ports: Ports, options: ActuatorOptions): Actuator {
  const state: ActuatorState = {
    ...options,
    ports,
    backoffs: createBackoffs(ports.clock, ports.random),
    limit: createLimit(options.concurrency),
    underWay: new Map(),
    uncertain: false,
  };
  return {
    carryOut: (actions) => carryOut(state, actions),
    mostEvictions: () => placesOf(state) + state.backoffs.count(),
    idle: () => state.underWay.size === 0,
    async whenIdle() {
      await Promise.all(state.underWay.values());
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

async function carryOut(state: ActuatorState, actions: readonly Action[]): Promise<void> {
  const patches: PatchNode[] = [];
  for (const action of actions) {
    if (state.backoffs.has(action)) continue;
    if (action.kind === 'patchNode') patches.push(action);
    else launch(state, action);
  }
  await Promise.all(patches.slice(0, LARGEST_BATCH).map((action) => state.limit(() => patch(state, action))));
}

async function patch(state: ActuatorState, action: PatchNode): Promise<void> {
  const { backoffs, results } = state;
  const result = await patchUntilCertain(state.ports, action, state.permission);
  switch (result.kind) {
    case 'done':
    case 'stale':
      backoffs.release(action);
      results.noteNode(action.resourceVersion, result.node);
      if (result.kind === 'done') state.done(action);
      state.changed();
      break;
    case 'gone':
      backoffs.untilObserved(action);
      break;
    case 'failed':
      backoffs.afterFailure(action, `node ${action.node}: ${result.message}`);
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

/** Starts an eviction or a deletion, unless it is under way or too many are. */
function launch(state: ActuatorState, action: Removal): void {
  const { underWay } = state;
  const key = keyOf(action);
  if (underWay.has(key) || underWay.size >= placesOf(state)) return;
  const sent = state.limit(async () => {
    // It may have been queued for a while.
    if (state.permission() === 'granted')
      await (action.kind === 'evictPod' ? evict(state, action) : remove(state, action));
  });
  const finished = sent.catch(state.crashed).then(() => {
    underWay.delete(key);
    state.changed();
  });
  underWay.set(key, finished);
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
}

async function remove(state: ActuatorState, action: DeletePod | DeleteDaemonSet): Promise<void> {
  const { backoffs } = state;
  const { cluster } = state.ports;
  const answer: Answer<undefined> =
    action.kind === 'deletePod' ? await cluster.deletePod(action) : await cluster.deleteDaemonSet(action);
  switch (answer.kind) {
    case 'ok':
      backoffs.untilObserved(action);
      state.done(action);
      break;
    case 'gone':
    case 'conflict':
      backoffs.untilObserved(action);
      break;
    case 'forbidden':
      state.forbidden ??= answer.message;
      break;
    case 'retry':
      backoffs.afterFailure(action, `${action.namespace}/${action.name}: ${answer.message}`, answer.retryAfterSeconds);
      break;
    case 'expired':
    case 'error':
      backoffs.afterFailure(action, `${action.namespace}/${action.name}: ${answer.message}`);
  }
}
