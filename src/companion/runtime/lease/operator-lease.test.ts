import { expect, it } from '@jest/globals';
import type { LeaseRecord } from '../ports.js';
import { lookAtOperatorLease, type OperatorLease } from './operator-lease.js';

/** A look at a second of the run: undefined where there is no Lease. */
type Look = readonly [second: number, version: string | undefined, record?: LeaseRecord];

const RECORD = { holderIdentity: 'operator_1', leaseDurationSeconds: 15 };

it.each<{ readonly name: string; readonly looks: readonly Look[]; readonly holder: string | undefined }>([
  { name: 'no Lease', looks: [[0, undefined]], holder: '' },
  { name: 'a released Lease', looks: [[0, '1', { holderIdentity: '' }]], holder: '' },
  { name: 'the first look', looks: [[0, '1']], holder: undefined },
  {
    name: 'no change yet',
    looks: [
      [0, '1'],
      [14, '1'],
    ],
    holder: undefined,
  },
  {
    name: 'no change for its duration',
    looks: [
      [0, '1'],
      [3, '1'],
      [15, '1'],
    ],
    holder: '',
  },
  {
    name: 'a renewal',
    looks: [
      [0, '1'],
      [3, '2'],
    ],
    holder: 'operator_1',
  },
  {
    name: 'a renewal, and then no change for less than its duration',
    looks: [
      [0, '1'],
      [3, '2'],
      [17, '2'],
    ],
    holder: 'operator_1',
  },
  {
    name: 'an operator that stops',
    looks: [
      [0, '1'],
      [3, '2'],
      [33, '2'],
    ],
    holder: '',
  },
  {
    name: 'an operator that starts',
    looks: [
      [0, undefined],
      [30, '1'],
    ],
    holder: 'operator_1',
  },
  {
    name: 'an operator that starts again',
    looks: [
      [0, '1'],
      [15, '1'],
      [45, '2'],
    ],
    holder: 'operator_1',
  },
])('the Lease of the operator: $name', ({ looks, holder }) => {
  let seen: OperatorLease | undefined;
  for (const [second, resourceVersion, record = RECORD] of looks) {
    const lease = resourceVersion === undefined ? undefined : { record, resourceVersion };
    seen = lookAtOperatorLease(seen, lease, second * 1000);
  }
  expect(seen?.holder).toBe(holder);
});
