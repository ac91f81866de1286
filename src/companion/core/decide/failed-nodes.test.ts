import { describe, expect, it } from '@jest/globals';
import { digestOf } from '../../../../test/kit/digests.js';
import { begun, cordoned, failed, fleet } from '../../../../test/kit/decide-fleets.js';
import { after, keys, node, NOW, patchesOf, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from './decide.js';

const ours = { [keys.cordoned]: 'true' };
const ofOther = { [keys.wanted]: digestOf('broken'), [keys.failure]: 'it broke' };
const ofThis = { [keys.wanted]: digestOf('new'), [keys.failure]: 'it broke' };

describe('a mended release', () => {
  it('is tried on the failed nodes, as many at a time as the budgets allow', () => {
    const annotations = { ...failed.annotations, ...ofOther };
    const nodes = { a: { ...failed, annotations }, b: { ...failed, annotations }, c: {} };
    expect(begun(decide(fleet(nodes), policyOf({ maxParallelUpgrades: 1 }), NOW))).toEqual(['a']);
    expect(begun(decide(fleet(nodes), policyOf({ maxParallelUpgrades: 3 }), NOW))).toEqual(['a', 'b', 'c']);
  });
});

describe('a failed node that no longer gets a driver', () => {
  const left = node('a', {
    state: 'upgrade-failed',
    ...cordoned,
    annotations: { ...ours, ...ofThis },
    labels: { nic: 'no' },
  });

  it('is told, with what frees it', () => {
    const { waiting, findings } = decide(snapshot({ nodes: [left] }), policyOf(), NOW);
    const why = 'DaemonSet mofed selects nic=yes, and the node has nic=no';
    const free = `to free it, uncordon it and remove its label ${keys.state}`;
    const message = `it gets no driver: ${why}; ${free}; it failed: it broke`;
    expect(waiting.map((one) => [one.kind, one.message])).toEqual([['failed-uncovered', message]]);
    expect(findings.filter(({ kind }) => kind === 'node-failed').map((one) => one.message)).toEqual([message]);
  });

  it('is at rest when it is uncordoned and its label is removed', () => {
    const freed = { ...left, labels: { nic: 'no' }, unschedulable: false };
    const before = snapshot({ nodes: [freed] });
    const first = decide(before, policyOf(), NOW);
    const then = decide(after(before, first), policyOf(), NOW);
    expect(patchesOf(first).map(({ unschedulable }) => unschedulable)).toEqual([undefined]);
    expect([then.actions, then.waiting]).toEqual([[], []]);
  });
});
