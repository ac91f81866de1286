import type { VersionedLease } from '../ports.js';
import { hasExpired, observeLease, type ObservedLease } from './lease.js';

/** What this run knows of the Network Operator's Lease. */
export interface OperatorLease {
  readonly observed: ObservedLease | undefined;
  /** Who renews it; empty: no process does; undefined: not known yet. */
  readonly holder: string | undefined;
}

/**
 * The operator's Lease after it was read again; `lease` is undefined where there is none. A stopped operator leaves its name in it, so it counts as
 * running when the Lease changes between two looks, and as stopped when the Lease stays the same for its duration.
 */
export function lookAtOperatorLease(
  previous: OperatorLease | undefined,
  lease: VersionedLease | undefined,
  monotonicMs: number,
): OperatorLease {
  const holder = lease?.record.holderIdentity ?? '';
  if (lease === undefined || holder === '') return { observed: undefined, holder: '' };
  const observed = observeLease(previous?.observed, lease, monotonicMs);
  if (previous !== undefined && observed.sinceMonotonicMs === monotonicMs) return { observed, holder };
  return { observed, holder: hasExpired(observed, monotonicMs) ? '' : previous?.holder };
}
