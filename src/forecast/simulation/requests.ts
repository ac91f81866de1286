import { SRIOV_DRAIN_KEYS } from '../../shared/contract/labels.js';
import { isFinished } from '../../companion/model/pod.js';
import type { Snapshot } from '../../companion/model/snapshot.js';
import type { Action } from '../../companion/model/types.js';
import { createBackoffs } from '../../companion/runtime/act/back-offs.js';
import { createRequestResults } from '../../companion/runtime/observe/request-results.js';
import type { Clock, Random } from '../../companion/runtime/ports.js';
import { call, carryOut, evictionOutcome, type ApiResult } from './api.js';
import type { CachedSnapshot } from './cache.js';
import type { SimulatedCluster } from './simulated-cluster.js';

/** The requests of one process of the companion to a simulated cluster: each is sent at once, without the queues of the actuator. */
export interface Requests {
  /** A snapshot of the caches, with the results of the requests. */
  withResults(cached: CachedSnapshot): Snapshot;
  /** Whether the action failed, and may not be sent again yet. */
  isBackingOff(action: Action): boolean;
  /** When one that failed may be sent again, by the events' clock. */
  nextMs(): number | undefined;
  send(action: Action, decidedFrom: Snapshot, done: (isAccepted: boolean) => void): void;
}

interface RequestOptions {
  readonly random: Random;
  /** How far the wall clock of the process is ahead. Default: not at all. */
  readonly skewMs?: () => number;
  /** Whether the process still gets answers. Default: always. */
  readonly isAlive?: () => boolean;
  /** How the API server carries a request out. Tests keep some from it. */
  readonly carriedOut?: (action: Action, carryOutNow: () => ApiResult) => ApiResult;
}

export function makeRequests(
  cluster: SimulatedCluster,
  { random, skewMs = () => 0, isAlive = () => true, carriedOut = (_action, now) => now() }: RequestOptions,
): Requests {
  const { events } = cluster;
  const clock: Clock = {
    now: () => events.now() + skewMs(),
    monotonicMs: () => events.now(),
    processorMs: () => 0,
    after: (ms, callback) => events.timer(ms, callback),
  };
  const results = createRequestResults(clock, random);
  const backoffs = createBackoffs(clock, random);
  const noteResult = (action: Action, result: ApiResult): void => {
    const { status, message, retryAfterSeconds } = result;
    if (action.kind === 'evictPod') return results.noteEviction(action, evictionOutcome(result));
    if (status === 404) return backoffs.untilObserved(action);
    if (isAccepted(result) || status === 409) {
      backoffs.release(action);
      if (action.kind === 'patchNode' && isAccepted(result)) results.notePatchAccepted(action);
      return;
    }
    const untilMs = backoffs.afterFailure(action, message, retryAfterSeconds);
    if (action.kind === 'patchNode') results.notePatchRefused(action, message, untilMs);
  };
  return {
    withResults: (cached) => ({
      ...cached,
      evictions: results.evictions(cached.pods),
      evicted: results.evicted(),
      refusedPatches: results.refusedPatches(),
    }),
    isBackingOff: backoffs.has,
    nextMs: backoffs.nextMonotonicMs,
    send: (action, { pods }, done) => {
      const now = (): ApiResult => (hasAllPods(cluster, action, pods) ? carryOut(cluster, action) : NOT_SHOWN);
      const effect = (): ApiResult => carriedOut(action, now);
      call(cluster, `${action.kind} for ${action.uid}`, effect, (result) => {
        if (!isAlive()) return;
        noteResult(action, result);
        done(isAccepted(result));
      });
    },
  };
}

const isAccepted = ({ status }: ApiResult): boolean => status >= 200 && status < 300;

const NOT_SHOWN: ApiResult = { status: 503, message: 'the watch has not shown a pod of the node yet' };

/** Like the actuator: a driver goes, and a node counts as drained, only if a list shows no pod of the node that the decision missed. */
function hasAllPods({ store }: SimulatedCluster, action: Action, pods: Snapshot['pods']): boolean {
  const isRestart = action.kind === 'deletePod' && action.reason === 'driver-restart';
  const isAnswer =
    action.kind === 'patchSriovNodeState' && action.annotations[SRIOV_DRAIN_KEYS.current] === 'DrainComplete';
  if (!isRestart && !isAnswer) return true;
  const known = new Set(pods.onNode(action.node).map(({ uid }) => uid));
  return [...store.podsOn(action.node)].every((pod) => known.has(pod.uid) || isFinished(pod));
}
