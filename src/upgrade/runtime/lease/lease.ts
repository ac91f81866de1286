import type { LeaseRecord, VersionedLease } from '../ports.js';

/**
 * How a Lease is held, as pure rules: those of client-go's `tools/leaderelection` (v0.34). Clocks of machines differ, so the
 * times in somebody else's Lease say nothing: it has expired when it did not change for its duration while we looked at it,
 * by our own monotonic clock.
 */

/** A holder that died is followed after this time. */
export const LEASE_DURATION_SECONDS = 30;
/** How often the holder renews it. */
export const LEASE_RENEW_MS = 10_000;
/** How soon a failed renewal is tried again, and how often somebody who waits looks at the Lease. */
export const LEASE_RETRY_MS = 2_000;
/**
 * So long before its end a holder acts no more: longer than a request may take, so that what it sent last has come to its
 * end, too, when another may begin.
 */
export const LEASE_MARGIN_MS = 12_000;

/** Somebody's Lease, and since when (monotonic) it looks as it does. */
export interface ObservedLease {
  readonly lease: VersionedLease;
  readonly sinceMonotonicMs: number;
}

/** What is known of the Lease after another look at it. */
export function observeLease(
  previous: ObservedLease | undefined,
  lease: VersionedLease,
  monotonicMs: number,
): ObservedLease {
  const unchanged = previous?.lease.resourceVersion === lease.resourceVersion;
  return { lease, sinceMonotonicMs: unchanged ? previous.sinceMonotonicMs : monotonicMs };
}

export type LeaseStep =
  | { readonly kind: 'create'; readonly record: LeaseRecord }
  | { readonly kind: 'take'; readonly lease: VersionedLease }
  /** Somebody holds it, at least until this monotonic time. */
  | { readonly kind: 'wait'; readonly holder: string; readonly untilMonotonicMs: number };

/** What `identity` has to do next to hold the Lease; undefined: there is no Lease yet. */
export function leaseStep(
  identity: string,
  observed: ObservedLease | undefined,
  nowMs: number,
  monotonicMs: number,
): LeaseStep {
  if (observed === undefined) return { kind: 'create', record: heldRecord(identity, undefined, nowMs) };
  const { record, resourceVersion } = observed.lease;
  const holder = record.holderIdentity ?? '';
  const untilMonotonicMs = observed.sinceMonotonicMs + (record.leaseDurationSeconds ?? LEASE_DURATION_SECONDS) * 1000;
  if (holder !== '' && holder !== identity && monotonicMs < untilMonotonicMs) {
    return { kind: 'wait', holder, untilMonotonicMs };
  }
  return { kind: 'take', lease: { record: heldRecord(identity, record, nowMs), resourceVersion } };
}

/** The Lease as its holder writes it, to take it as well as to renew it. */
export function heldRecord(identity: string, previous: LeaseRecord | undefined, nowMs: number): LeaseRecord {
  const same = previous?.holderIdentity === identity;
  const transitions = previous?.leaseTransitions ?? 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: LEASE_DURATION_SECONDS,
    acquireMs: same ? (previous.acquireMs ?? nowMs) : nowMs,
    renewMs: nowMs,
    leaseTransitions: previous === undefined || same ? transitions : transitions + 1,
  };
}

/** The Lease as its holder leaves it: the next may take it at once. client-go writes the duration 1, because 0 is invalid. */
export function releasedRecord(previous: LeaseRecord, nowMs: number): LeaseRecord {
  return {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireMs: nowMs,
    renewMs: nowMs,
    leaseTransitions: previous.leaseTransitions ?? 0,
  };
}

/** Until when (monotonic) the holder may act, from when it sent the last renewal that the server took. */
export function actUntilMonotonicMs(sentMonotonicMs: number): number {
  return sentMonotonicMs + LEASE_DURATION_SECONDS * 1000 - LEASE_MARGIN_MS;
}
