import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFakePorts } from '../../../../test/kit/story-ports.js';
import { createWorld } from '../../../../test/kit/story-world.js';
import { createActuator, type Actuator } from './actuator.js';
import { createRequestResults } from '../observe/request-results.js';
import type { Action, DeletePod, EvictionOutcome, EvictPod } from '../../model/types.js';

const OUTCOMES: readonly EvictionOutcome[] = [
  { kind: 'accepted' },
  { kind: 'gone' },
  { kind: 'refused', message: 'no' },
];

/** An actor over an API server that answers when it is told to, and what that was asked for. */
function setUp() {
  const ports = createFakePorts(createWorld(), '');
  const asked: string[] = [];
  const waiting: ((outcome: EvictionOutcome) => void)[] = [];
  ports.cluster.evictPod = ({ uid }) => {
    asked.push(uid);
    return new Promise((resolve) => waiting.push(resolve));
  };
  ports.cluster.deletePod = ({ uid }) => {
    asked.push(uid);
    return Promise.resolve({ kind: 'gone', message: '' });
  };
  const actuator = createActuator(ports, {
    permission: () => 'granted',
    results: createRequestResults(ports.clock, ports.random),
    concurrency: 2,
    changed: () => undefined,
    done: () => undefined,
    crashed: (error) => {
      throw error;
    },
  });
  const answer = (count: number, outcome: EvictionOutcome) => waiting.splice(0, count).forEach((one) => one(outcome));
  return { actuator, asked, answer };
}

const evictionOf = (index: number): EvictPod => {
  const uid = `uid-${index}`;
  return { kind: 'evictPod', driver: 'ofed', node: 'a', namespace: 'apps', name: `p${index}`, uid };
};
const deletionOf = (index: number): DeletePod => ({
  ...evictionOf(index),
  kind: 'deletePod',
  reason: 'driver-restart',
});

/** Everything but the evictions that come after the first so many. */
function cut(actions: readonly Action[], actuator: Actuator): readonly Action[] {
  let left = actuator.mostEvictions();
  return actions.filter(({ kind }) => kind !== 'evictPod' || left-- > 0);
}

const everythingThatCanGoOn = () => new Promise((resolve) => setImmediate(resolve));

describe('an actuator', () => {
  it('sends the same of a decision that names no more evictions than it can use', async () => {
    const step = fc.record({
      gone: fc.nat(12),
      deletions: fc.array(fc.integer({ min: 0, max: 45 }), { maxLength: 3 }),
      answers: fc.nat(6),
      outcome: fc.constantFrom(...OUTCOMES),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const free = setUp();
        const limited = setUp();
        for (const { gone, deletions, answers, outcome } of steps) {
          const actions: Action[] = Array.from({ length: 40 - gone }, (_, index) => evictionOf(gone + index));
          for (const place of deletions) actions.splice(place, 0, deletionOf(1000 + place));
          await free.actuator.carryOut(actions);
          await limited.actuator.carryOut(cut(actions, limited.actuator));
          await everythingThatCanGoOn();
          free.answer(answers, outcome);
          limited.answer(answers, outcome);
          await everythingThatCanGoOn();
          expect(limited.asked).toEqual(free.asked);
        }
      }),
    );
  });
});
