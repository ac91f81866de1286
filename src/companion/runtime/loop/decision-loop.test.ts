import { expect, it } from '@jest/globals';
import { node, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import type { Decision } from '../../model/types.js';
import { decisionLoop, type LoopPort } from './decision-loop.js';

/** A port that pauses in every wait, is over after so many decisions, and logs what is asked of it. */
function logged(decisions: readonly Partial<Decision>[], confirmedAt = Infinity) {
  const log: string[] = [];
  let made = 0;
  const empty: Decision = { actions: [], waiting: [], findings: [], daemonSetLookups: [], counts: [] };
  const port: LoopPort<string, string> = {
    clock: { now: () => 7 },
    *ready() {
      if (made === decisions.length) return { end: 'over' };
      yield 'ready';
      return { policy: policyOf() };
    },
    snapshot: () => snapshot({ nodes: [node('a')] }),
    mostEvictions: () => 3,
    timed: (compute) => {
      const value = compute();
      log.push('timed');
      return value;
    },
    relist: () => void log.push('relist'),
    *decided() {
      yield 'decided';
      log.push('decided');
      return made === confirmedAt ? { end: 'confirmed' } : undefined;
    },
    act: () => void log.push('act'),
    *wait() {
      yield 'wait';
    },
    decide: (_snapshot, _policy, nowMs, options) => {
      log.push(`decide at ${nowMs}, ${options?.mostEvictions} evictions`);
      return { ...empty, ...decisions[made++] };
    },
  };
  return { port, log };
}

function pausesOf(port: LoopPort<string, string>): readonly (string | undefined)[] {
  const pauses: string[] = [];
  const loop = decisionLoop(port, {});
  for (;;) {
    const step = loop.next();
    if (step.done === true) return [...pauses, step.value];
    pauses.push(step.value);
  }
}

it('observes, decides, reports, acts and waits, again and again', () => {
  const { port, log } = logged([{}, {}]);
  const once = ['ready', 'decided', 'wait'];
  expect(pausesOf(port)).toEqual([...once, ...once, 'over']);
  expect(log.slice(0, 4)).toEqual(['decide at 7, 3 evictions', 'timed', 'decided', 'act']);
});

it('does not act on a decision that ends it', () => {
  const { port, log } = logged([{}, {}], 1);
  expect([pausesOf(port).at(-1), log.includes('act')]).toEqual(['confirmed', false]);
});

it('does not act on caches that may lack the last writes of a controller that has just stopped', () => {
  const runs = { driver: 'ofed', kind: 'controller-runs', message: 'it runs', severity: 'warning' } as const;
  const { port, log } = logged([{ findings: [runs] }, {}, {}]);
  pausesOf(port);
  const without = log.filter((line) => line !== 'timed' && !line.startsWith('decide '));
  expect(without).toEqual(['decided', 'act', 'relist', 'decided', 'act']);
});
