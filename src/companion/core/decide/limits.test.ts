import { describe, expect, it } from '@jest/globals';
import { begun, cordoned, fleet, gpuBudget, waitsOf } from '../../../../test/kit/decide-fleets.js';
import { digestOf } from '../../../../test/kit/digests.js';
import { ago, driverPod, keys, node, NOW, orphan, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { PRE_PULL_DIGEST_LABEL, PRE_PULL_LABEL } from '../../../shared/contract/labels.js';
import { decide } from './decide.js';
import type { SnapshotPod } from '../model/types.js';

const ours = { [keys.cordoned]: 'true' };
const oldPod = driverPod('a', { digest: 'old' });
const required = (name: string, more: Parameters<typeof node>[1] = {}) =>
  node(name, { state: 'upgrade-required', ...more, annotations: { [keys.outdated]: 'true', ...more.annotations } });
const old = (name: string) => driverPod(name, { digest: 'old' });

describe('decide: what counts', () => {
  it('a failed node that another flow has does not count as failed', () => {
    const theirs = { state: 'upgrade-failed', ...cordoned, annotations: { [keys.requestorMode]: 'true' } };
    const nodes = [node('x', theirs), required('y')];
    expect(begun(decide(snapshot({ nodes, pods: [old('x'), old('y')] }), policyOf(), NOW))).toEqual(['y']);
  });

  it('a node in progress takes its slot although another program uncordoned it and a taint took its driver pod', () => {
    const taints = [{ key: 'problem', value: '', effect: 'NoExecute' }];
    const lost = node('x', { state: 'pod-restart-required', taints, annotations: { [keys.restartStart]: ago(60) } });
    const decision = decide(snapshot({ nodes: [lost, required('y')], pods: [old('y')] }), policyOf(), NOW);
    expect([begun(decision), waitsOf(decision)['y']]).toEqual([[], 'slot']);
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

it('tells the first of several windows', () => {
  const maintenanceWindows = ['0 23 * * *', '0 14 * * *', '0 22 * * *'].map((schedule) => ({
    schedule,
    duration: '1h',
  }));
  const policy = policyOf({}, { rollout: { maintenanceWindows } });
  const { waiting, wakeMs } = decide(fleet({ a: {} }), policy, NOW);
  const opensMs = Date.parse('2026-11-20T14:00:00Z');
  expect(waiting.map(({ kind, untilMs }) => ({ kind, untilMs }))).toEqual([{ kind: 'window', untilMs: opensMs }]);
  expect(wakeMs).toBe(opensMs);
});

describe('the image of the new driver', () => {
  const pulling = policyOf({}, { rollout: { prePull: true } });
  const puller = (input: Partial<SnapshotPod>) =>
    pod('a', 'puller', {
      namespace: 'nno',
      labels: { [PRE_PULL_LABEL]: 'ofed', [PRE_PULL_DIGEST_LABEL]: digestOf('new') },
      ...input,
    });

  it.each([
    { name: 'is there when the pod that pulls it is ready', input: { ready: true }, expected: ['a'] },
    { name: 'is not there while that pod runs and is not ready', input: { ready: false }, expected: [] },
    {
      name: 'is not there while that pod is pending',
      input: { ready: false, phase: 'Pending' as const },
      expected: [],
    },
  ])('$name', ({ input, expected }) => {
    const waiting = { annotations: { [keys.prePullStart]: ago(10) } };
    expect(begun(decide(fleet({ a: waiting }, { pods: [puller(input)] }), pulling, NOW))).toEqual(expected);
  });
});
