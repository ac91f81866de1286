import { describe, expect, it } from '@jest/globals';
import { evictedPods, oldDriverPod, secondsAgo } from '../../../../test/kit/drains.js';
import { keys, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import type { SnapshotInput } from '../../../../test/kit/snapshots.js';
import { OFED_GATE_LABEL } from '../../../shared/contract/labels.js';
import { nodeKey } from '../model/snapshot.js';
import { decide } from './decide.js';
import type { Decision, EvictionRecord, SnapshotNode, SnapshotPod } from '../model/types.js';

const policy = policyOf({ maxParallelUpgrades: 0, drain: { timeoutSeconds: 300 } });
const draining = (name: string, seconds: number, annotations: Readonly<Record<string, string>> = {}) =>
  node(name, {
    state: 'drain-required',
    unschedulable: true,
    annotations: { [keys.cordoned]: 'true', [keys.drainStart]: secondsAgo(seconds), ...annotations },
  });
const waiting = (name: string) => node(name, { state: 'upgrade-required', annotations: { [keys.outdated]: 'true' } });
const work = (name: string) => pod(name, `w-${name}`, { labels: { app: 'w' } });

/** Names of the nodes whose drain the decision starts. */
const started = (decision: Decision) =>
  patchesOf(decision).flatMap(({ node: name, steps }) => (steps.some(({ row }) => row === 'jobs-done') ? [name] : []));
const roomWaits = ({ waiting: all }: Decision) =>
  all.flatMap(({ kind, node: name, message }) => (kind === 'room' ? [`${name}: ${message}`] : []));

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
      name: 'nodes that are done are no evidence of room',
      others: ['x', 'y'].map((name) => ({ ...draining(name, 90), labels: { [keys.state]: 'upgrade-done' } })),
      expected: ['a'],
    },
    { name: 'a start time ahead of the clock does not count', others: [draining('x', -60)], expected: ['a'] },
  ])('$name', ({ others, expected }) => {
    expect(started(decideOn([...others, ...abc]))).toEqual(expected);
  });

  it('wakes when the node that has just started has done so', () => {
    expect(decideOn([draining('x', 2), waiting('a')]).wakeMs).toBeLessThanOrEqual(NOW + 3000);
  });

  it('nodes without pods to move wait for none', () => {
    const nodes = [draining('x', 1), waiting('a')];
    expect(started(decide(snapshot({ nodes, pods: [oldDriverPod('a')] }), policy, NOW))).toEqual(['a']);
  });

  it('nodes that wait for jobs are no evidence of room, and wait for room when their jobs are done', () => {
    const withJobs = policyOf({ maxParallelUpgrades: 0, drain: {}, waitForCompletion: { podSelector: 'job=x' } });
    const node1 = (name: string) =>
      node(name, {
        ...{ state: 'wait-for-jobs-required', unschedulable: true },
        annotations: { [keys.cordoned]: 'true', [keys.waitStart]: secondsAgo(600) },
      });
    const nodes = ['a', 'b', 'c'].map(node1);
    const job = pod('c', 'job', { labels: { job: 'x' } });
    const pods = [...nodes.flatMap(({ name }) => [oldDriverPod(name), work(name)]), job];
    const decision = decide(snapshot({ nodes, pods }), withJobs, NOW);
    expect(started(decision)).toEqual(['a']);
    expect(decision.waiting).toMatchObject([{ node: 'a' }, { node: 'b', kind: 'room' }, { node: 'c', kind: 'jobs' }]);
  });
});

