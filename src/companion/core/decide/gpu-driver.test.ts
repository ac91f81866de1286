import { expect, it } from '@jest/globals';
import { GPU, gpuPod, gpuSet, ofed, policyFor, weftGpu } from '../../../../test/kit/shared-nodes.js';
import { daemonSet, driverPod, node, NOW, patchesOf, pod, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';

it('a GPU driver waits for OFED on a node that has no room for its pods yet, although its own restart moves none', () => {
  const names = ['a', 'b'];
  const seen = snapshot({
    nodes: names.map((name) => node(name, { labels: { [GPU.state]: 'upgrade-required' } })),
    pods: names.flatMap((name) => [
      ...[gpuPod(name), driverPod(name, { digest: 'old' })],
      pod(name, `user-${name}`, { resourceNames: ['nvidia.com/gpu'] }),
    ]),
    daemonSets: [{ ...gpuSet(), configDigest: 'same' }, daemonSet()],
  });
  const revisions = seen.revisions.map((one) => ({ ...one, configDigest: 'same' }));
  const unlimited = { maxParallelUpgrades: 0, drain: { enable: true } };
  const decision = decide({ ...seen, revisions }, policyFor([ofed(unlimited), weftGpu(unlimited)]), NOW);
  const cordoned = patchesOf(decision).filter(({ unschedulable }) => unschedulable === true);
  expect(cordoned.map((one) => `${one.driver} on ${one.node}`)).toEqual(['ofed on a']);
  expect(decision.waiting.filter((one) => one.node === 'b').map(({ driver, kind }) => `${driver}: ${kind}`)).toEqual([
    'ofed: evicted-pods',
    'weft-gpu: evicted-pods',
  ]);
});
