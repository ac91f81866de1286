import { expect, it } from '@jest/globals';
import { createCadence } from './cadence.js';

/** A clock that decisions move. */
function setUp() {
  let nowMs = 5_000;
  const cadence = createCadence({ now: () => NaN, monotonicMs: () => nowMs, after: () => () => undefined });
  const pass = (ms: number) => void (nowMs += ms);
  const decide = (ms: number) => cadence.timed(() => pass(ms));
  return { cadence, pass, decide };
}

it('the first decision waits for nothing', () => {
  expect(setUp().cadence.leftMs()).toBe(0);
});

it.each([
  { name: 'a fast decision', tookMs: 2, pauseMs: 50 },
  { name: 'a decision of a large cluster', tookMs: 280, pauseMs: 840 },
  { name: 'a machine that stalled', tookMs: 60_000, pauseMs: 10_000 },
])('$name is followed by a pause of $pauseMs ms', ({ tookMs, pauseMs }) => {
  const { cadence, pass, decide } = setUp();
  decide(tookMs);
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
