import { describe, expect, it } from '@jest/globals';
import { evictedPods, oldDriverPod } from '../../../../test/kit/drains.js';
import { recorded } from '../../../../test/kit/records.js';
import { keys, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import type { SnapshotInput } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import type { Decision, EvictionRecord, SnapshotNode, SnapshotPod } from '../../model/types.js';

const policy = policyOf({ maxParallelUpgrades: 0, drain: { timeoutSeconds: 300 } });
const draining = (name: string, seconds: number) =>
  node(name, {
    state: 'drain-required',
    unschedulable: true,
    annotations: recorded({ cordon: '', since: { 'drain-required': NOW / 1000 - seconds } }),
  });
const waiting = (name: string) => node(name, { state: 'upgrade-required', annotations: recorded({ due: ['ofed'] }) });
const work = (name: string) => pod(name, `w-${name}`, { labels: { app: 'w' } });

/** Names of the nodes whose drain the decision starts. */
const started = (decision: Decision) =>
  patchesOf(decision).flatMap(({ node: name, steps }) => (steps.some(({ row }) => row === 'jobs-over') ? [name] : []));
const podWaits = ({ waiting: all }: Decision) =>
  all.flatMap(({ kind, node: name, message }) => (kind === 'evicted-pods' ? [`${name}: ${message}`] : []));

/** A decision on these nodes, each with a pod and an outdated driver. */
const decideOn = (
  nodes: readonly SnapshotNode[],
  pods: readonly SnapshotPod[] = [],
  more: SnapshotInput = {},
  by = policy,
) => {
  const theirs = nodes.flatMap(({ name }) => [oldDriverPod(name), work(name)]);
  return decide(snapshot({ nodes, pods: [...theirs, ...pods], ...more }), by, NOW);
};

describe('decide: as many nodes start at the same time as have started before', () => {
  const abc = ['a', 'b', 'c'].map(waiting);
  it.each([
    { name: 'the first alone', others: [], expected: ['a'] },
    { name: 'one follows one', others: [draining('x', 5)], expected: ['a'] },
    { name: 'two follow two', others: [draining('x', 5), draining('y', 90)], expected: ['a', 'b'] },
    { name: 'none for five seconds', others: [draining('x', 4.9)], expected: [] },
    {
      name: 'one of two has just started',
      others: [draining('x', 1), draining('y', 5), draining('z', 5)],
      expected: ['a'],
    },
    {
      name: 'nodes that are done are no evidence of places',
      others: ['x', 'y'].map((name) => ({ ...draining(name, 90), labels: { [keys.state]: 'upgrade-done' } })),
      expected: ['a'],
    },
    { name: 'a start time ahead of the clock does not count', others: [draining('x', -60)], expected: ['a'] },
  ])('$name', ({ others, expected }) => {
    expect(started(decideOn([...others, ...abc]))).toEqual(expected);
  });
});

describe('decide: nodes whose jobs are over', () => {
  const by = policyOf({ maxParallelUpgrades: 0, drain: {}, waitForCompletion: { podSelector: 'job=x' } });
  const ofJobs = (name: string) =>
    node(name, {
      state: 'wait-for-jobs-required',
      unschedulable: true,
      annotations: recorded({ cordon: '', since: { 'wait-for-jobs-required': NOW / 1000 - 60 } }),
    });

  it('drain one after the other', () => {
    const decision = decideOn([ofJobs('a'), ofJobs('b')], [], {}, by);
    expect(started(decision)).toEqual(['a']);
    expect(podWaits(decision)).toEqual(['b: 1 node just started; more follow when their evicted pods have nodes']);
  });

  it('wait for one that has just started', () => {
    expect(started(decideOn([draining('x', 1), ofJobs('a')], [], {}, by))).toEqual([]);
    expect(started(decideOn([draining('x', 5), ofJobs('a')], [], {}, by))).toEqual(['a']);
  });
});

describe('decide: an evicted pod and its successor', () => {
  const restarting = (seconds: number) =>
    node('x', {
      state: 'pod-restart-required',
      unschedulable: true,
      annotations: recorded({
        ...{ cordon: '', since: { 'drain-required': NOW / 1000 - 60 } },
        restarts: { ofed: NOW / 1000 - seconds },
      }),
    });
  const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'uid-db' };
  const ending = pod('x', 'db-0', { deletionMs: NOW + 30_000, controller });
  const successor = (nodeName: string, input: Partial<SnapshotPod> = {}) =>
    pod(nodeName, 'db-0', { uid: 'uid-next', createdMs: NOW - 1000, controller, ...input });
  const gone = { firstMs: NOW - 20_000, uids: new Set([ending.uid]) };
  const evicted = new Map([['x', new Map([[controller.uid, gone]])]]);
  const missing = 'a: a pod that was evicted from x is not replaced yet';
  const placeless = 'a: pod apps/db-0 has no node; it replaces one that was evicted from x';

  it.each([
    { name: 'it ends', first: draining('x', 60), pods: [ending], expected: [missing] },
    { name: 'it is gone', first: draining('x', 60), pods: [], expected: [missing] },
    { name: 'its drain is over', first: restarting(4.9), pods: [], expected: [missing] },
    { name: 'its drain has been over for long', first: restarting(5), pods: [], expected: [] },
    { name: 'its successor has no node', first: restarting(5), pods: [successor('')], expected: [placeless] },
    { name: 'its successor has one', first: draining('x', 60), pods: [successor('b')], expected: [] },
    { name: 'and it still ends', first: draining('x', 60), pods: [ending, successor('b')], expected: [] },
    {
      name: 'it does not end',
      first: draining('x', 60),
      pods: [{ ...ending, deletionMs: NOW - 30_000 }],
      expected: [],
    },
    { name: 'it is gone, and another stays', first: draining('x', 60), pods: [pod('x', 'w')], expected: [] },
    { name: 'its drain lasts', first: draining('x', 600), pods: [ending], expected: [] },
  ])('$name', ({ first, pods, expected }) => {
    const nodes = [first, waiting('a')];
    const theirs = [oldDriverPod('x'), oldDriverPod('a'), work('a')].map((one) => ({
      ...one,
      createdMs: NOW - 60_000,
    }));
    const decision = decide(snapshot({ nodes, pods: [...theirs, ...pods], evicted }), policy, NOW);
    expect(podWaits(decision)).toEqual(expected);
  });

  it.each([
    { name: 'the scheduler says that no other node would take it', more: { fitsEmptyNodes: 0 }, expected: [] },
    { name: 'those that would take it have one', more: { fitsEmptyNodes: 1 }, expected: [] },
    { name: 'one more would take it when it is free', more: { fitsEmptyNodes: 2 }, expected: [placeless] },
    {
      name: 'it is of a Deployment, and would fit beside another one',
      more: { fitsEmptyNodes: 1, controller: { ...controller, kind: 'ReplicaSet' } },
      expected: [placeless],
    },
    {
      name: 'it is of a Deployment, and no other node would take it',
      more: { fitsEmptyNodes: 0, controller: { ...controller, kind: 'ReplicaSet' } },
      expected: [],
    },
    { name: 'it is of a job', more: { controller: { ...controller, kind: 'PyTorchJob' } }, expected: [] },
  ])('has no node, and $name', ({ more, expected }) => {
    const peer = pod('b', 'db-1', { controller, createdMs: NOW - 60_000, ...more });
    const pods = [oldDriverPod('x'), oldDriverPod('a'), work('a'), peer, successor('', more)];
    const nodes = [restarting(5), waiting('a'), node('b'), node('c')];
    expect(podWaits(decide(snapshot({ nodes, pods, evicted }), policy, NOW))).toEqual(expected);
  });

  const gpu = { resourceNames: ['nvidia.com/gpu'] };
  it.each([
    { name: 'no other node is in service', others: [], expected: [] },
    { name: 'another node may take it', others: [node('b')], expected: [placeless] },
    { name: 'every other node has one', others: [node('b')], taken: ['b'], expected: [] },
    { name: 'the other one is cordoned', others: [node('b', { unschedulable: true })], expected: [] },
    { name: 'the other one lacks what it asks for', others: [node('b')], asks: gpu, expected: [] },
    {
      name: 'the other one offers what it asks for',
      others: [node('b', { allocatable: { 'nvidia.com/gpu': '8' } })],
      asks: gpu,
      expected: [placeless],
    },
    {
      name: 'the other one has a taint that its node does not have',
      others: [node('b', { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] })],
      expected: [],
    },
  ])('has no node: $name', ({ others, taken = [], asks = {}, expected }) => {
    const peers = ['a', ...taken].map((name) =>
      pod(name, `db-${name}`, { controller, createdMs: NOW - 60_000, ...asks }),
    );
    const pods = [oldDriverPod('x'), oldDriverPod('a'), ...peers, successor('', asks)];
    const nodes = [restarting(5), waiting('a'), ...others];
    expect(podWaits(decide(snapshot({ nodes, pods, evicted }), policy, NOW))).toEqual(expected);
  });
});

