import type { LeaseRecord, VersionedLease } from '../ports.js';

/**
 * The rules of holding a Lease, as pure functions: those of client-go's `tools/leaderelection` (v0.34). Clocks of machines
 * differ, so the times in a Lease of another holder are ignored. It has expired when it did not change for its duration while
 * this process observed it, by this process' monotonic clock.
 */

/** The Lease of a holder that died expires after this time. */
export const LEASE_DURATION_SECONDS = 30;
/** How often the holder renews it. */
export const LEASE_RENEW_MS = 10_000;
/** How soon a failed renewal is tried again, and how often a process that waits reads the Lease. */
export const LEASE_RETRY_MS = 2_000;
/**
 * A holder stops writing this long before its Lease expires. A request may take less than this, so the last one has ended
 * when another holder may begin.
 */
const LEASE_MARGIN_MS = 12_000;

/** A Lease, and when (monotonic) this process first saw this version of it. */
export interface ObservedLease {
  readonly lease: VersionedLease;
  readonly sinceMonotonicMs: number;
}

/** The observation after the Lease was read again. */
export function observeLease(
  previous: ObservedLease | undefined,
  lease: VersionedLease,
  monotonicMs: number,
): ObservedLease {
  const unchanged = previous?.lease.resourceVersion === lease.resourceVersion;
  return { lease, sinceMonotonicMs: unchanged ? previous.sinceMonotonicMs : monotonicMs };
}

/** Whether a Lease has not changed for its duration. */
export function hasExpired({ lease, sinceMonotonicMs }: ObservedLease, monotonicMs: number): boolean {
  return monotonicMs >= sinceMonotonicMs + (lease.record.leaseDurationSeconds ?? LEASE_DURATION_SECONDS) * 1000;
}

type LeaseStep =
  | { readonly kind: 'create'; readonly record: LeaseRecord }
  | { readonly kind: 'take'; readonly lease: VersionedLease }
  /** Another process holds it. */
  | { readonly kind: 'wait'; readonly holder: string; readonly observed: ObservedLease };

/** What `identity` has to do next to hold the Lease. `observed` is undefined when there is no Lease. */
export function leaseStep(
  identity: string,
  observed: ObservedLease | undefined,
  nowMs: number,
  monotonicMs: number,
): LeaseStep {
  if (observed === undefined) return { kind: 'create', record: heldRecord(identity, undefined, nowMs) };
  const { record, resourceVersion } = observed.lease;
  const holder = record.holderIdentity ?? '';
  if (holder !== '' && holder !== identity && !hasExpired(observed, monotonicMs)) {
    return { kind: 'wait', holder, observed };
  }
  return { kind: 'take', lease: { record: heldRecord(identity, record, nowMs), resourceVersion } };
}

/** The record that a holder writes when it takes or renews the Lease. */
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

/** The record that a holder writes when it releases the Lease: another process may take it at once. client-go writes the duration 1, because 0 is invalid. */
export function releasedRecord(previous: LeaseRecord, nowMs: number): LeaseRecord {
  return {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireMs: nowMs,
    renewMs: nowMs,
    leaseTransitions: previous.leaseTransitions ?? 0,
  };
}

/** Until when (monotonic) the holder may write, from when it sent the last renewal that the server accepted. */
export function actUntilMonotonicMs(sentMonotonicMs: number): number {
  return sentMonotonicMs + LEASE_DURATION_SECONDS * 1000 - LEASE_MARGIN_MS;
}
