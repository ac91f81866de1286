import { describe, expect, it } from '@jest/globals';
import { begun, gpuBudget, waitsOf } from '../../../test/kit/decide-fleets.js';
import { cordoned, itDecides, oldPod, ours, restarting } from '../../../test/kit/decide-rows.js';
import {
  ago,
  barePod,
  driverPod,
  keys,
  node,
  NOW,
  orphan,
  patchesOf,
  pod,
  policyOf,
  snapshot,
} from '../../../test/kit/snapshots.js';
import { decide } from './decide.js';
import type { SnapshotNode, SnapshotPod } from '../model/types.js';

const MAIN = { name: 'mofed-container', ready: false, restarts: 0 } as const;

itDecides([
  {
    name: 'an image error of a pod that was ready until just now does not last yet',
    node: { state: 'pod-restart-required', ...cordoned, annotations: { ...ours, ...restarting } },
    pods: [
      driverPod('a', {
        ...{ ready: false, createdMs: NOW - 86_400_000, readyChangedMs: NOW - 10_000 },
        containers: [{ ...MAIN, waitingReason: 'ErrImagePull' }],
      }),
    ],
    to: 'pod-restart-required',
    rows: [],
    waits: 'driver-pod',
  },
  {
    name: 'restarts of a container that is ready again are no failure',
    node: { state: 'pod-restart-required', ...cordoned, annotations: { ...ours, ...restarting } },
    pods: [driverPod('a', { ready: false, containers: [MAIN, { name: 'probe', ready: true, restarts: 11 }] })],
    to: 'pod-restart-required',
    rows: [],
    waits: 'driver-pod',
  },
]);

const required = (name: string, more: Parameters<typeof node>[1] = {}) =>
  node(name, { state: 'upgrade-required', ...more, annotations: { [keys.outdated]: 'true', ...more.annotations } });
const old = (name: string) => driverPod(name, { digest: 'old' });

describe('decide: what counts', () => {
  it('a failed node that another flow has does not count as failed', () => {
    const theirs = { state: 'upgrade-failed', ...cordoned, annotations: { [keys.requestorMode]: 'true' } };
    const nodes = [node('x', theirs), required('y')];
    expect(begun(decide(snapshot({ nodes, pods: [old('x'), old('y')] }), policyOf(), NOW))).toEqual(['y']);
  });

  it('a node that this decision cordons is unavailable', () => {
    const gpu = 'nvidia.com/gpu-driver-upgrade-state';
    const nodes = [node('x', { state: 'cordon-required' }), required('y')];
    const policy = gpuBudget(1);
    const decision = decide(snapshot({ nodes, pods: [old('x'), old('y')] }), policy, NOW);
    expect(Object.keys(nodes[0]?.labels ?? {})).not.toContain(gpu);
    expect([begun(decision), waitsOf(decision)['y']]).toEqual([[], 'slot']);
  });
});

describe('decide: a driver is uninstalled, one node may be out of service, and a node that lost the driver', () => {
  const upgradePolicy = { autoUpgrade: true, maxParallelUpgrades: 0 };
  const policies = [{ name: 'NicClusterPolicy', upgradePolicy, daemonSets: [] }];
  const rollout = { pools: [{ name: 'rack', nodeSelector: { rack: '1' }, maxUnavailable: 1 }] };
  const labels = { rack: '1' };
  it.each([
    { name: 'is ready', lost: {}, expected: ['y'] },
    { name: 'did not come back', lost: { ready: 'False' as const }, expected: [] },
    { name: 'is cordoned', lost: cordoned, expected: [] },
  ])('$name', ({ lost, expected }) => {
    const nodes = [node('x', { state: 'upgrade-done', labels, ...lost }), required('y', { labels })];
    const input = { nodes, pods: [orphan('y')], daemonSets: [] };
    const policy = policyOf({}, { uninstall: true, policies, rollout });
    expect(begun(decide(snapshot(input), policy, NOW))).toEqual(expected);
  });
});

