import { expect, it } from '@jest/globals';
import { fc } from '../../../../test/kit/fast-check.js';
import { claimingPodsOf, type ClaimingPods } from './claiming-pods.js';

const claim = (...podUids: readonly string[]) => ({ namespace: 'default', name: 'gpu', podUids });
const PODS = Array.from({ length: 3_000 }, (_, index) => `pod-${index}`);
const held = (pods: ClaimingPods): readonly string[] => PODS.filter((uid) => pods.has(uid));

it('is the same value while no pod comes or goes', () => {
  const pods = claimingPodsOf([claim('pod-1')]);
  const changes = [
    { before: claim('pod-1'), after: claim('pod-1') },
    { before: undefined, after: claim() },
  ];
  expect(pods.after(changes)).toBe(pods);
});

it('has a pod until its last claim is gone', () => {
  const pods = claimingPodsOf([claim('pod-1', 'pod-2'), claim('pod-1')]);
  const fewer = pods.after([{ before: claim('pod-1', 'pod-2'), after: undefined }]);
  const none = fewer.after([{ before: claim('pod-1'), after: claim() }]);
  expect([pods, fewer, none].map(held)).toEqual([['pod-1', 'pod-2'], ['pod-1'], []]);
});

it('is what a set of all claims would be, and never changes', () => {
  const some = fc.array(fc.integer({ min: 0, max: PODS.length - 1 }), { maxLength: 700 });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 6 }), (rounds) => {
      // One claim for each pod, which comes and goes.
      const now = new Set<string>();
      let pods = claimingPodsOf([]);
      const seen: { readonly pods: ClaimingPods; readonly expected: readonly string[] }[] = [];
      for (const round of rounds) {
        const changes = round.map((index) => {
          const uid = `pod-${index}`;
          const isHeld = now.has(uid);
          if (isHeld) now.delete(uid);
          else now.add(uid);
          return isHeld ? { before: claim(uid), after: undefined } : { before: undefined, after: claim(uid) };
        });
        pods = pods.after(changes);
        seen.push({ pods, expected: PODS.filter((uid) => now.has(uid)) });
      }
      for (const one of seen) expect(held(one.pods)).toEqual(one.expected);
    }),
    { numRuns: 50 },
  );
});
