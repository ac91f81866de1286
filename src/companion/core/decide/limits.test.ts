import { describe, expect, it } from '@jest/globals';
import { begun, cordoned, fleet, waitsOf } from '../../../../test/kit/decide-fleets.js';
import { recorded } from '../../../../test/kit/records.js';
import { driverPod, gpuPolicy, node, NOW, orphan, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';

const oldPod = driverPod('a', { digest: 'old' });
const required = (name: string, more: Parameters<typeof node>[1] = {}) =>
  node(name, {
    state: 'upgrade-required',
    ...more,
    annotations: { ...recorded({ due: ['ofed'] }), ...more.annotations },
  });
const old = (name: string) => driverPod(name, { digest: 'old' });

describe('decide: what counts', () => {
  it('a node that this decision cordons is unavailable', () => {
    const annotations = recorded({ due: ['gpu'] });
    const nodes = [
      node('x', { prefix: 'gpu', state: 'cordon-required' }),
      node('y', { prefix: 'gpu', state: 'upgrade-required', annotations }),
    ];
    const policy = gpuPolicy({ maxUnavailable: 1, maxParallelUpgrades: 0 });
    const decision = decide(snapshot({ nodes, pods: [old('x'), old('y')] }), policy, NOW);
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

describe('decide: when to decide again', () => {
  it('is the next attempt of an eviction, by the monotonic clock', () => {
    const draining = node('a', {
      ...{ state: 'drain-required', ...cordoned },
      annotations: recorded({ cordon: '', since: { 'drain-required': NOW / 1000 - 10 } }),
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
