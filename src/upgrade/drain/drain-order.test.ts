import { describe, expect, it } from '@jest/globals';
import { evictedPods, oldDriverPod, secondsAgo, yieldingNodes } from '../../../test/kit/drains.js';
import {
  driverPod,
  gpuPolicy,
  keys,
  node,
  NOW,
  patchesOf,
  pod,
  policyOf,
  snapshot,
} from '../../../test/kit/snapshots.js';
import { driverKeys } from '../../contract/labels.js';
import type { UpgradePolicy } from '../../contract/upgrade-policy.js';
import { decide } from '../decide/decide.js';
import type { Decision, SnapshotNode, SnapshotPod } from '../model/types.js';

const policy = (drain: object = {}) => policyOf({ maxParallelUpgrades: 0, drain: { timeoutSeconds: 300, ...drain } });
const draining = (name: string, seconds = 100) =>
  node(name, {
    state: 'drain-required',
    unschedulable: true,
    annotations: { [keys.cordoned]: 'true', [keys.drainStart]: secondsAgo(seconds) },
  });
const restarting = (name: string) =>
  node(name, {
    state: 'pod-restart-required',
    unschedulable: true,
    annotations: { [keys.cordoned]: 'true', [keys.restartStart]: secondsAgo(5) },
  });
const work = (on: string, name = `w-${on}`, input: Partial<SnapshotPod> = {}) =>
  pod(on, name, { labels: { app: 'w' }, ...input });
const pending = (name: string, seconds: number, unschedulable = true) =>
  pod('', name, { phase: 'Pending', ready: false, unschedulable, createdMs: NOW - seconds * 1000 });
const begun = (decision: Decision) =>
  patchesOf(decision).flatMap(({ node: name, steps }) => (steps.some(({ row }) => row === 'begin') ? [name] : []));

describe('which node keeps the free capacity', () => {
  const decideOn = (nodes: readonly SnapshotNode[], more: readonly SnapshotPod[], drain: object = {}) => {
    const pods = [...nodes.flatMap(({ name }) => [oldDriverPod(name), work(name)]), ...more];
    return decide(snapshot({ nodes, pods }), policy(drain), NOW);
  };

  it.each([
    { name: 'the first by name where all have as many pods', order: ['b', 'a'] },
    { name: 'the same in another order', order: ['a', 'b'] },
  ])('$name', ({ order }) => {
    expect(
      yieldingNodes(
        decideOn(
          order.map((name) => draining(name)),
          [pending('p', 60)],
        ),
      ),
    ).toEqual(['b']);
  });

  it('does not depend on nodes of the maintenance operator', () => {
    const theirs = { ...restarting('x'), annotations: { [keys.requestorMode]: 'true' } };
    expect(yieldingNodes(decideOn([draining('a'), draining('b'), theirs], [pending('p', 60)]))).toEqual(['b']);
  });

  it('counts pods that were created since the drains began, not since an earlier upgrade', () => {
    const done = node('c', { state: 'upgrade-done', annotations: { [keys.drainStart]: secondsAgo(500) } });
    expect(yieldingNodes(decideOn([draining('a'), draining('b'), done], [pending('p', 200)]))).toEqual([]);
  });

  it.each([
    { name: 'a pod that waits longest counts', pods: [pending('p', 60), pending('q', 10)], expected: ['b'] },
    { name: 'in any order', pods: [pending('q', 10), pending('p', 60)], expected: ['b'] },
    { name: 'a pod that the scheduler has not tried', pods: [pending('p', 60, false)], expected: [] },
  ])('$name', ({ pods, expected }) => {
    expect(yieldingNodes(decideOn([draining('a'), draining('b')], pods))).toEqual(expected);
  });

  it.each([
    { timeoutSeconds: 40, seconds: 10, expected: ['b'] },
    { timeoutSeconds: 40, seconds: 9, expected: [] },
    { timeoutSeconds: 0, seconds: 60, expected: ['b'] },
    { timeoutSeconds: 0, seconds: 59, expected: [] },
  ])('after $seconds s with a time-out of $timeoutSeconds s: $expected', ({ timeoutSeconds, seconds, expected }) => {
    const nodes = [draining('a', 15), draining('b', 15)].map((one) => ({
      ...one,
      annotations: { ...one.annotations, [keys.drainStart]: secondsAgo(timeoutSeconds === 0 ? 100 : 15) },
    }));
    expect(yieldingNodes(decideOn(nodes, [pending('p', seconds)], { timeoutSeconds }))).toEqual(expected);
  });

  it('a node alone waits for its drain’s own time', () => {
    const without = decideOn([draining('a')], []).wakeMs;
    expect(without).toBeDefined();
    expect(decideOn([draining('a')], [pending('p', 10)]).wakeMs).toBe(without);
  });
});

