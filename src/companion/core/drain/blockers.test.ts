import { expect, it } from '@jest/globals';
import { NOW, pod } from '../../../../test/kit/snapshots.js';
import type { EvictionRecord } from '../../model/types.js';
import { blockersIn } from './blockers.js';

const record = (change: Partial<EvictionRecord>): EvictionRecord => ({
  ...{ podUid: 'uid-w', attempts: 1, outcome: 'refused', message: 'no' },
  ...{ nextAttemptMs: NOW, firstAttemptMs: NOW },
  ...change,
});

it.each([
  { name: 'nothing was sent yet', pod: pod('a', 'w'), records: [], expected: 'is being evicted' },
  {
    name: 'its eviction was accepted',
    pod: pod('a', 'w'),
    records: [record({ outcome: 'accepted', message: 'evicted' })],
    expected: 'is being evicted',
  },
  { name: 'refused once', pod: pod('a', 'w'), records: [record({})], expected: 'was refused 1 time: no' },
  { name: 'and again', pod: pod('a', 'w'), records: [record({ attempts: 2 })], expected: 'was refused 2 times: no' },
  { name: 'it ends', pod: pod('a', 'w', { deletionMs: NOW }), records: [record({})], expected: 'is ending' },
  {
    name: 'a finalizer keeps it',
    pod: pod('a', 'w', { deletionMs: NOW, finalizers: ['x/y', 'z'] }),
    records: [],
    expected: 'is ending, held by x/y, z',
  },
])('why a drain waits for a pod: $name', ({ pod: one, records, expected }) => {
  const byNode = new Map([['a', new Map(records.map((of) => [of.podUid, of]))]]);
  const blockersOf = blockersIn({ budgets: [], evictions: { byNode, shiftMs: 0 } });
  expect(blockersOf([one])).toMatchObject([{ pod: 'apps/w', budgets: [], reason: expected }]);
});