describe('decide: pods that replace evicted ones and have no node', () => {
  const pending = (seconds: number, input: Partial<SnapshotPod> = {}) =>
    pod('', 'new', { phase: 'Pending', ready: false, createdMs: NOW - seconds * 1000, ...input });
  /** The pods of `rs` that were evicted from a node this long ago. */
  const evictedFrom = (name: string, seconds: number): SnapshotInput => ({
    evicted: new Map([[nodeKey('ofed', name), new Map([['uid-rs', NOW - seconds * 1000]])]]),
  });
  const old = draining('x', 200);
  const other = { apiVersion: 'batch/v1', kind: 'Job', name: 'big', uid: 'uid-big' };

  it.each([
    { name: 'one stops the others', pod: pending(20), evicted: evictedFrom('x', 30), expected: [] },
    { name: 'one of a node that is done', pod: pending(20), evicted: evictedFrom('done', 30) },
    {
      name: 'one of a node that is validated stops them',
      pod: pending(20),
      evicted: evictedFrom('validated', 30),
      expected: [],
    },
    { name: 'whole seconds are no difference', pod: pending(30.9), evicted: evictedFrom('x', 30), expected: [] },
    { name: 'one of another controller', pod: pending(20, { controller: other }), evicted: evictedFrom('x', 30) },
    { name: 'one that was there before the eviction', pod: pending(40), evicted: evictedFrom('x', 30) },
    { name: 'one of a drain that has lasted ten minutes', pod: pending(20), evicted: evictedFrom('long', 30) },
    { name: 'the same after the drain', pod: pending(20), evicted: evictedFrom('restarting', 30), expected: [] },
    { name: 'one of a drain that began an hour ago', pod: pending(20), evicted: evictedFrom('slow', 30) },
    { name: 'one of a node that failed', pod: pending(20), evicted: evictedFrom('failed', 30) },
    { name: 'one of a node of the maintenance operator', pod: pending(20), evicted: evictedFrom('theirs', 30) },
    { name: 'one of a node that is gone', pod: pending(20), evicted: evictedFrom('gone', 30) },
    { name: 'one that was deleted', pod: pending(20, { deletionMs: NOW }), evicted: evictedFrom('x', 30) },
    { name: 'one that the node itself evicted', pod: pending(20), evicted: evictedFrom('a', 30) },
  ])('$name', ({ pod: one, evicted, expected = ['a'] }) => {
    const failed = node('failed', { state: 'upgrade-failed', labels: { [keys.skip]: 'true' } });
    const theirs = draining('theirs', 200, { [keys.requestorMode]: 'true' });
    const after = (state: string, name: string, seconds: number) => {
      return { ...draining(name, seconds), labels: { [keys.state]: state } };
    };
    const emptied = [
      draining('long', 600),
      after('pod-restart-required', 'restarting', 3599),
      after('pod-restart-required', 'slow', 3600),
      after('validation-required', 'validated', 3599),
    ];
    const nodes = [old, ...emptied, node('done', { state: 'upgrade-done' }), failed, theirs, waiting('a')];
    const unlimited = policyOf({ maxParallelUpgrades: 0, drain: { timeoutSeconds: 0 } });
    expect(started(decideOn(nodes, [one], evicted, unlimited)).filter((name) => name === 'a')).toEqual(expected);
  });

  it('counts pods since the first eviction of any node, not since the last drain', () => {
    const nodes = [draining('x', 200), draining('y', 10), waiting('a')];
    const decision = decideOn(nodes, [pending(150)], evictedFrom('x', 190));
    expect(roomWaits(decision)).toEqual(['a: pod apps/new has no node; it replaces one that was evicted from x']);
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
    expect(roomWaits(on(draining('x', 60)))).toEqual([message]);
    expect(roomWaits(on(draining('x', 60), record('refused')))).toEqual([message]);
  });

  it.each([
    {
      name: 'that waits for jobs',
      first: { ...draining('x', 60), labels: { [keys.state]: 'wait-for-jobs-required' } },
    },
    { name: 'of the maintenance operator', first: draining('x', 60, { [keys.requestorMode]: 'true' }) },
    {
      name: 'that gets no driver',
      first: { ...draining('x', 60), taints: [{ key: 'sick', value: '', effect: 'NoSchedule' }] },
    },
  ])('a node $name takes no part', ({ first }) => {
    const unscheduled = { ...first.annotations, [keys.waitStart]: secondsAgo(60) };
    const jobs = pod('x', 'job', { labels: { job: 'x' } });
    const withJobs = policyOf({ maxParallelUpgrades: 0, drain: {}, waitForCompletion: { podSelector: 'job=x' } });
    const nodes = [{ ...first, annotations: unscheduled }, waiting('a')];
    const pods = [oldDriverPod('x'), work('x'), jobs, oldDriverPod('a'), work('a')];
    expect(roomWaits(decide(snapshot({ nodes, pods, budgets }), withJobs, NOW))).toEqual([]);
  });

  it.each(['error', 'retry'] as const)('a pod whose eviction ends with %s takes no part', (outcome) => {
    expect(started(on(draining('x', 60), record(outcome)))).toEqual(['a']);
  });

  it('a pod that the drain does not evict takes no part', () => {
    const gate = { kind: 'label' as const, label: OFED_GATE_LABEL, podSelectors: ['app=w'] };
    const gated = policyOf({ maxParallelUpgrades: 0, drain: { timeoutSeconds: 300 } }, { gate });
    const other = (name: string) => pod(name, `other-${name}`);
    const pods = ['x', 'a'].flatMap((name) => [oldDriverPod(name), { ...work(name), namespace: 'nno' }, other(name)]);
    const theirs = budgets.map((one) => ({ ...one, namespace: 'nno' }));
    const nodes = [draining('x', 60), waiting('a')];
    expect(roomWaits(decide(snapshot({ nodes, pods, budgets: theirs }), gated, NOW))).toEqual([]);
    expect(roomWaits(decide(snapshot({ nodes, pods, budgets: theirs }), policy, NOW))).not.toEqual([]);
    const moved = pod('x', 'moved', { namespace: 'nno', labels: { app: 'w2' } });
    const all = [{ namespace: 'nno', name: 'all', selector: {}, disruptionsAllowed: 1 }];
    expect(roomWaits(decide(snapshot({ nodes, pods: [...pods, moved], budgets: all }), gated, NOW))).toEqual([]);
  });

  it('nodes of one decision count', () => {
    const nodes = [draining('x', 60), draining('y', 60), waiting('a'), waiting('b')];
    const pods = [oldDriverPod('a'), work('a'), oldDriverPod('b'), work('b')];
    const decision = decide(snapshot({ nodes, pods, budgets }), policy, NOW);
    expect(roomWaits(decision)).toEqual(['b: PodDisruptionBudget apps/w is needed for a first']);
  });
});

