import { describe, expect, it } from '@jest/globals';
import { NOW, pod } from '../../../../test/kit/snapshots.js';
import { fc } from '../../../../test/kit/fast-check.js';
import { evictionsDue, recordEviction, withEviction } from './evictions.js';
import type { EvictionOutcome, EvictionRecord } from '../../model/types.js';

const refused: EvictionOutcome = { kind: 'refused', message: 'the budget allows nothing' };
const conflict: EvictionOutcome = { kind: 'retry', message: 'conflict' };

function delays(outcome: EvictionOutcome, count: number, random: () => number): number[] {
  let record: EvictionRecord | undefined;
  return Array.from({ length: count }, () => {
    record = recordEviction('u', record, outcome, NOW, random);
    return (record?.nextAttemptMs ?? NOW) - NOW;
  });
}

describe('recordEviction', () => {
  it.each([
    {
      name: 'a refusal, at most',
      outcome: refused,
      random: 0.999_999,
      expected: [1000, 2000, 4000, 8000, 15_000, 15_000],
    },
    { name: 'a refusal, at least', outcome: refused, random: 0, expected: [500, 1000, 2000, 4000, 7500, 7500] },
    {
      name: 'a conflict begins sooner',
      outcome: conflict,
      random: 0.999_999,
      expected: [200, 400, 800, 1600, 3200, 6400],
    },
    {
      name: 'Retry-After is the least',
      outcome: { ...refused, retryAfterSeconds: 10 } as const,
      random: 0,
      expected: [10_000, 10_000, 10_000, 10_000, 10_000, 10_000],
    },
    {
      name: 'an error backs off as well',
      outcome: { kind: 'error', message: 'two budgets' } as const,
      random: 0.999_999,
      expected: [1000, 2000, 4000, 8000, 15_000, 15_000],
    },
    {
      name: 'an accepted eviction shows soon',
      outcome: { kind: 'accepted' } as const,
      random: 0,
      expected: Array(6).fill(10_000),
    },
  ])('$name', ({ outcome, random, expected }) => {
    expect(delays(outcome, 6, () => random)).toEqual(expected);
  });

  it('does not grow beyond the maximum', () => {
    expect(delays(refused, 2000, () => 1).at(-1)).toBe(15_000);
  });

  it('forgets a pod that is gone', () => {
    expect(recordEviction('u', undefined, { kind: 'gone' }, NOW, () => 0)).toBeUndefined();
  });

  it('keeps the first time and the last message, and what the budget said before a conflict', () => {
    const first = recordEviction('u', undefined, refused, NOW, () => 0);
    expect(recordEviction('u', first, conflict, NOW + 5000, () => 0)).toMatchObject({
      attempts: 2,
      firstAttemptMs: NOW,
      outcome: 'refused',
      message: 'conflict',
    });
    // It may be a webhook that never answers, for which no other node waits.
    expect(recordEviction('u', undefined, conflict, NOW, () => 0)).toMatchObject({ outcome: 'retry' });
  });
});

describe('evictionsDue', () => {
  const record = (podUid: string, nextAttemptMs: number): [string, EvictionRecord] => [
    podUid,
    { podUid, attempts: 1, outcome: 'refused', message: '', nextAttemptMs, firstAttemptMs: NOW - 9000 },
  ];

  it('returns new pods and those whose delay is over, and the time of the next one', () => {
    const pods = [
      pod('a', 'new'),
      pod('a', 'over'),
      pod('a', 'latest'),
      pod('a', 'later'),
      pod('a', 'between'),
      pod('a', 'ending', { deletionMs: NOW }),
    ];
    const delays = { over: 0, later: 5, between: 7, latest: 9 };
    const records = new Map(Object.entries(delays).map(([name, ms]) => record(`uid-${name}`, NOW + ms)));
    const { due, nextMs } = evictionsDue(pods, records, NOW);
    expect(due.map(({ name }) => name)).toEqual(['new', 'over']);
    expect(nextMs).toBe(NOW + 5);
  });

  it('has no next time if no pod is left', () => {
    expect(evictionsDue([pod('a', 'ending', { deletionMs: NOW })], new Map(), NOW)).toEqual({ due: [] });
  });

  it('gives no more than are asked for, the first ones, and never wakes too late for the others', () => {
    const one = fc.record({ isEnding: fc.boolean(), nextMs: fc.constantFrom(undefined, -5, 0, 1, 7, 30) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), fc.nat(6), (inputs, most) => {
        const pods = inputs.map(({ isEnding }, index) => pod('a', `p${index}`, isEnding ? { deletionMs: NOW } : {}));
        const records = new Map(
          inputs.flatMap(({ nextMs }, index) => (nextMs === undefined ? [] : [record(`uid-p${index}`, NOW + nextMs)])),
        );
        const all = evictionsDue(pods, records, NOW);
        const some = evictionsDue(pods, records, NOW, most);
        expect(some.due).toEqual(all.due.slice(0, most));
        if (all.nextMs !== undefined) expect(some.nextMs).toBeLessThanOrEqual(all.nextMs);
        if (all.due.length > most) expect(some.nextMs).toBe(NOW + 1);
      }),
    );
  });
});

describe('withEviction', () => {
  const evict = (uid: string, controllerUid?: string) => ({ uid, controllerUid });

  it('keeps when the first pod of a controller left a node, and which left it', () => {
    const first = withEviction(new Map(), evict('p', 'rs'), NOW);
    const next = withEviction(withEviction(first, evict('q', 'rs'), NOW + 1), evict('r', 'other'), NOW + 2);
    expect([...next]).toEqual([
      ['rs', { firstMs: NOW, uids: new Set(['p', 'q']) }],
      ['other', { firstMs: NOW + 2, uids: new Set(['r']) }],
    ]);
    expect(withEviction(next, evict('s'), NOW)).toBe(next);
    expect(withEviction(next, evict('q', 'rs'), NOW + 3)).toBe(next);
  });
});
