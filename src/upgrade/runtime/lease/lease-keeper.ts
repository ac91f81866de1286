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
import type { Ports, Stop, VersionedLease } from '../ports.js';

/** What came of one try to get the Lease. */
export type LeaseTry =
  | { readonly kind: 'held'; readonly keeper: LeaseKeeper }
  | { readonly kind: 'wait'; readonly holder: string; readonly observed: ObservedLease }
  | { readonly kind: 'retry'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string };

/** Holds the Lease and renews it until it is lost or released. */
export interface LeaseKeeper {
  /** Whether something may be sent to the cluster now. It may become true again, unless the Lease is lost. */
  mayAct(): boolean;
  /** Somebody else has it, or had it. */
  lost(): boolean;
  /** Stops renewing; `release` leaves the Lease to the next at once. */
  end(release: boolean): Promise<void>;
}

/** Looks at the Lease once and takes it when nobody holds it. `onChange` is called when it is lost or renewed. */
export async function tryLease(
  ports: Ports,
  identity: string,
  previous: ObservedLease | undefined,
  onChange: () => void,
): Promise<LeaseTry> {
  const { cluster, clock } = ports;
  const found = await cluster.readLease();
  if (found.kind === 'forbidden') return found;
  if (found.kind !== 'ok' && found.kind !== 'gone') return { kind: 'retry', message: found.message };
  const observed = found.kind === 'ok' ? observeLease(previous, found.value, clock.monotonicMs()) : undefined;
  const step = leaseStep(identity, observed, clock.now(), clock.monotonicMs());
  if (step.kind === 'wait') {
    return observed === undefined
      ? { kind: 'retry', message: 'no Lease' }
      : { kind: 'wait', holder: step.holder, observed };
  }
  const sentMs = clock.monotonicMs();
  const written = await (step.kind === 'create' ? cluster.createLease(step.record) : cluster.updateLease(step.lease));
  if (written.kind === 'ok')
    return { kind: 'held', keeper: keepLease(ports, identity, written.value, sentMs, onChange) };
  if (written.kind === 'forbidden') return written;
  return { kind: 'retry', message: written.message };
}

interface Holding {
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
  const holding: Holding = {
    ...{ ports, identity, onChange, lease, actUntilMs, renewal },
    state: 'held',
    stopTimer: () => undefined,
  };
  renewAfter(holding, LEASE_RENEW_MS);
  return {
    mayAct: () => holding.state === 'held' && ports.clock.monotonicMs() < holding.actUntilMs,
    lost: () => holding.state === 'lost',
    end: (release) => endHolding(holding, release),
  };
}

function renewAfter(holding: Holding, ms: number): void {
  holding.stopTimer = holding.ports.clock.after(ms, () => {
    holding.renewal = renew(holding);
  });
}

async function renew(holding: Holding): Promise<void> {
  const { ports, identity, lease } = holding;
  const sentMs = ports.clock.monotonicMs();
  const record = heldRecord(identity, lease.record, ports.clock.now());
  const answer = await ports.cluster.updateLease({ record, resourceVersion: lease.resourceVersion });
  if (holding.state !== 'held') return;
  switch (answer.kind) {
    case 'ok':
      // The resourceVersion proves that nobody had it in between, so this is right even after `actUntilMs`.
      holding.lease = answer.value;
      holding.actUntilMs = actUntilMonotonicMs(sentMs);
      holding.onChange();
      break;
    case 'conflict':
      await lookAgain(holding);
      break;
    case 'gone':
    case 'forbidden':
      lose(holding);
      break;
    case 'expired':
    case 'retry':
    case 'error':
  }
  if (isHeld(holding)) renewAfter(holding, answer.kind === 'ok' ? LEASE_RENEW_MS : LEASE_RETRY_MS);
}

/** After a conflict: a renewal that timed out may have been ours and taken effect. */
async function lookAgain(holding: Holding): Promise<void> {
  const found = await holding.ports.cluster.readLease();
  if (!isHeld(holding)) return;
  if (found.kind === 'ok' && found.value.record.holderIdentity === holding.identity) holding.lease = found.value;
  else if (found.kind === 'ok' || found.kind === 'gone') lose(holding);
}

function isHeld({ state }: Holding): boolean {
  return state === 'held';
}

function lose(holding: Holding): void {
  holding.state = 'lost';
  holding.onChange();
}

async function endHolding(holding: Holding, release: boolean): Promise<void> {
  const { ports } = holding;
  holding.stopTimer();
  await holding.renewal;
  holding.stopTimer();
  if (!isHeld(holding)) return;
  holding.state = 'ended';
  const { record, resourceVersion } = holding.lease;
  if (!release) return;
  await ports.cluster.updateLease({ record: releasedRecord(record, ports.clock.now()), resourceVersion });
}
