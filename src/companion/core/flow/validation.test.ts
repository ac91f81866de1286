import { describe, expect, it } from '@jest/globals';
import { OFED_GATE_LABEL } from '../../../shared/contract/labels.js';
import {
  driverPod,
  keys,
  node,
  NOW,
  patchesOf,
  pod,
  policyOf,
  snapshot,
  stateAfter,
} from '../../../../test/kit/snapshots.js';
import { decide } from '../decide/decide.js';
import type { SnapshotPod } from '../../model/types.js';

const STARTED = NOW - 60_000;
const policy = policyOf(
  {},
  {
    gate: { kind: 'ready-file', label: OFED_GATE_LABEL, podSelectors: ['app=plugin'] },
    rollout: { validation: { resources: ['rdma/*', 'nvidia.com/mlnx_a'], gatedPods: true } },
  },
);
const gated = (startedMs: number, input: Partial<SnapshotPod> = {}) =>
  pod('a', 'plugin-1', {
    ...{ namespace: 'nno', labels: { app: 'plugin' } },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'plugin', uid: 'uid-plugin' },
    containers: [{ name: 'plugin', ready: true, restarts: 0, startedMs }],
    ...input,
  });
const BEFORE = JSON.stringify({ resources: { 'rdma/a': '63', 'rdma/b': '1' }, gatedPods: 1 });

describe('what a node had before its upgrade', () => {
  const allocatable = { cpu: '64', 'rdma/a': '63', 'rdma/b': '1', 'rdma/none': '0', 'example.com/x': '2' };
  const outdated = [driverPod('a', { digest: 'old' }), gated(STARTED)];

  it('is recorded when the upgrade begins', () => {
    const [patch] = patchesOf(decide(snapshot({ nodes: [node('a', { allocatable })], pods: outdated }), policy, NOW));
    expect(patch?.annotations[keys.before]).toBe(BEFORE);
  });

  it('does not change when the node is retried', () => {
    const again = node('a', { state: 'upgrade-required', allocatable: {}, annotations: { [keys.before]: BEFORE } });
    const [patch] = patchesOf(decide(snapshot({ nodes: [again], pods: outdated }), policy, NOW));
    expect(patch?.annotations).not.toHaveProperty([keys.before]);
  });

  it('is not recorded if the policy compares nothing', () => {
    const plain = policyOf({}, { rollout: { validation: { resources: ['rdma/a'] } } });
    const [patch] = patchesOf(decide(snapshot({ nodes: [node('a', { allocatable })], pods: outdated }), plain, NOW));
    expect(patch?.annotations).not.toHaveProperty([keys.before]);
  });
});

describe('the validation after it', () => {
  const driver = driverPod('a', {
    containers: [{ name: 'mofed-container', ready: true, restarts: 0, startedMs: STARTED }],
  });
  const full = { 'rdma/a': '63', 'rdma/b': '1', 'nvidia.com/mlnx_a': '8' };

  it.each([
    { name: 'all is there', allocatable: full, pods: [gated(STARTED + 1)], waits: undefined },
    {
      name: 'a resource that is named is missing',
      allocatable: { ...full, 'nvidia.com/mlnx_a': '0' },
      pods: [gated(STARTED + 1)],
      waits: 'the node offers no nvidia.com/mlnx_a',
    },
    {
      name: 'a resource of the prefix has become less',
      allocatable: { ...full, 'rdma/a': '62' },
      pods: [gated(STARTED + 1)],
      waits: 'the node offers 62 rdma/a, and offered 63 before its upgrade',
    },
    {
      name: 'a gated pod is gone',
      allocatable: full,
      pods: [],
      waits: '0 pods wait for the driver, and 1 did before its upgrade',
    },
    {
      name: 'a gated pod is older than the driver',
      allocatable: full,
      pods: [gated(STARTED - 1)],
      waits: 'pod nno/plugin-1, which waits for the driver, is not ready',
    },
    {
      name: 'a gated pod is not ready',
      allocatable: full,
      pods: [gated(STARTED + 1, { ready: false })],
      waits: 'pod nno/plugin-1, which waits for the driver, is not ready',
    },
  ])('$name', ({ allocatable, pods, waits }) => {
    const annotations = { [keys.before]: BEFORE, [keys.validationStart]: String(NOW / 1000 - 5) };
    const one = node('a', { state: 'validation-required', unschedulable: true, allocatable, annotations });
    const decision = decide(snapshot({ nodes: [one], pods: [driver, ...pods] }), policy, NOW);
    expect(decision.waiting.map(({ message }) => message)).toEqual(waits === undefined ? [] : [waits]);
    expect(stateAfter(decision, one)).toBe(waits === undefined ? 'upgrade-done' : 'validation-required');
    if (waits === undefined) expect(patchesOf(decision)[0]?.annotations[keys.before]).toBeNull();
  });

  it('compares no resource that the policy does not ask for any more', () => {
    const annotations = { [keys.before]: BEFORE, [keys.validationStart]: String(NOW / 1000 - 601) };
    const one = node('a', { state: 'validation-required', unschedulable: true, allocatable: {}, annotations });
    const other = policyOf({}, { rollout: { validation: { resources: ['example.com/*'] } } });
    const decision = decide(snapshot({ nodes: [one], pods: [driver] }), other, NOW);
    expect(stateAfter(decision, one)).toBe('upgrade-done');
  });

  it('takes a record that cannot be read for none', () => {
    const annotations = { [keys.before]: '{', [keys.validationStart]: String(NOW / 1000 - 5) };
    const one = node('a', { state: 'validation-required', unschedulable: true, allocatable: full, annotations });
    const decision = decide(snapshot({ nodes: [one], pods: [driver, gated(STARTED + 1)] }), policy, NOW);
    expect(stateAfter(decision, one)).toBe('upgrade-done');
  });
});
