import { expect, it } from '@jest/globals';
import { createFakePorts } from '../../../../test/kit/fake-ports.js';
import { createCluster } from '../../../../test/kit/idle-cluster.js';
import { createWake } from './wake.js';

function setUp() {
  const ports = createFakePorts(createCluster(), '');
  const wake = createWake(ports.clock);
  const start = ports.clock.monotonicMs();
  /** How long a sleep lasts. */
  const slept = async (ms: number) => {
    const from = ports.clock.monotonicMs();
    await ports.runUntil(wake.sleep(ms));
    return ports.clock.monotonicMs() - from;
  };
  return { ports, wake, start, slept };
}

it('sleeps as long as it is told to, again and again', async () => {
  const { slept } = setUp();
  expect([await slept(1000), await slept(300)]).toEqual([1000, 300]);
});

it('an event ends a sleep, and only that one', async () => {
  const { ports, wake, slept } = setUp();
  ports.clock.after(400, wake.fire);
  expect([await slept(1000), await slept(1000)]).toEqual([400, 1000]);
});

it('an event between two sleeps skips the next one, and only that one', async () => {
  const { wake, slept } = setUp();
  await slept(10);
  wake.fire();
  expect([await slept(1000), await slept(1000)]).toEqual([0, 1000]);
});

it('a sleep that an event ends leaves no timer', async () => {
  const { ports, slept, start, wake } = setUp();
  ports.clock.after(400, wake.fire);
  await slept(1000);
  await expect(ports.runUntil(new Promise(() => undefined))).rejects.toThrow('nothing will ever happen');
  expect(ports.clock.monotonicMs()).toBe(start + 400);
});
