import { expect, it } from '@jest/globals';
import { NOW, pod } from '../../../../test/kit/snapshots.js';
import type { EvictionRecord } from '../../model/types.js';
import { blockersIn } from './blockers.js';
import { podBudgetsIn } from './budgets.js';

const record = (change: Partial<EvictionRecord>): EvictionRecord => ({
  ...{ podUid: 'uid-w', attempts: 1, outcome: 'refused', message: 'no' },
  ...{ nextAttemptMs: NOW, firstAttemptMs: NOW },
  ...change,
});

it.each([
  {
    name: 'nothing was sent yet',
    pod: pod('a', 'w'),
    records: [],
    expected: { kind: 'eviction', reason: 'is being evicted' },
  },
  {
    name: 'its eviction was accepted',
    pod: pod('a', 'w'),
    records: [record({ outcome: 'accepted', message: 'evicted' })],
    expected: { kind: 'eviction', reason: 'is being evicted' },
  },
  {
    name: 'refused once',
    pod: pod('a', 'w'),
    records: [record({})],
    expected: { kind: 'refusal', reason: 'was refused 1 time: no', refusal: 'no' },
  },
  {
    name: 'and again',
    pod: pod('a', 'w'),
    records: [record({ attempts: 2 })],
    expected: { kind: 'refusal', reason: 'was refused 2 times: no', refusal: 'no' },
  },
  {
    name: 'it ends',
    pod: pod('a', 'w', { deletionMs: NOW }),
    records: [record({})],
    expected: { kind: 'termination', reason: 'is ending' },
  },
  {
    name: 'a finalizer keeps it',
    pod: pod('a', 'w', { deletionMs: NOW, finalizers: ['x/y', 'z'] }),
    records: [],
    expected: { kind: 'termination', reason: 'is ending, held by x/y, z', finalizers: ['x/y', 'z'] },
  },
])('why a drain waits for a pod: $name', ({ pod: one, records, expected }) => {
  const byNode = new Map([['a', new Map(records.map((of) => [of.podUid, of]))]]);
  const blockersOf = blockersIn({ evictions: { byNode, shiftMs: 0 } }, podBudgetsIn({ budgets: [] }));
  expect(blockersOf([one])).toMatchObject([{ pod: 'apps/w', budgets: [], ...expected }]);
});
