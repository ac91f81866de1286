import { describe, expect, it } from '@jest/globals';
import { digestOf } from '../../../../test/kit/digests.js';
import { recorded } from '../../../../test/kit/records.js';
import { GPU, gpuPod, OFED, ofed, ownGpu, policyFor, sharedCluster } from '../../../../test/kit/shared-nodes.js';
import { after, driverPod, node, NOW, policyOf, snapshot, stateAfter } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';

/** A state label that is lost or removed ends no maintenance: the record has its participants. */

const wants = { ofed: digestOf('new') };
const broken = driverPod('a', { ready: false, containers: [{ name: 'mofed-container', ready: false, restarts: 11 }] });

describe('a node whose state label is gone and whose cordon is not the companion’s', () => {
  const validated = policyOf({}, { rollout: { validation: { resources: ['rdma/hca'] } } });

  it('is not done while its driver is broken or not validated', () => {
    const cordon = { unschedulable: true, cordonTime: '2026-11-20T09:00:00Z' };
    const a = node('a', { state: '', annotations: recorded({ wants }), ...cordon });
    const next = (policy: typeof validated, pod: typeof broken) =>
      stateAfter(decide(snapshot({ nodes: [a], pods: [pod] }), policy, NOW), a);
    expect(next(policyOf(), broken)).toBe('upgrade-failed');
    expect(next(validated, driverPod('a'))).toBe('validation-required');
    expect(next(policyOf(), driverPod('a'))).toBe('upgrade-done');
  });

  it('becomes due like any other if its driver is outdated', () => {
    const a = node('a', { state: '', annotations: recorded({ wants }) });
    const b = node('b', { state: 'cordon-required', annotations: recorded({ wants }) });
    const pods = [driverPod('a', { digest: 'old' }), driverPod('b', { digest: 'old' })];
    expect(stateAfter(decide(snapshot({ nodes: [a, b], pods }), policyOf(), NOW), a)).toBe('upgrade-required');
  });
});

describe('a node that is out for two drivers, and loses the label of one', () => {
  const record = { cordon: '', wants: { ...wants, gpu: digestOf('new') } };
  const both = policyFor([ofed(), ownGpu()]);

  it.each([
    { state: 'validation-required', expected: 'pod-restart-required' },
    { state: 'upgrade-failed', expected: 'upgrade-failed' },
  ])('is not done for it: $state', ({ state, expected }) => {
    const labels = { [OFED.state]: state };
    const a = node('a', { labels, unschedulable: true, annotations: recorded(record) });
    const pods = [driverPod('a'), { ...gpuPod('a', 'new'), ready: false }];
    const from = sharedCluster({ nodes: [a], pods });
    const next = after(from, decide(from, both, NOW)).nodes[0];
    expect(next).toMatchObject({ unschedulable: true, labels: { [GPU.state]: expected } });
  });

  it('keeps its cordon, whose time the companion has not seen, where the other one is done and this one due again', () => {
    const labels = { [OFED.state]: 'upgrade-done' };
    const annotations = recorded({ cordon: '', wants: { gpu: digestOf('new') } });
    const a = node('a', { labels, unschedulable: true, annotations });
    const from = sharedCluster({ nodes: [a], pods: [driverPod('a'), gpuPod('a')] });
    const next = after(from, decide(from, both, NOW)).nodes[0];
    expect(next).toMatchObject({ unschedulable: true, labels: { [GPU.state]: 'pod-restart-required' } });
    expect(next?.annotations).not.toHaveProperty([GPU.initialState]);
  });
});

describe('a node whose cordon has no time yet, and whose maintenance was for a section that is removed', () => {
  it('is given back', () => {
    const labels = { [OFED.state]: 'upgrade-done', [GPU.state]: 'pod-restart-required' };
    const annotations = recorded({ cordon: '', wants: { gpu: digestOf('new') } });
    const a = node('a', { labels, unschedulable: true, annotations });
    const from = sharedCluster({ nodes: [a], pods: [driverPod('a')] });
    expect(after(from, decide(from, policyFor([ofed()]), NOW)).nodes[0]?.unschedulable).toBe(false);
  });
});
