import type { GpuClaim } from '../ports.js';

/** A change of one claim. It was deleted if `after` is undefined, and is new if `before` is undefined. */
interface ClaimChange {
  readonly before: GpuClaim | undefined;
  readonly after: GpuClaim | undefined;
}

/**
 * The pods that hold a GPU by a claim, by their UIDs. A value never changes; one that is made from it shares what did not change, because
 * a rollout changes claims between any two decisions, and there may be 100,000.
 */
export interface ClaimingPods {
  readonly has: (uid: string) => boolean;
  /** The same value where no pod came or went: claims of other drivers change, too. */
  readonly after: (changes: Iterable<ClaimChange>) => ClaimingPods;
}

/** How many pods may differ from the shared ones before all are copied. */
const MOST_CHANGED = 1_000;

type ClaimsByPod = ReadonlyMap<string, number>;
const NONE: ClaimsByPod = new Map();
const NO_PODS: readonly string[] = [];

/** The pods of these claims. */
export function claimingPodsOf(claims: Iterable<GpuClaim>): ClaimingPods {
  return claimingPods(NONE, NONE).after([...claims].map((after) => ({ before: undefined, after })));
}

/**
 * @param shared how many claims each pod had when all were last copied
 * @param changed how many those have that changed since then
 */
function claimingPods(shared: ClaimsByPod, changed: ClaimsByPod): ClaimingPods {
  const same: ClaimingPods = {
    has: (uid) => (changed.get(uid) ?? shared.get(uid) ?? 0) > 0,
    after(changes) {
      let next: Map<string, number> | undefined;
      for (const change of changes) {
        const [before, after] = [podsOf(change.before), podsOf(change.after)];
        if (before.join() === after.join()) continue;
        next ??= new Map(changed);
        for (const uid of before) next.set(uid, (next.get(uid) ?? shared.get(uid) ?? 0) - 1);
        for (const uid of after) next.set(uid, (next.get(uid) ?? shared.get(uid) ?? 0) + 1);
      }
      if (next === undefined) return same;
      return next.size <= MOST_CHANGED ? claimingPods(shared, next) : claimingPods(joined(shared, next), NONE);
    },
  };
  return same;
}

function podsOf(claim: GpuClaim | undefined): readonly string[] {
  return claim?.podUids ?? NO_PODS;
}

function joined(shared: ClaimsByPod, changed: ClaimsByPod): ClaimsByPod {
  const all = new Map(shared);
  for (const [uid, claims] of changed) {
    if (claims > 0) all.set(uid, claims);
    else all.delete(uid);
  }
  return all;
}