describe('decide: PodDisruptionBudgets that several nodes need', () => {
  const budgets = [{ namespace: 'apps', name: 'w', selector: { matchLabels: { app: 'w' } }, disruptionsAllowed: 1 }];
  const message = 'a: PodDisruptionBudget apps/w is needed for x first';
  const on = (first: SnapshotNode, more: SnapshotInput = {}) =>
    decideOn([first, waiting('a')], [], { budgets, ...more });
  const record = (outcome: EvictionRecord['outcome']): SnapshotInput => {
    const times = { nextAttemptMs: NOW + 1000, firstAttemptMs: NOW - 1000 };
    return { evictions: new Map([['uid-w-x', { podUid: 'uid-w-x', attempts: 1, outcome, message: 'no', ...times }]]) };
  };

  it('one node at a time evicts the pods of a budget', () => {
    expect(podWaits(on(draining('x', 60)))).toEqual([message]);
    expect(podWaits(on(draining('x', 60), record('refused')))).toEqual([message]);
  });

  it('nodes of one decision count', () => {
    const nodes = [draining('x', 60), draining('y', 60), waiting('a'), waiting('b')];
    const pods = [oldDriverPod('a'), work('a'), oldDriverPod('b'), work('b')];
    const decision = decide(snapshot({ nodes, pods, budgets }), policy, NOW);
    expect(podWaits(decision)).toEqual(['b: PodDisruptionBudget apps/w is needed for a first']);
  });
});

