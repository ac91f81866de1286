import { describe, expect, it } from '@jest/globals';
import { createFakePorts, type FakePorts } from '../../../../test/kit/fake-ports.js';
import { createCluster, leaseOf, putLease } from '../../../../test/kit/idle-cluster.js';
import type { VersionedLease } from '../ports.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import { tryAcquire, type LeaseKeeper } from './lease-keeper.js';

const THEIRS = { holderIdentity: 'them', leaseDurationSeconds: 30 };
const TIMED_OUT = { kind: 'retry', message: 'timed out' } as const;

const pass = (ports: FakePorts, ms: number) =>
  ports.runUntil(new Promise<void>((resolve) => void ports.clock.after(ms, resolve)));

/** Delays every response after its request took effect. */
function delay({ cluster, clock }: FakePorts, delayMs: () => number): void {
  const createLease = cluster.createLease.bind(cluster);
  const updateLease = cluster.updateLease.bind(cluster);
  const late = async (sent: Promise<Answer<VersionedLease>>): Promise<Answer<VersionedLease>> => {
    const answer = await sent;
    await new Promise<void>((resolve) => void clock.after(delayMs(), resolve));
    return answer;
  };
  cluster.createLease = (record) => late(createLease(record));
  cluster.updateLease = (lease) => late(updateLease(lease));
}

async function held(ports: FakePorts): Promise<{ readonly keeper: LeaseKeeper; readonly changes: { count: number } }> {
  const changes = { count: 0 };
  const result = await ports.runUntil(tryAcquire(ports, 'us', undefined, () => void (changes.count += 1)));
  if (result.kind !== 'held') throw new Error(result.kind);
  return { keeper: result.keeper, changes };
}

describe('a holder may write', () => {
  it('for 18 s from when its request was sent, however late the answer is', async () => {
    const ports = createFakePorts(createCluster(), '');
    let delayMs = 8_000;
    delay(ports, () => delayMs);
    const { keeper } = await held(ports);
    // 8 s are over; no renewal has a response from now on.
    delayMs = 3_600_000;
    await pass(ports, 9_999);
    expect(keeper.mayAct()).toBe(true);
    await pass(ports, 1);
    expect(keeper.mayAct()).toBe(false);
    expect(keeper.lost()).toBe(false);
  });

  it('after a renewal from when that was sent', async () => {
    const ports = createFakePorts(createCluster(), '');
    let delayMs = 0;
    delay(ports, () => delayMs);
    const { keeper, changes } = await held(ports);
    delayMs = 6_000;
    await pass(ports, 10_000);
    delayMs = 3_600_000;
    // Sent after 10 s, answered after 16 s.
    await pass(ports, 6_000);
    expect(changes.count).toBe(1);
    await pass(ports, 11_999);
    expect(keeper.mayAct()).toBe(true);
    await pass(ports, 1);
    expect(keeper.mayAct()).toBe(false);
  });

  it('again when a renewal gets through after the time was over', async () => {
    const ports = createFakePorts(createCluster(), '');
    const { keeper } = await held(ports);
    const updateLease = ports.cluster.updateLease.bind(ports.cluster);
    ports.cluster.updateLease = () => Promise.resolve(TIMED_OUT);
    await pass(ports, 25_000);
    expect(keeper.mayAct()).toBe(false);
    ports.cluster.updateLease = updateLease;
    await pass(ports, 2_000);
    expect(keeper.mayAct()).toBe(true);
  });

  it('for as long as it renews: every 10 s, and after a failure every 2 s', async () => {
    const ports = createFakePorts(createCluster(), '');
    const { keeper } = await held(ports);
    const renewals = () => ports.requests.filter((name) => name === 'update lease').length;
    await pass(ports, 61_000);
    expect([keeper.mayAct(), renewals()]).toEqual([true, 6]);
    let failures = 0;
    ports.cluster.updateLease = () => {
      failures += 1;
      return Promise.resolve(TIMED_OUT);
    };
    await pass(ports, 20_000);
    expect(failures).toBe(6);
  });
});