describe('which evictions wait for those of another node', () => {
  const budget = (disruptionsAllowed: number, name = 'w') => ({
    ...{ namespace: 'apps', name, disruptionsAllowed },
    selector: { matchLabels: { app: name } },
  });
  const free = (on: string, count: number) =>
    Array.from({ length: count }, (_, index) => pod(on, `f${index}-${on}`, { labels: { drain: 'me' } }));
  const others = (names: readonly string[]) => names.filter((name) => !name.startsWith('f'));

  const ending = work('a', 'w-a', { deletionMs: NOW + 20_000 });
  const ofDaemonSet = work('a', 'w-a', {
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent' },
  });
  const drainsSome = { podSelector: 'drain=me' };
  const chosen = { labels: { app: 'w', drain: 'me' } };
  it.each([
    { name: 'a pod that has to be moved', first: work('a'), drain: {}, expected: ['w-a'] },
    { name: 'nothing if the pod is terminating', first: ending, drain: {}, expected: ['w-b'] },
    {
      name: 'nothing if it is finished',
      first: work('a', 'w-a', { phase: 'Succeeded' }),
      drain: {},
      expected: ['w-a', 'w-b'],
    },
    { name: 'nothing if it is of a DaemonSet', first: ofDaemonSet, drain: {}, expected: ['w-b'] },
    {
      name: 'nothing if it has the skip label',
      first: work('a', 'w-a', { labels: { app: 'w', [keys.skipDrain]: 'true' } }),
      drain: {},
      expected: ['w-b'],
    },
    { name: 'nothing if the drain skips it', first: work('a'), drain: drainsSome, expected: ['w-b'] },
    {
      name: 'nothing in another namespace',
      first: work('a', 'w-a', { namespace: 'other' }),
      drain: {},
      expected: ['w-a', 'w-b'],
    },
  ])('the node with fewer pods needs $name of the budget', ({ first, drain, expected }) => {
    const nodes = [draining('a'), draining('b')];
    const pods = [
      oldDriverPod('a'),
      first,
      ...free('a', 1),
      oldDriverPod('b'),
      work('b', 'w-b', chosen),
      ...free('b', 3),
    ];
    const foreignDaemonSets = new Map([['apps/agent', 'present' as const]]);
    const before = snapshot({ nodes, pods, budgets: [budget(1)], foreignDaemonSets });
    expect(others(evictedPods(decide(before, policy(drain), NOW)))).toEqual(expected);
  });

  it('a budget that no other node needs is tried although it allows nothing', () => {
    const nodes = [draining('a'), draining('b')];
    const pods = [oldDriverPod('a'), ...free('a', 1), oldDriverPod('b'), work('b'), ...free('b', 3)];
    expect(others(evictedPods(decide(snapshot({ nodes, pods, budgets: [budget(0)] }), policy(), NOW)))).toEqual([
      'w-b',
    ]);
  });

  it('a budget without a selector covers no pod', () => {
    const all = { namespace: 'apps', name: 'all', disruptionsAllowed: 0 };
    const nodes = [draining('a'), draining('b')];
    const pods = [oldDriverPod('a'), work('a'), oldDriverPod('b'), work('b')];
    expect(evictedPods(decide(snapshot({ nodes, pods, budgets: [all] }), policy(), NOW))).toEqual(['w-a', 'w-b']);
  });

  it('a budget that does not suffice for one node is left for the next', () => {
    const nodes = [draining('a'), draining('b'), draining('c')];
    const two = [work('b'), work('b', 'v-b')];
    const pods = [
      oldDriverPod('a'),
      work('a'),
      oldDriverPod('b'),
      ...two,
      oldDriverPod('c'),
      work('c'),
      ...free('c', 3),
    ];
    const decision = decide(snapshot({ nodes, pods, budgets: [budget(2)] }), policy(), NOW);
    expect(others(evictedPods(decision))).toEqual(['w-a', 'w-c']);
  });

  it('a node whose driver is being restarted needs no evictions', () => {
    const nodes = [restarting('a'), draining('b')];
    const loading = driverPod('a', { ready: false });
    const pods = [loading, work('a'), oldDriverPod('b'), work('b'), ...free('b', 3)];
    expect(others(evictedPods(decide(snapshot({ nodes, pods, budgets: [budget(1)] }), policy(), NOW)))).toEqual([
      'w-b',
    ]);
  });

  it('a node begins whose pods need another budget', () => {
    const waiting = node('c', { state: 'upgrade-required', annotations: { [keys.outdated]: 'true' } });
    const nodes = [draining('b'), waiting, restarting('x'), node('y'), node('z')];
    const theirs = pod('c', 'v-c', { labels: { app: 'v' } });
    const pods = [
      oldDriverPod('b'),
      work('b'),
      oldDriverPod('c'),
      theirs,
      driverPod('x', { ready: false }),
      driverPod('y'),
      driverPod('z'),
    ];
    const budgets = [budget(1), budget(0, 'v')];
    expect(begun(decide(snapshot({ nodes, pods, budgets }), policy(), NOW))).toEqual(['c']);
  });
});