describe('decide: a node whose patch was refused', () => {
  const refused = (name: string, failures: number, untilMs = NOW + 1000): SnapshotInput => ({
    refusedPatches: new Map([[nodeKey('ofed', name), { message: 'a webhook says no', failures, untilMs }]]),
  });
  const one = policyOf({ maxParallelUpgrades: 1, drain: {} });
  const decideRefused = (input: SnapshotInput, nodes = [waiting('a'), waiting('b')]) => {
    const pods = nodes.flatMap(({ name }) => [oldDriverPod(name), work(name)]);
    return decide(snapshot({ nodes, pods, ...input }), one, NOW);
  };

  it('waits, and takes no slot', () => {
    const decision = decideRefused(refused('a', 5));
    expect(started(decision)).toEqual(['b']);
    expect(decision.waiting[0]).toMatchObject({
      ...{ node: 'a', kind: 'patch-refused' },
      message: 'its patch was refused 5 times: a webhook says no',
    });
    expect(decision.wakeMs).toBeLessThanOrEqual(NOW + 1000);
  });

  it('keeps the run going while it was refused a few times', () => {
    expect(decideRefused(refused('a', 4)).waiting[0]).toMatchObject({ node: 'a', kind: 'cache-sync' });
  });

  it('keeps its place of a canary while it was refused a few times', () => {
    const canary = { nodeSelector: { canary: 'yes' }, soak: '1m' };
    const canaries = policyOf({ maxParallelUpgrades: 4, drain: {} }, { rollout: { canary } });
    const nodes = [waiting('a'), waiting('b')].map((one) => ({ ...one, labels: { ...one.labels, canary: 'yes' } }));
    const others = [...nodes, waiting('c')];
    const pods = others.flatMap(({ name }) => [oldDriverPod(name), work(name)]);
    const canariesOf = (failures: number) =>
      decide(snapshot({ nodes: others, pods, ...refused('a', failures) }), canaries, NOW).waiting.find(
        ({ node: name }) => name === 'c',
      )?.message;
    expect(canariesOf(4)).toBe('0 of 2 canaries are done');
    expect(canariesOf(5)).toBe('0 of 1 canaries are done');
  });

  it('is tried again after all others', () => {
    expect(started(decideRefused(refused('a', 5, NOW)))).toEqual(['b']);
    expect(started(decideRefused(refused('a', 5, NOW), [waiting('a')]))).toEqual(['a']);
  });

  it('stays as it is when it is in progress, and holds back no other node after a few times', () => {
    const budgets = [{ namespace: 'apps', name: 'w', selector: {}, disruptionsAllowed: 0 }];
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
  const beginning = node('a', { state: 'upgrade-required', annotations: { [keys.outdated]: 'true' } });
  const said = (others: readonly SnapshotNode[], pods: readonly SnapshotPod[]) => {
    const decision = decide(
      snapshot({ nodes: [beginning, ...others], pods: [oldDriverPod('a'), ...pods] }),
      policy,
      NOW,
    );
    expect(evictedPods(decision)).toEqual([]);
    expect(patchesOf(decision).map(({ unschedulable }) => unschedulable)).toContain(true);
    return decision.findings.flatMap(({ kind, message }) => (SAID.has(kind) ? [message] : []));
  };
  const SAID: ReadonlySet<string> = new Set(['no-room', 'companion-here']);
  const noRoom = 'no other node takes pods: evicted pods wait until one does';
  const here = 'the companion runs on this node: it is not evicted, and continues here';

  it.each([
    { name: 'a single node', others: [], pods: [work('a')], expected: [noRoom] },
    {
      name: 'all others cordoned',
      others: [node('b', { unschedulable: true })],
      pods: [work('a')],
      expected: [noRoom],
    },
    { name: 'all others not ready', others: [node('b', { ready: 'False' })], pods: [work('a')], expected: [noRoom] },
    { name: 'another node', others: [node('b')], pods: [work('a')], expected: [] },
    { name: 'nothing to evict', others: [], pods: [], expected: [] },
    { name: 'the companion', others: [node('b')], pods: [companion], expected: [here] },
    { name: 'the companion alone', others: [], pods: [companion], expected: [`${here}; no other node could take it`] },
  ])('$name', ({ others, pods, expected }) => {
    expect(said(others, pods)).toEqual(expected);
  });

  it('does not evict the companion', () => {
    const nodes = [draining('a', 10)];
    expect(
      evictedPods(decide(snapshot({ nodes, pods: [oldDriverPod('a'), companion, work('a')] }), policy, NOW)),
    ).toEqual(['w-a']);
  });
});