describe('a Lease is lost', () => {
  it.each<{ readonly name: string; readonly answer: Answer<never>; readonly lost: boolean }>([
    { name: 'when it is deleted', answer: { kind: 'gone', message: '' }, lost: true },
    { name: 'when the right is taken away', answer: { kind: 'forbidden', message: '' }, lost: true },
    { name: 'not when the server has a problem', answer: { kind: 'error', message: '' }, lost: false },
  ])('$name', async ({ answer, lost }) => {
    const ports = createFakePorts(createCluster(), '');
    const { keeper, changes } = await held(ports);
    let renewals = 0;
    ports.cluster.updateLease = () => {
      renewals += 1;
      return Promise.resolve(answer);
    };
    await pass(ports, 10_000);
    expect([keeper.lost(), keeper.mayAct(), changes.count]).toEqual([lost, !lost, lost ? 1 : 0]);
    await pass(ports, 60_000);
    expect(renewals).toBe(lost ? 1 : 30);
    if (lost) await keeper.end(true);
    expect(renewals).toBe(lost ? 1 : 30);
  });

  it('not when the Lease cannot be read after a conflict', async () => {
    const ports = createFakePorts(createCluster(), '');
    const { keeper } = await held(ports);
    const readLease = ports.cluster.readLease.bind(ports.cluster);
    ports.cluster.updateLease = () => Promise.resolve({ kind: 'conflict', message: '' });
    ports.cluster.readLease = () => Promise.resolve(TIMED_OUT);
    await pass(ports, 11_000);
    expect(keeper.lost()).toBe(false);
    ports.cluster.readLease = readLease;
    putLease(ports.simulated, THEIRS);
    await pass(ports, 2_000);
    expect(keeper.lost()).toBe(true);
  });

  it('when another process has taken it, but not by a renewal of its own that timed out', async () => {
    const ports = createFakePorts(createCluster(), '');
    const { keeper } = await held(ports);
    const updateLease = ports.cluster.updateLease.bind(ports.cluster);
    ports.cluster.updateLease = async (lease) => {
      await updateLease(lease);
      return TIMED_OUT;
    };
    await pass(ports, 10_000);
    ports.cluster.updateLease = updateLease;
    await pass(ports, 4_000);
    expect([keeper.lost(), keeper.mayAct()]).toEqual([false, true]);
    putLease(ports.simulated, THEIRS);
    await pass(ports, 10_000);
    expect([keeper.lost(), keeper.mayAct()]).toEqual([true, false]);
  });

  it('when it is gone after a conflict', async () => {
    const ports = createFakePorts(createCluster(), '');
    const { keeper } = await held(ports);
    ports.cluster.updateLease = () => Promise.resolve({ kind: 'conflict', message: '' });
    ports.simulated.store.leases.remove('lease', 'admin');
    await pass(ports, 10_000);
    expect(keeper.lost()).toBe(true);
  });
});

describe('the end', () => {
  it('releases the Lease, or lets it expire', async () => {
    for (const release of [true, false]) {
      const ports = createFakePorts(createCluster(), '');
      const { keeper } = await held(ports);
      await keeper.end(release);
      expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe(release ? '' : 'us');
      expect(keeper.mayAct()).toBe(false);
      ports.requests.length = 0;
      await pass(ports, 60_000);
      expect(ports.requests).toEqual([]);
    }
  });

  it('waits for a renewal that is under way, and releases its result', async () => {
    const ports = createFakePorts(createCluster(), '');
    const { keeper } = await held(ports);
    delay(ports, () => 3_000);
    await pass(ports, 11_000);
    await ports.runUntil(keeper.end(true));
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('');
    ports.requests.length = 0;
    await pass(ports, 60_000);
    expect(ports.requests).toEqual([]);
  });

  it('writes nothing when the Lease is lost', async () => {
    const ports = createFakePorts(createCluster(), '');
    const { keeper } = await held(ports);
    putLease(ports.simulated, THEIRS);
    const theirs = leaseOf(ports.simulated);
    await pass(ports, 10_000);
    await keeper.end(true);
    expect(theirs?.record).toEqual(THEIRS);
    expect(leaseOf(ports.simulated)).toEqual(theirs);
  });
});

describe('an attempt', () => {
  it.each<{
    readonly name: string;
    readonly method: 'readLease' | 'createLease';
    readonly answer: Answer<never>;
    readonly kind: string;
  }>([
    { name: 'no right to read', method: 'readLease', answer: { kind: 'forbidden', message: 'no' }, kind: 'forbidden' },
    {
      name: 'no right to create',
      method: 'createLease',
      answer: { kind: 'forbidden', message: '' },
      kind: 'forbidden',
    },
    { name: 'an answer that is missing', method: 'readLease', answer: TIMED_OUT, kind: 'retry' },
    {
      name: 'another process was faster',
      method: 'createLease',
      answer: { kind: 'conflict', message: '' },
      kind: 'retry',
    },
  ])('$name: $kind', async ({ method, answer, kind }) => {
    const ports = createFakePorts(createCluster(), '');
    ports.cluster[method] = () => Promise.resolve(answer);
    expect((await tryAcquire(ports, 'us', undefined, () => undefined)).kind).toBe(kind);
  });

  it('takes the Lease of a holder that did not renew it for its duration, and not before', async () => {
    const ports = createFakePorts(createCluster(), '');
    putLease(ports.simulated, THEIRS);
    const first = await tryAcquire(ports, 'us', undefined, () => undefined);
    expect(first).toMatchObject({ kind: 'wait', holder: 'them' });
    const observed = first.kind === 'wait' ? first.observed : undefined;
    await pass(ports, 29_999);
    expect((await tryAcquire(ports, 'us', observed, () => undefined)).kind).toBe('wait');
    await pass(ports, 1);
    expect((await tryAcquire(ports, 'us', observed, () => undefined)).kind).toBe('held');
    expect(leaseOf(ports.simulated)?.record).toMatchObject({ holderIdentity: 'us', leaseTransitions: 1 });
  });
});
