import { expect, it } from '@jest/globals';
import { createCadence } from './cadence.js';

/** Clocks that advance with decisions. */
function setUp() {
  let nowMs = 5_000;
  let processorMs = 700;
  const clock = {
    now: () => NaN,
    monotonicMs: () => nowMs,
    processorMs: () => processorMs,
    after: () => () => undefined,
  };
  const cadence = createCadence(clock);
  const pass = (ms: number) => void (nowMs += ms);
  const decide = (ms: number, computedMs = ms) =>
    cadence.timed(() => {
      pass(ms);
      processorMs += computedMs;
    });
  return { cadence, pass, decide };
}

it('the first decision does not wait', () => {
  expect(setUp().cadence.leftMs()).toBe(0);
});

it.each([
  { name: 'a fast decision', tookMs: 2, computedMs: 2, pauseMs: 50 },
  { name: 'a decision of a large cluster', tookMs: 280, computedMs: 280, pauseMs: 840 },
  { name: 'a decision on a busy processor', tookMs: 900, computedMs: 280, pauseMs: 840 },
  { name: 'a decision during which other threads collect garbage', tookMs: 280, computedMs: 500, pauseMs: 840 },
  { name: 'a machine that stalled', tookMs: 60_000, computedMs: 10, pauseMs: 50 },
])('$name is followed by a pause of $pauseMs ms', ({ tookMs, computedMs, pauseMs }) => {
  const { cadence, pass, decide } = setUp();
  decide(tookMs, computedMs);
  expect(cadence.leftMs()).toBe(pauseMs);
  pass(pauseMs - 1);
  expect(cadence.leftMs()).toBe(1);
  pass(1_000_000);
  expect(cadence.leftMs()).toBe(0);
});

it('takes at most a quarter of the time however often something changes', () => {
  const { cadence, pass, decide } = setUp();
  let deciding = 0;
  let total = 0;
  for (const tookMs of [40, 400, 250, 90, 170]) {
    decide(tookMs);
    deciding += tookMs;
    total += tookMs + cadence.leftMs();
    pass(cadence.leftMs());
  }
  expect(deciding / total).toBeLessThanOrEqual(1 / 4);
});