describe('decide: a node that waits to load its driver safely, while another has failed', () => {
  const safe = { annotations: { [keys.safeLoad]: 'true' } };
  const failed = node('x', { state: 'upgrade-failed', ...cordoned, annotations: { [keys.failure]: 'x' } });
  const loading = driverPod('y', { ready: false });
  it.each<{ name: string; pods: readonly SnapshotPod[]; expected: readonly string[] }>([
    { name: 'begins on a node without running pods', pods: [loading], expected: ['y'] },
    { name: 'waits where pods would have to leave', pods: [loading, pod('y', 'w')], expected: [] },
    { name: 'waits where its driver is loaded', pods: [driverPod('y')], expected: [] },
  ])('$name', ({ pods, expected }) => {
    const nodes = [failed, required('y', safe)];
    const policy = policyOf({ drain: {} });
    expect(begun(decide(snapshot({ nodes, pods: [old('x'), ...pods] }), policy, NOW))).toEqual(expected);
  });
});

describe('decide: a node that cannot be emptied keeps its cordon', () => {
  const draining = (labels: Record<string, string> = {}): SnapshotNode =>
    node('a', {
      ...{ state: 'drain-required', ...cordoned, labels },
      annotations: { ...ours, [keys.drainStart]: ago(10) },
    });
  const patchOn = (one: SnapshotNode, driver: SnapshotPod) =>
    patchesOf(
      decide(snapshot({ nodes: [one], pods: [driver, barePod('a', 'bare')] }), policyOf({ drain: {} }), NOW),
    )[0];

  it.each([
    { name: 'not before the driver was restarted', one: draining(), driver: oldPod, unschedulable: false },
    {
      name: 'where another driver is upgraded there',
      one: draining({ 'nvidia.com/gpu-driver-upgrade-state': 'drain-required' }),
      driver: oldPod,
      unschedulable: undefined,
    },
    {
      name: 'where its driver pod ends already',
      one: draining(),
      driver: { ...oldPod, deletionMs: NOW + 5_000 },
      unschedulable: undefined,
    },
  ])('$name', ({ one, driver, unschedulable }) => {
    const patch = patchOn(one, driver);
    expect(patch?.labels[keys.state]).toBe('upgrade-failed');
    expect(patch?.unschedulable).toBe(unschedulable);
  });
});

describe('decide: a validation by pods', () => {
  const policy = policyOf({}, { rollout: { validation: { podSelector: 'app=check' } } });
  const one = node('a', {
    ...{ state: 'validation-required', ...cordoned },
    annotations: { ...ours, [keys.validationStart]: ago(5) },
  });
  const check = (input: Partial<SnapshotPod>) => pod('a', 'check', { labels: { app: 'check' }, ...input });
  it.each([
    { name: 'passes with a pod that is ready', input: {}, waits: [] },
    { name: 'waits where the only pod has finished', input: { phase: 'Succeeded' as const }, waits: ['validation'] },
    { name: 'waits where the only pod is ending', input: { deletionMs: NOW + 1000 }, waits: ['validation'] },
  ])('$name', ({ input, waits }) => {
    const decision = decide(snapshot({ nodes: [one], pods: [driverPod('a'), check(input)] }), policy, NOW);
    expect(decision.waiting.map(({ kind }) => kind)).toEqual(waits);
  });
});

describe('decide: when to decide again', () => {
  it('is the next attempt of an eviction, by the monotonic clock', () => {
    const draining = node('a', {
      ...{ state: 'drain-required', ...cordoned },
      annotations: { ...ours, [keys.drainStart]: ago(10) },
    });
    const shiftMs = NOW - 1_000_000;
    const record = {
      podUid: 'uid-w',
      attempts: 1,
      outcome: 'refused',
      message: 'no',
      nextAttemptMs: 1_004_000,
      firstAttemptMs: 0,
    } as const;
    const before = {
      ...snapshot({ nodes: [draining], pods: [oldPod, pod('a', 'w')] }),
      evictions: { byNode: new Map([['a', new Map([['uid-w', record]])]]), shiftMs },
    };
    expect(decide(before, policyOf({ drain: { timeoutSeconds: 0 } }), NOW).wakeMs).toBe(NOW + 4_000);
  });
});
