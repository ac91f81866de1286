import {
  actUntilMonotonicMs,
  heldRecord,
  LEASE_RENEW_MS,
  LEASE_RETRY_MS,
  leaseStep,
  observeLease,
  releasedRecord,
  type ObservedLease,
} from './lease.js';
import type { Ports, VersionedLease } from '../ports.js';
import type { Stop } from '../../../shared/kube-client/types.js';

/** The result of one attempt to acquire the Lease. */
type AcquireResult =
  | { readonly kind: 'held'; readonly keeper: LeaseKeeper }
  | { readonly kind: 'wait'; readonly holder: string; readonly observed: ObservedLease }
  | { readonly kind: 'retry'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string };

/** Holds the Lease and renews it until it is lost or released. */
export interface LeaseKeeper {
  /** Whether writes may be sent now. It may become true again, unless the Lease is lost. */
  mayAct(): boolean;
  /** Another process holds it, or held it. */
  lost(): boolean;
  /** Stops renewing. `release`: another process may take the Lease at once. */
  end(release: boolean): Promise<void>;
}

/** Reads the Lease once, and takes it when no other process holds it. `onChange` is called when it is lost or renewed. */
export async function tryAcquire(
  ports: Ports,
  identity: string,
  previous: ObservedLease | undefined,
  onChange: () => void,
): Promise<AcquireResult> {
  const { cluster, clock } = ports;
  const found = await cluster.readLease();
  if (found.kind === 'forbidden') return found;
  if (found.kind !== 'ok' && found.kind !== 'gone') return { kind: 'retry', message: found.message };
  const observed = found.kind === 'ok' ? observeLease(previous, found.value, clock.monotonicMs()) : undefined;
  const step = leaseStep(identity, observed, clock.now(), clock.monotonicMs());
  if (step.kind === 'wait') return step;
  const sentMs = clock.monotonicMs();
  const written = await (step.kind === 'create' ? cluster.createLease(step.record) : cluster.updateLease(step.lease));
  if (written.kind === 'ok')
    return { kind: 'held', keeper: keepLease(ports, identity, written.value, sentMs, onChange) };
  if (written.kind === 'forbidden') return written;
  return { kind: 'retry', message: written.message };
}

interface KeeperState {
  readonly ports: Ports;
  readonly identity: string;
  readonly onChange: () => void;
  lease: VersionedLease;
  /** Monotonic. */
  actUntilMs: number;
  state: 'held' | 'lost' | 'ended';
  stopTimer: Stop;
  renewal: Promise<void>;
}

function keepLease(
  ports: Ports,
  identity: string,
  lease: VersionedLease,
  sentMs: number,
  onChange: () => void,
): LeaseKeeper {
  const actUntilMs = actUntilMonotonicMs(sentMs);
  const renewal = Promise.resolve();
  const state: KeeperState = {
    ports,
    identity,
    onChange,
    lease,
    actUntilMs,
    renewal,
    state: 'held',
    stopTimer: () => undefined,
  };
  renewAfter(state, LEASE_RENEW_MS);
  return {
    mayAct: () => state.state === 'held' && ports.clock.monotonicMs() < state.actUntilMs,
    lost: () => state.state === 'lost',
    end: (release) => stopKeeper(state, release),
  };
}

function renewAfter(state: KeeperState, ms: number): void {
  state.stopTimer = state.ports.clock.after(ms, () => {
    state.renewal = renew(state);
  });
}

async function renew(state: KeeperState): Promise<void> {
  const { ports, identity, lease } = state;
  const sentMs = ports.clock.monotonicMs();
  const record = heldRecord(identity, lease.record, ports.clock.now());
  const answer = await ports.cluster.updateLease({ record, resourceVersion: lease.resourceVersion });
  switch (answer.kind) {
    case 'ok':
      // The resourceVersion proves that no other process held it in between, so writes are allowed again even after `actUntilMs`.
      state.lease = answer.value;
      state.actUntilMs = actUntilMonotonicMs(sentMs);
      state.onChange();
      break;
    case 'conflict':
      await rereadLease(state);
      break;
    case 'gone':
    case 'forbidden':
      lose(state);
      break;
    case 'expired':
    case 'retry':
    case 'endless':
    case 'error':
  }
  if (isHeld(state)) renewAfter(state, answer.kind === 'ok' ? LEASE_RENEW_MS : LEASE_RETRY_MS);
}

/** After a conflict: an earlier renewal may have timed out and taken effect. */
async function rereadLease(state: KeeperState): Promise<void> {
  const found = await state.ports.cluster.readLease();
  if (found.kind === 'ok' && found.value.record.holderIdentity === state.identity) state.lease = found.value;
  else if (found.kind === 'ok' || found.kind === 'gone') lose(state);
}

function isHeld({ state }: KeeperState): boolean {
  return state === 'held';
}

function lose(state: KeeperState): void {
  state.state = 'lost';
  state.onChange();
}

async function stopKeeper(state: KeeperState, release: boolean): Promise<void> {
  const { ports } = state;
  // The state is the same until a renewal that is under way has its answer, which sets the next timer.
  await state.renewal;
  state.stopTimer();
  if (!isHeld(state)) return;
  state.state = 'ended';
  const { record, resourceVersion } = state.lease;
  if (!release) return;
  await ports.cluster.updateLease({ record: releasedRecord(record, ports.clock.now()), resourceVersion });
}