describe('which nodes wait for free capacity', () => {
  const spared = { labels: { [keys.skipDrain]: 'true' } };
  const agent = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent' };
  const gated = policyOf(
    { maxParallelUpgrades: 0, drain: {} },
    { gate: { kind: 'ready-file', label: 'mofed.wait', podSelectors: ['gated=yes'] } },
  );
  it.each<{ name: string; pods: readonly SnapshotPod[]; waits: boolean; by?: UpgradePolicy }>([
    { name: 'one with a pod of a controller', pods: [work('c')], waits: true },
    { name: 'one without pods', pods: [], waits: false },
    { name: 'one with a mirror pod', pods: [work('c', 'm', { mirror: true })], waits: false },
    { name: 'one with a pod of a DaemonSet', pods: [work('c', 'd', { controller: agent })], waits: false },
    { name: 'one with a pod that is spared', pods: [work('c', 's', spared)], waits: false },
    { name: 'one with a finished pod', pods: [work('c', 'f', { phase: 'Succeeded' })], waits: false },
    { name: 'one with emptyDir data', pods: [work('c', 'e', { emptyDir: true })], waits: true },
    {
      name: 'one with a gated pod',
      pods: [work('c', 'g', { labels: { gated: 'yes' }, namespace: 'nno' })],
      waits: false,
      by: gated,
    },
    {
      name: 'one that is not drained',
      pods: [work('c')],
      waits: false,
      by: policyOf({ maxParallelUpgrades: 0, drain: { enable: false } }),
    },
  ])('$name: $waits', ({ pods, waits, by = policyOf({ maxParallelUpgrades: 0, drain: {} }) }) => {
    const waiting = node('c', { state: 'upgrade-required', annotations: { [keys.outdated]: 'true' } });
    const nodes = [draining('a'), waiting, node('y'), node('z')];
    const all = [
      oldDriverPod('a'),
      work('a'),
      oldDriverPod('c'),
      ...pods,
      driverPod('y'),
      driverPod('z'),
      pending('p', 20),
    ];
    const decision = decide(snapshot({ nodes, pods: all }), by, NOW);
    expect(begun(decision)).toEqual(waits ? [] : ['c']);
  });

  it('one whose resource pods are moved, although it is not drained', () => {
    const gpu = driverKeys('gpu');
    const annotations = { [gpu.cordoned]: 'true', [gpu.podDeletionStart]: secondsAgo(100) };
    const nodes = [
      node('a', { state: 'pod-deletion-required', prefix: 'gpu', unschedulable: true, annotations }),
      node('c', { state: 'upgrade-required', prefix: 'gpu', annotations: { [gpu.outdated]: 'true' } }),
      node('y'),
    ];
    const holder = (on: string) => work(on, `w-${on}`, { resourceNames: ['nvidia.com/gpu'] });
    const pods = [oldDriverPod('a'), holder('a'), oldDriverPod('c'), holder('c'), driverPod('y'), pending('p', 20)];
    const decision = decide(snapshot({ nodes, pods }), gpuPolicy({ maxParallelUpgrades: 0 }), NOW);
    expect(begun(decision)).toEqual([]);
  });
});
