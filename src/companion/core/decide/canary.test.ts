import { describe, expect, it } from '@jest/globals';
import {
  ago,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  patchesOf,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import { GPU, gpuPod, ofed, ownGpu, policyFor, sharedCluster } from '../../../../test/kit/shared-nodes.js';
import { recorded } from '../../../../test/kit/records.js';
import { rolloutName } from '../../participants/driver/driver-view.js';
import { podIndexOf } from '../../model/pod-index.js';
import { fleet, begun, four, cordoned, busy, failed, waitsOf } from '../../../../test/kit/decide-fleets.js';

describe('decide: canaries', () => {
  const soaking = policyOf({ maxParallelUpgrades: 0 }, { rollout: { canary: { nodes: 2, soak: '10m' } } });
  const last = snapshot({ nodes: [node('z', { state: 'uncordon-required', ...cordoned })], pods: [driverPod('z')] });
  const doneAnnotation = patchesOf(decide(last, soaking, NOW))[0]?.annotations[keys.done];
  const rollout = String(doneAnnotation).split(' ')[0] ?? '';
  const done = (seconds: number, of = rollout) => ({
    state: 'upgrade-done',
    annotations: { [keys.done]: `${of} ${ago(seconds)}` },
  });

  it.each([
    { name: 'so many go first', nodes: four, expected: ['a', 'b'], waits: 'canary' },
    { name: 'one is done, one may go', nodes: { ...four, a: done(10) }, expected: ['b'], waits: 'canary' },
    { name: 'one is done, one is at work', nodes: { ...four, a: done(10), b: busy }, expected: [], waits: 'canary' },
    { name: 'both soak', nodes: { ...four, a: done(9999), b: done(599) }, expected: [], waits: 'soak' },
    { name: 'both have soaked', nodes: { ...four, a: done(9999), b: done(600) }, expected: ['c', 'd'] },
    {
      name: 'those of another rollout do not count',
      nodes: { ...four, a: done(9999, 'x'), b: done(9999, 'x') },
      expected: ['c', 'd'],
      waits: undefined,
    },
    {
      name: 'nodes that were in sync do not count',
      nodes: { ...four, a: { state: 'upgrade-done' }, b: { state: 'upgrade-done' }, e: {} },
      expected: ['c', 'd'],
      waits: 'canary',
    },
  ])('$name', ({ nodes, expected, waits }) => {
    const decision = decide(fleet(nodes), soaking, NOW);
    expect(begun(decision)).toEqual(expected);
    if (waits !== undefined) expect(decision.waiting.map(({ kind }) => kind)).toContain(waits);
  });

  it('one that is done keeps its place while it is out for another driver', () => {
    const policy = policyFor([ofed({ maxParallelUpgrades: 0 }), ownGpu()], { canary: { nodes: 1 } });
    const desired = rolloutName([['mofed', daemonSet().digest]]);
    const annotations = { [keys.done]: `${desired} ${ago(10)}`, ...recorded({ cordon: '' }) };
    const labels = (gpu: string) => ({ [GPU.state]: gpu });
    const nodes = (gpu: string) => [
      node('a', { state: 'upgrade-done', labels: labels(gpu), unschedulable: gpu !== 'upgrade-done', annotations }),
      node('b', { state: 'upgrade-required', labels: labels('upgrade-done') }),
    ];
    const pods = [driverPod('a'), gpuPod('a', 'new'), driverPod('b', { digest: 'old' }), gpuPod('b', 'new')];
    const begunWhile = (gpu: string) => begun(decide(sharedCluster({ nodes: nodes(gpu), pods }), policy, NOW));
    expect(begunWhile('pod-restart-required')).toEqual([]);
  });

  it('two that are out for another driver do not wait for each other', () => {
    const policy = policyFor([ofed({ maxParallelUpgrades: 0 }), ownGpu()], { canary: { nodes: 1 } });
    const annotations = recorded({ cordon: '', wants: { ofed: daemonSet().digest } });
    const labels = { [GPU.state]: 'upgrade-required' };
    const out = (name: string) =>
      node(name, { state: 'pod-restart-required', labels, unschedulable: true, annotations });
    const next = node('c', { state: 'upgrade-done', labels });
    const pods = ['a', 'b', 'c'].flatMap((name) => [driverPod(name), gpuPod(name, 'old')]);
    const decision = decide(sharedCluster({ nodes: [out('a'), out('b'), next], pods }), policy, NOW);
    const started = patchesOf(decision).filter(
      (patch) => (patch.labels[GPU.state] ?? 'upgrade-required') !== 'upgrade-required',
    );
    expect(started.map(({ driver, node: on }) => `${driver} on ${on}`)).toEqual(['gpu on a']);
  });

  it('one that loses its label while it is out keeps its place', () => {
    const policy = policyFor([ofed({ maxParallelUpgrades: 0 }), ownGpu()], { canary: { nodes: 1 } });
    const annotations = recorded({ cordon: '', wants: { ofed: daemonSet().digest, gpu: 'new' } });
    const labels = { [GPU.state]: 'pod-restart-required' };
    const lost = node('a', { state: '', labels, unschedulable: true, annotations });
    const next = node('b', { state: 'upgrade-required', labels: { [GPU.state]: 'upgrade-done' } });
    const pods = [driverPod('a'), gpuPod('a', 'new'), driverPod('b', { digest: 'old' }), gpuPod('b', 'new')];
    expect(begun(decide(sharedCluster({ nodes: [lost, next], pods }), policy, NOW))).toEqual([]);
  });

  it.each([
    { name: 'the chosen go first', nodes: { ...four, d: { labels: { canary: 'yes' } } }, expected: ['d'] },
    {
      name: 'the chosen are done and in sync',
      nodes: { ...four, d: { state: 'upgrade-done', labels: { canary: 'yes' } } },
      expected: ['a', 'b', 'c'],
    },
    {
      name: 'the chosen failed, and somebody has to repair it',
      nodes: { ...four, d: { ...failed, labels: { canary: 'yes' } } },
      expected: [],
      waits: 'canary-missing',
    },
    { name: 'no node is chosen, and none begins', nodes: four, expected: [], waits: 'canary-missing' },
  ])('with a selector: $name', ({ nodes, expected, waits }) => {
    const policy = policyOf(
      { maxParallelUpgrades: 0 },
      { rollout: { failureBudget: 9, canary: { nodeSelector: { canary: 'yes' } } } },
    );
    const decision = decide(fleet(nodes), policy, NOW);
    expect(begun(decision)).toEqual(expected);
    if (waits !== undefined) expect(waitsOf(decision)['a']).toBe(waits);
  });

  it('counts the possible canaries, and reports that there are fewer', () => {
    const policy = policyOf(
      { maxParallelUpgrades: 0 },
      { rollout: { canary: { nodes: 5, nodeSelector: { canary: 'yes' } } } },
    );
    const chosen = { labels: { canary: 'yes' } };
    const before = decide(fleet({ a: {}, b: chosen, c: chosen }), policy, NOW);
    expect(begun(before)).toEqual(['b', 'c']);
    expect(before.findings.find(({ kind }) => kind === 'canaries-missing')?.message).toBe(
      'the policy asks for 5 canaries, but only 2 nodes can be canaries: the other nodes follow these',
    );
    const finished = { ...chosen, state: 'upgrade-done' };
    expect(begun(decide(fleet({ a: {}, b: finished, c: finished }), policy, NOW))).toEqual(['a']);
  });

  it.each([
    { name: 'a little ahead of the clock', seconds: -299, readyAgo: 599, expected: [] },
    {
      name: 'far ahead of the clock, and the driver is ready for as long as the soak',
      readyAgo: 600,
      expected: ['c', 'd'],
    },
    { name: 'far ahead of the clock, and the driver is not ready for so long', readyAgo: 599, expected: [] },
    { name: 'far ahead of the clock, and the driver is not ready', ready: false, readyAgo: 600, expected: [] },
  ])('the time of a canary that is done is $name', ({ seconds = -301, ready = true, readyAgo, expected }) => {
    const inputs = { ...four, a: done(9999), b: done(seconds) };
    const cluster = fleet(inputs);
    const pods = [...cluster.pods].map((one) => ({ ...one, ready, readyChangedMs: NOW - readyAgo * 1000 }));
    expect(begun(decide({ ...cluster, pods: podIndexOf(pods) }, soaking, NOW))).toEqual(expected);
  });

  it('wakes when the soak ends', () => {
    const decision = decide(fleet({ ...four, a: done(9999), b: done(599) }), soaking, NOW);
    expect(decision.wakeMs).toBe(NOW + 1000);
  });
});
