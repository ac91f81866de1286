import { backOffMs } from '../../../shared/lib/back-off.js';
import type { EvictedOfNode, EvictionOutcome, EvictionRecord, EvictPod, SnapshotPod } from '../../model/types.js';

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;
/** The watch shows an accepted eviction within moments. Otherwise it is sent again after this time. */
const ACCEPTED_DELAY_MS = 10_000;
/** A 409 means that another eviction updated the same budget concurrently. */
const FIRST_RETRY_DELAY_MS = 200;

/**
 * The record of a pod's eviction after another attempt; undefined if the pod is gone. The delay doubles from 1 s (0.2 s for conflicts
 * and server errors) to 15 s, then varies between half of that and all of it. It is never shorter than `Retry-After`.
 *
 * `random` gives numbers from 0 up to 1.
 */
export function recordEviction(
  podUid: string,
  previous: EvictionRecord | undefined,
  outcome: EvictionOutcome,
  nowMs: number,
  random: () => number,
): EvictionRecord | undefined {
  if (outcome.kind === 'gone') return undefined;
  const attempts = (previous?.attempts ?? 0) + 1;
  // A conflict or a server that is busy says nothing about the budget, which has refused it, and may again.
  const isKnown = outcome.kind === 'retry' && previous?.outcome === 'refused';
  const kind = isKnown ? 'refused' : outcome.kind;
  const record = { podUid, attempts, outcome: kind, firstAttemptMs: previous?.firstAttemptMs ?? nowMs };
  if (outcome.kind === 'accepted') {
    return { ...record, message: 'evicted', nextAttemptMs: nowMs + ACCEPTED_DELAY_MS };
  }
  const retryAfterSeconds = outcome.kind === 'error' ? 0 : (outcome.retryAfterSeconds ?? 0);
  const first = outcome.kind === 'retry' ? FIRST_RETRY_DELAY_MS : FIRST_DELAY_MS;
  const delayMs = Math.max(backOffMs(attempts, first, LONGEST_DELAY_MS, random), retryAfterSeconds * 1000);
  return { ...record, message: outcome.message, nextAttemptMs: nowMs + delayMs };
}

/** The pods that were evicted from a node, with another one; the same map if it has that already. */
export function withEviction(
  evicted: EvictedOfNode,
  { uid, controllerUid }: Pick<EvictPod, 'uid' | 'controllerUid'>,
  nowMs: number,
): EvictedOfNode {
  if (controllerUid === undefined) return evicted;
  const known = evicted.get(controllerUid);
  if (known?.uids.has(uid) === true) return evicted;
  const pods = { firstMs: known?.firstMs ?? nowMs, uids: new Set(known?.uids).add(uid) };
  return new Map(evicted).set(controllerUid, pods);
}

interface EvictionSchedule {
  readonly due: readonly SnapshotPod[];
  /** When the next of the other pods is due; undefined: never. */
  readonly nextMs: number | undefined;
}

/**
 * The pods to evict now: those that are not terminating, and whose delay is over. The search ends at `most` pods; pods that it did
 * not reach may be due at any time after `nowMs`.
 */
export function evictionsDue(
  pods: readonly SnapshotPod[],
  records: ReadonlyMap<string, EvictionRecord> | undefined,
  nowMs: number,
  most: number = Infinity,
): EvictionSchedule {
  const due: SnapshotPod[] = [];
  let nextMs: number | undefined;
  for (const pod of pods) {
    if (pod.deletionMs !== undefined) continue;
    if (due.length >= most) return { due, nextMs: nowMs + 1 };
    const nextAttemptMs = records?.get(pod.uid)?.nextAttemptMs ?? nowMs;
    if (nextAttemptMs <= nowMs) due.push(pod);
    else if (nextMs === undefined || nextAttemptMs < nextMs) nextMs = nextAttemptMs;
  }
  return { due, nextMs };
}
