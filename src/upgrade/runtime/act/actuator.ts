import { createHolds, keyOf, type Holds } from './back-offs.js';
import { createLimit, type Limit } from './limit.js';
import { patchSurely, type Gate } from './patch.js';
import type { Memory } from '../observe/memory.js';
import type { Answer, Ports } from '../ports.js';
import type { Action, DeleteDaemonSet, DeletePod, EvictPod, PatchNode } from '../../model/types.js';

/** The hands of one term of the Lease. */
export interface Actor {
  /**
   * Carries out the actions of one decision. Resolves when it is certain what became of the patches; evictions and deletions
   * go on meanwhile, because no budget depends on them. What finds no room is left for the next decision.
   */
  readonly carryOut: (actions: readonly Action[]) => Promise<void>;
  /**
   * It can use no more than the first so many evictions of a decision, whatever is under way: each of them either is, or is
   * held back, or is sent until all places are taken. The number of free places would not do: the first that are due may be
   * just those that are under way, and the others would wait although there is room.
   */
  readonly mostEvictions: () => number;
  readonly idle: () => boolean;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
  /** It had to stop with a patch of which nobody knows whether it took effect, so the Lease must run out. */
  readonly uncertain: () => boolean;
  /** The API server's words about a right that is missing. */
  readonly forbidden: () => string | undefined;
  /** When (monotonic) a failed action may be sent again. */
  readonly nextMonotonicMs: () => number | undefined;
  /** Actions that failed last time, in words for people. */
  readonly problems: () => readonly string[];
}

export interface ActorOptions {
  readonly gate: Gate;
  readonly memory: Memory;
  /** How many requests may be under way. */
  readonly concurrency: number;
  /** Something came of an action: decide again. */
  readonly changed: () => void;
  /** An action took effect. */
  readonly done: (action: Action) => void;
  readonly crashed: (error: unknown) => void;
}

/** A decision's patches are sent in parts of this size, so that the last of many is not decided on long ago. */
const LARGEST_BATCH = 256;
/** So many evictions and deletions wait for their turn, for each that may be under way. */
const QUEUE_FACTOR = 4;

type Removal = EvictPod | DeletePod | DeleteDaemonSet;

interface Hands extends ActorOptions {
  readonly ports: Ports;
  readonly holds: Holds;
  readonly limit: Limit;
  readonly underWay: Map<string, Promise<void>>;
  uncertain: boolean;
  forbidden?: string;
}

export function createActor(ports: Ports, options: ActorOptions): Actor {
  const hands: Hands = {
    ...options,
    ports,
    holds: createHolds(ports.clock, ports.random),
    limit: createLimit(options.concurrency),
    underWay: new Map(),
    uncertain: false,
  };
  return {
    carryOut: (actions) => carryOut(hands, actions),
    mostEvictions: () => placesOf(hands) + hands.holds.count(),
    idle: () => hands.underWay.size === 0,
    async settled() {
      await Promise.all(hands.underWay.values());
    },
    uncertain: () => hands.uncertain,
    forbidden: () => hands.forbidden,
    nextMonotonicMs: hands.holds.nextMonotonicMs,
    problems: hands.holds.problems,
  };
}

/** How many evictions and deletions may be under way or wait for their turn. */
function placesOf({ concurrency }: Hands): number {
  return QUEUE_FACTOR * concurrency;
}

async function carryOut(hands: Hands, actions: readonly Action[]): Promise<void> {
  const patches: PatchNode[] = [];
  for (const action of actions) {
    if (hands.holds.has(action)) continue;
    if (action.kind === 'patchNode') patches.push(action);
    else launch(hands, action);
  }
  await Promise.all(patches.slice(0, LARGEST_BATCH).map((action) => hands.limit(() => patch(hands, action))));
}

async function patch(hands: Hands, action: PatchNode): Promise<void> {
  const { holds, memory } = hands;
  const result = await patchSurely(hands.ports, action, hands.gate);
  switch (result.kind) {
    case 'done':
    case 'stale':
      holds.release(action);
      memory.noteNode(action.resourceVersion, result.node);
      if (result.kind === 'done') hands.done(action);
      hands.changed();
      break;
    case 'gone':
      holds.untilSeen(action);
      break;
    case 'failed':
      holds.afterFailure(action, `node ${action.node}: ${result.message}`);
      break;
    case 'forbidden':
      hands.forbidden ??= result.message;
      break;
    case 'unknown':
      hands.uncertain = true;
      break;
    case 'dropped':
  }
}

/** Starts an eviction or a deletion, unless it is under way or too many are. */
function launch(hands: Hands, action: Removal): void {
  const { underWay } = hands;
  const key = keyOf(action);
  if (underWay.has(key) || underWay.size >= placesOf(hands)) return;
  const sent = hands.limit(async () => {
    // It may have waited for its turn.
    if (hands.gate() === 'go') await (action.kind === 'evictPod' ? evict(hands, action) : remove(hands, action));
  });
  const finished = sent.catch(hands.crashed).then(() => {
    underWay.delete(key);
    hands.changed();
  });
  underWay.set(key, finished);
}

async function evict(hands: Hands, action: EvictPod): Promise<void> {
  const answer = await hands.ports.cluster.evictPod(action);
  if (answer.kind === 'forbidden') {
    hands.forbidden ??= answer.message;
    return;
  }
  hands.memory.noteEviction(action, answer);
  if (answer.kind === 'gone') hands.holds.untilSeen(action);
  if (answer.kind === 'accepted') hands.done(action);
}

async function remove(hands: Hands, action: DeletePod | DeleteDaemonSet): Promise<void> {
  const { holds } = hands;
  const { cluster } = hands.ports;
  const answer: Answer<undefined> =
    action.kind === 'deletePod' ? await cluster.deletePod(action) : await cluster.deleteDaemonSet(action);
  switch (answer.kind) {
    case 'ok':
      holds.untilSeen(action);
      hands.done(action);
      break;
    case 'gone':
    case 'conflict':
      holds.untilSeen(action);
      break;
    case 'forbidden':
      hands.forbidden ??= answer.message;
      break;
    case 'retry':
      holds.afterFailure(action, `${action.namespace}/${action.name}: ${answer.message}`, answer.retryAfterSeconds);
      break;
    case 'expired':
    case 'error':
      holds.afterFailure(action, `${action.namespace}/${action.name}: ${answer.message}`);
  }
}
