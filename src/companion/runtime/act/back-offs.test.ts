import { expect, it } from '@jest/globals';
import { createBackoffs } from './back-offs.js';
import type { PatchNode } from '../../model/types.js';

const patch = (uid = 'u1'): PatchNode => ({
  ...{
    kind: 'patchNode',
    driver: 'ofed',
    node: 'n1',
    uid,
    resourceVersion: '1',
    labels: {},
    annotations: {},
    steps: [],
  },
});

/** Back-offs without randomness. */
function setUp() {
  let nowMs = 0;
  const backoffs = createBackoffs(
    { now: () => NaN, monotonicMs: () => nowMs, processorMs: () => 0, after: () => () => undefined },
    () => 0.5,
  );
  /** Fails now, and returns how long the action is held back. */
  const failMs = (): number => {
    backoffs.afterFailure(patch(), 'no');
    return (backoffs.nextMonotonicMs() ?? NaN) - nowMs;
  };
  return { backoffs, failMs, pass: (ms: number) => void (nowMs += ms) };
}

it('grow with each failure in a row up to a minute', () => {
  const { failMs, pass } = setUp();
  const delays = Array.from({ length: 12 }, () => {
    const delayMs = failMs();
    pass(delayMs);
    return delayMs;
  });
  expect(delays).toEqual([...delays].sort((a, b) => a - b));
  expect(delays[0]).toBeLessThanOrEqual(1_000);
  expect(delays.at(-1)).toBeGreaterThan(30_000);
  expect(delays.at(-1)).toBeLessThanOrEqual(60_000);
});

it('are forgotten a minute after they ended, with their problems', () => {
  const { backoffs, failMs, pass } = setUp();
  const firstMs = failMs();
  pass(firstMs);
  expect([backoffs.has(patch()), backoffs.nextMonotonicMs(), backoffs.count()]).toEqual([false, undefined, 1]);
  pass(60_001);
  expect(backoffs.nextMonotonicMs()).toBeUndefined();
  expect([backoffs.count(), backoffs.problems()]).toEqual([0, []]);
  expect(failMs()).toBe(firstMs);
});

it('are those of one object', () => {
  const { backoffs } = setUp();
  backoffs.afterFailure(patch(), 'no');
  expect([backoffs.has(patch()), backoffs.has(patch('u2'))]).toEqual([true, false]);
});

it('the next one to end is the earliest', () => {
  const { backoffs } = setUp();
  backoffs.untilObserved(patch('u2'));
  backoffs.afterFailure(patch(), 'no');
  expect(backoffs.nextMonotonicMs()).toBeLessThanOrEqual(1_000);
  expect(backoffs.problems()).toStrictEqual(['no']);
});
