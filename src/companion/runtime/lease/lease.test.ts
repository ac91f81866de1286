import { describe, expect, it } from '@jest/globals';
import { actUntilMonotonicMs, heldRecord, leaseStep, observeLease, releasedRecord } from './lease.js';
import type { LeaseRecord } from '../ports.js';

const NOW = 1_700_000_000_000;
const lease = (record: LeaseRecord, resourceVersion = '1') => ({ record, resourceVersion });
const theirs: LeaseRecord = {
  holderIdentity: 'them',
  leaseDurationSeconds: 30,
  renewMs: NOW - 86_400_000,
  leaseTransitions: 4,
};

describe('leaseStep', () => {
  it.each([
    { name: 'creates a Lease that is not there', record: undefined, seenForMs: 0, expected: { kind: 'create' } },
    { name: 'takes one without a holder', record: { holderIdentity: '' }, seenForMs: 0, expected: { kind: 'take' } },
    { name: 'takes its own', record: { ...theirs, holderIdentity: 'us' }, seenForMs: 0, expected: { kind: 'take' } },
    {
      name: 'waits though its times are of yesterday',
      record: theirs,
      seenForMs: 0,
      expected: { kind: 'wait', holder: 'them' },
    },
    { name: 'waits until the duration is over', record: theirs, seenForMs: 29_999, expected: { kind: 'wait' } },
    {
      name: 'takes one that was not renewed for its duration',
      record: theirs,
      seenForMs: 30_000,
      expected: { kind: 'take' },
    },
    {
      name: "goes by the holder's duration",
      record: { ...theirs, leaseDurationSeconds: 60 },
      seenForMs: 30_000,
      expected: { kind: 'wait' },
    },
  ])('$name', ({ record, seenForMs, expected }) => {
    const observed = record === undefined ? undefined : observeLease(undefined, lease(record), 1_000);
    expect(leaseStep('us', observed, NOW, 1_000 + seenForMs)).toMatchObject(expected);
  });

  it('counts a take-over as a transition, a renewal not', () => {
    expect(heldRecord('us', theirs, NOW)).toMatchObject({ holderIdentity: 'us', leaseTransitions: 5, acquireMs: NOW });
    const renewed = heldRecord('us', heldRecord('us', theirs, NOW), NOW + 10_000);
    expect(renewed).toMatchObject({ leaseTransitions: 5, acquireMs: NOW, renewMs: NOW + 10_000 });
  });

  it('writes a Lease that the next holder may take at once', () => {
    const released = releasedRecord(heldRecord('us', theirs, NOW), NOW);
    expect(leaseStep('next', observeLease(undefined, lease(released), 0), NOW, 0).kind).toBe('take');
  });
});

describe('observeLease', () => {
  it('counts from the last change', () => {
    const first = observeLease(undefined, lease(theirs, '1'), 1_000);
    expect(observeLease(first, lease(theirs, '1'), 9_000).sinceMonotonicMs).toBe(1_000);
    expect(observeLease(first, lease(theirs, '2'), 9_000).sinceMonotonicMs).toBe(9_000);
  });
});

it('a new Lease has no transitions', () => {
  expect(heldRecord('us', undefined, 5_000).leaseTransitions).toBe(0);
});

it('a holder stops acting well before another may begin', () => {
  expect(actUntilMonotonicMs(1_000)).toBe(19_000);
});
