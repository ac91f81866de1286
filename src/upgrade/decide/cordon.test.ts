import { describe, expect, it } from '@jest/globals';
import { IN_PROGRESS_STATES } from '../../contract/labels.js';
import { ago, driverPod, keys, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../test/kit/snapshots.js';
import { decide } from './decide.js';
import type { SnapshotNode } from '../model/types.js';

const FIRST = '2026-01-06T12:00:00Z';
const SECOND = '2026-01-06T12:30:00Z';
const policy = policyOf({ drain: { timeoutSeconds: 0 } });

function decideOn(state: string, mark: string, cordonTime: string | undefined, more: Partial<SnapshotNode> = {}) {
  const annotations = { [keys.cordoned]: mark, [keys.drainStart]: ago(5), ...more.annotations };
  const one = { ...node('a', { state, unschedulable: true }), ...more, annotations };
  const pods = [driverPod('a', { digest: 'old' }), pod('a', 'work')];
  const nodes = [cordonTime === undefined ? one : { ...one, cordonTime }];
  return decide(snapshot({ nodes, pods }), policy, NOW);
}

const marksAfter = (...args: Parameters<typeof decideOn>) =>
  patchesOf(decideOn(...args)).map(({ annotations }) => [annotations[keys.cordoned], annotations[keys.initialState]]);

describe('decide: a cordon that was lifted and set again before the companion saw that', () => {
  it.each(IN_PROGRESS_STATES)('is kept at the end of a flow in %s', (state) => {
    expect(marksAfter(state, FIRST, SECOND)).toEqual([[null, 'true']]);
  });

  it.each(['upgrade-failed', 'upgrade-done', ''])('loses the mark in "%s"', (state) => {
    expect(marksAfter(state, FIRST, SECOND)).toEqual([[null, undefined]]);
  });

  it('is there before the upgrade of a node that is tried again', () => {
    expect(marksAfter('upgrade-required', FIRST, SECOND)).toEqual([[null, 'true']]);
  });

  it.each([
    { name: 'the mark has its time', mark: FIRST, cordonTime: FIRST },
    { name: 'the mark has no time yet', mark: 'true', cordonTime: FIRST },
  ])('is the companion’s where $name', ({ mark, cordonTime }) => {
    const [patch] = patchesOf(decideOn('uncordon-required', mark, cordonTime));
    expect(patch).toMatchObject({ unschedulable: false, annotations: { [keys.cordoned]: null } });
  });

  it('is another one while it has no time: the node lifecycle controller has not seen it yet', () => {
    expect(marksAfter('uncordon-required', FIRST, undefined)).toEqual([[null, 'true']]);
  });

  it.each(['upgrade-required', 'upgrade-failed', ''])(
    'is not the companion’s in "%s" where the operator recorded that it was there before its upgrade',
    (state) => {
      const [patch] = patchesOf(decideOn(state, 'true', FIRST, { annotations: { [keys.initialState]: 'true' } }));
      expect(patch?.unschedulable).toBeUndefined();
      expect(patch?.annotations).toMatchObject({ [keys.cordoned]: null });
      expect(patch?.annotations).not.toHaveProperty([keys.initialState]);
    },
  );

  it('is the companion’s where the operator recorded it, and the mark has its time', () => {
    const recorded = { annotations: { [keys.initialState]: 'true' } };
    expect(marksAfter('upgrade-required', FIRST, FIRST, recorded)).toEqual([[undefined, null]]);
  });

  it.each([
    { name: 'the companion’s where the mark has its time', mark: FIRST, expected: [undefined, undefined] },
    { name: 'not where the mark has no time', mark: 'true', expected: [null, undefined] },
  ])('on a node that the operator finished is $name', ({ mark, expected }) => {
    // The operator labels a node without a state label as done, and keeps its cordon.
    const [patch] = patchesOf(decideOn('upgrade-done', mark, FIRST));
    expect([patch?.annotations[keys.cordoned], patch?.annotations[keys.initialState]]).toEqual(expected);
  });

  it('is dated as soon as it has a time, once', () => {
    expect(marksAfter('drain-required', 'true', FIRST)).toEqual([[FIRST, undefined]]);
    expect(marksAfter('drain-required', FIRST, FIRST)).toEqual([]);
    expect(marksAfter('drain-required', 'true', undefined)).toEqual([]);
  });

  it('is not dated while the taint of an earlier one is still there', () => {
    const nodes = [node('a', { state: 'cordon-required', cordonTime: FIRST })];
    const [patch] = patchesOf(decide(snapshot({ nodes, pods: [driverPod('a', { digest: 'old' })] }), policy, NOW));
    expect(patch).toMatchObject({ unschedulable: true, annotations: { [keys.cordoned]: 'true' } });
  });

  it('is not replaced where it was only lifted', () => {
    const annotations = { [keys.cordoned]: FIRST, [keys.drainStart]: ago(5) };
    const nodes = [node('a', { state: 'drain-required', annotations })];
    const [patch] = patchesOf(decide(snapshot({ nodes, pods: [driverPod('a', { digest: 'old' })] }), policy, NOW));
    expect(patch?.steps[0]?.row).toBe('cordon-lifted');
  });

  it('is not lifted if the operator recorded it, and the annotation has no time', () => {
    const annotations = { [keys.cordoned]: 'true', [keys.drainStart]: ago(600), [keys.initialState]: 'true' };
    const nodes = [node('a', { state: 'drain-required', unschedulable: true, annotations })];
    const pods = [driverPod('a', { digest: 'old' }), pod('a', 'work')];
    const [patch] = patchesOf(decide(snapshot({ nodes, pods }), policyOf({ drain: { timeoutSeconds: 300 } }), NOW));
    expect(patch?.steps.map(({ row }) => row)).toEqual(['drain-timed-out']);
    expect(patch?.unschedulable).toBeUndefined();
  });

  it('is dated with the next step', () => {
    const annotations = { [keys.cordoned]: 'true', [keys.drainStart]: ago(5) };
    const empty = node('a', { state: 'drain-required', unschedulable: true, annotations });
    const nodes = [{ ...empty, cordonTime: FIRST }];
    const [patch] = patchesOf(decide(snapshot({ nodes, pods: [driverPod('a', { digest: 'old' })] }), policy, NOW));
    expect(patch?.steps.map(({ row }) => row)).toEqual(['drained']);
    expect(patch?.annotations[keys.cordoned]).toBe(FIRST);
  });
});