describe('decide: a node whose patch was refused', () => {
  const refused = (name: string, failures: number, untilMs = NOW + 1000): SnapshotInput => ({
    refusedPatches: new Map([[name, { message: 'a webhook says no', failures, untilMs }]]),
  });
  const one = policyOf({ maxParallelUpgrades: 1, drain: {} });
  const decideRefused = (input: SnapshotInput, nodes = [waiting('a'), waiting('b')]) => {
    const pods = nodes.flatMap(({ name }) => [oldDriverPod(name), work(name)]);
    return decide(snapshot({ nodes, pods, ...input }), one, NOW);
  };

  it('is tried again after all others', () => {
    expect(started(decideRefused(refused('a', 5, NOW)))).toEqual(['b']);
    expect(started(decideRefused(refused('a', 5, NOW), [waiting('a')]))).toEqual(['a']);
  });

  it('stays as it is when it is in progress, and holds back no other node after a few times', () => {
    const budgets = [{ namespace: 'apps', name: 'w', selector: {}, disruptionsAllowed: 1 }];
    const nodes = [draining('a', 60), waiting('b')];
    const decision = decideOn(nodes, [], { budgets, ...refused('a', 5) });
    expect(evictedPods(decision)).toEqual([]);
    expect(started(decision)).toEqual(['b']);
    expect(started(decideOn(nodes, [], { budgets, ...refused('a', 4) }))).toEqual([]);
  });

  it('has just started, although a patch after that was refused once', () => {
    expect(started(decideOn([draining('a', 1), waiting('b')], [], refused('a', 1)))).toEqual([]);
  });
});

describe('decide: warnings before the first eviction', () => {
  const companion = pod('a', 'weft-companion', {
    labels: { 'weft.dev/component': 'companion', [keys.skipDrain]: 'true' },
  });

  it('does not evict the companion', () => {
    const nodes = [draining('a', 10)];
    expect(
      evictedPods(decide(snapshot({ nodes, pods: [oldDriverPod('a'), companion, work('a')] }), policy, NOW)),
    ).toEqual(['w-a']);
  });
});
