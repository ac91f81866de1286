import { describe, expect, it } from '@jest/globals';
import { ago, driverPod, keys, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';

/** What `docs/guide/when-it-breaks.md` tells people to do by hand. */
const policy = policyOf({ drain: {} });
const CORDON = '2026-11-20T11:00:00Z';
const ofDrain = { [keys.cordoned]: CORDON, [keys.drainStart]: ago(60_000), [keys.restartStart]: ago(60_000) };
const outdated = [driverPod('a', { digest: 'old' })];
const inSync = [driverPod('a')];

describe('a node that is given back: skipped, set to upgrade-required, and uncordoned', () => {
  const labels = { [keys.skip]: 'true' };

  it.each([
    { name: 'before it is uncordoned', unschedulable: true },
    { name: 'after it is uncordoned', unschedulable: false },
  ])('is left alone $name', ({ unschedulable }) => {
    const cordon = unschedulable ? { unschedulable, cordonTime: CORDON } : {};
    const nodes = [node('a', { state: 'upgrade-required', labels, annotations: ofDrain, ...cordon })];
    const decision = decide(snapshot({ nodes, pods: outdated }), policy, NOW);
    expect(patchesOf(decision).flatMap((one) => [one.unschedulable, ...one.steps])).toEqual([undefined]);
    expect(decision.waiting.map(({ kind }) => kind)).toEqual(['skip']);
  });
});

describe('a node whose state was removed after the API server was restored', () => {
  const nodes = [node('a', { state: '', unschedulable: true, cordonTime: CORDON, annotations: ofDrain })];
  const stateAfter = (pods: typeof inSync) => {
    const [patch] = patchesOf(decide(snapshot({ nodes, pods }), policy, NOW));
    return { state: patch?.labels[keys.state], unschedulable: patch?.unschedulable };
  };

  it('is done and uncordoned, if its driver is in sync', () => {
    expect(stateAfter(inSync)).toEqual({ state: 'upgrade-done', unschedulable: false });
  });

  it('is drained again, if its driver is outdated, and does not fail for its old start times', () => {
    expect(stateAfter([...outdated, pod('a', 'w')])).toEqual({ state: 'drain-required', unschedulable: undefined });
  });
});
