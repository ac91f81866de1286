import { describe, expect, it } from '@jest/globals';
import { evictedPods, oldDriverPod, secondsAgo, yieldingNodes } from '../../../test/kit/drains.js';
import { driverPod, keys, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../test/kit/snapshots.js';
import { nodeUpgradePolicies } from '../../contract/upgrade-policy.js';
import { decide } from './decide.js';
import type { Decision, SnapshotNode, SnapshotPod } from '../model/types.js';
import { rolloutName } from '../view/driver-view.js';

const policy = policyOf({ maxParallelUpgrades: 0, drain: { timeoutSeconds: 300 } });
const listed = policy.drivers.flatMap(nodeUpgradePolicies).flatMap(({ daemonSets }) => daemonSets);
const rollout = rolloutName(new Map(listed.map((one) => [one.name, one.digest])));
const draining = (name: string, seconds: number, annotations: Readonly<Record<string, string>> = {}) =>
  node(name, {
    state: 'drain-required',
    unschedulable: true,
    annotations: { [keys.cordoned]: 'true', [keys.drainStart]: secondsAgo(seconds), ...annotations },
  });
const restarting = node('x', {
  state: 'pod-restart-required',
  unschedulable: true,
  annotations: { [keys.cordoned]: 'true', [keys.drainStart]: secondsAgo(200), [keys.restartStart]: secondsAgo(5) },
});
const work = (name: string) => pod(name, `w-${name}`, { labels: { app: 'w' } });
const pending = (seconds: number) =>
  pod('', 'pending', { phase: 'Pending', ready: false, unschedulable: true, createdMs: NOW - seconds * 1000 });

describe('decide: evicted pods that are unschedulable', () => {
  it.each([
    { name: 'a node that began later is uncordoned', seconds: 60, nodes: [], expected: ['b'] },
    { name: 'the scheduler gets some time', seconds: 59, nodes: [], expected: [] },
    { name: 'all are while another gets its driver', seconds: 60, nodes: [restarting], expected: ['a', 'b'] },
    { name: 'a pod that was pending before is no reason', seconds: 300, nodes: [], expected: [] },
  ])('$name', ({ seconds, nodes, expected }) => {
    const all = [draining('a', 200), draining('b', 100), ...nodes];
    const pods = [...all.map(({ name }) => oldDriverPod(name)), work('a'), work('b'), pending(seconds)];
    const decision = decide(snapshot({ nodes: all, pods }), policy, NOW);
    expect(yieldingNodes(decision)).toEqual(expected);
    for (const patch of patchesOf(decision).filter(({ node: name }) => expected.includes(name))) {
      expect(patch).toMatchObject({ unschedulable: false, labels: { [keys.state]: 'upgrade-required' } });
      // The same decision does not begin it again.
      expect(patch.steps.map(({ row }) => row)).toEqual(['yield']);
      // Its driver is still outdated, so a revert of the commit ends its upgrade.
      expect(patch.annotations).toMatchObject({
        ...{ [keys.cordoned]: null, [keys.drainStart]: null },
        [keys.outdated]: 'true',
      });
    }
  });

  it('wakes when the time of the scheduler is over', () => {
    const nodes = [draining('a', 200), draining('b', 100)];
    const pods = [oldDriverPod('a'), oldDriverPod('b'), work('a'), work('b'), pending(20)];
    expect(decide(snapshot({ nodes, pods }), policy, NOW).wakeMs).toBeLessThanOrEqual(NOW + 40_000);
  });

  it('keeps a node that an admin cordoned', () => {
    const nodes = [draining('a', 200), draining('b', 100, { [keys.cordoned]: 'false', [keys.initialState]: 'true' })];
    const pods = [oldDriverPod('a'), oldDriverPod('b'), work('a'), work('b'), pending(90)];
    expect(yieldingNodes(decide(snapshot({ nodes, pods }), policy, NOW))).toEqual([]);
  });

  it('keeps a node that is already drained', () => {
    const nodes = [draining('a', 200), draining('b', 100)];
    const pods = [oldDriverPod('a'), oldDriverPod('b'), work('a'), pending(90)];
    expect(yieldingNodes(decide(snapshot({ nodes, pods }), policy, NOW))).toEqual([]);
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

describe('decide: drains that share a budget', () => {
  const budget = (disruptionsAllowed: number) => ({
    namespace: 'apps',
    name: 'w',
    selector: { matchLabels: { app: 'w' } },
    disruptionsAllowed,
  });
  const nodes = [draining('a', 100), draining('b', 50)];
  const pods = [oldDriverPod('a'), oldDriverPod('b'), work('a'), { ...work('a'), name: 'v-a', uid: 'v-a' }, work('b')];

  it.each([
    { name: 'the node with the fewest pods continues', allowed: 0, expected: ['w-b'] },
    { name: 'others wait for the evictions that it needs', allowed: 2, expected: ['w-b'] },
    { name: 'all continue if it suffices for all', allowed: 3, expected: ['v-a', 'w-a', 'w-b'] },
  ])('$name', ({ allowed, expected }) => {
    const before = snapshot({ nodes, pods, budgets: [budget(allowed)] });
    expect(evictedPods(decide(before, policy, NOW))).toEqual(expected);
  });

  it('pods without a PodDisruptionBudget do not wait for other nodes', () => {
    const free = pod('a', 'free');
    const before = snapshot({ nodes, pods: [...pods, free], budgets: [budget(0)] });
    expect(evictedPods(decide(before, policy, NOW))).toEqual(['free', 'w-b']);
  });

  it.each([
    { name: 'stands still', seconds: 38, stamped: true },
    { name: 'is not written all the time', seconds: 37, stamped: false },
  ])('the time of a node that is held back $name', ({ seconds, stamped }) => {
    const late = [draining('b', 100), draining('a', seconds)];
    const decision = decide(snapshot({ nodes: late, pods, budgets: [budget(0)] }), policy, NOW);
    const patch = patchesOf(decision).find((one) => one.node === 'a');
    expect(patch?.annotations[keys.drainStart]).toBe(stamped ? secondsAgo(0) : undefined);
  });

  const required = (name: string) =>
    node(name, { state: 'upgrade-required', annotations: { [keys.outdated]: 'true' } });
  const begun = (decision: Decision) =>
    patchesOf(decision).flatMap(({ node: name, steps }) => (steps.some(({ row }) => row === 'begin') ? [name] : []));
  /** Four nodes that are done allow five drains at a time. */
  const done = ['p', 'q', 'r', 's'].map((name) =>
    node(name, { state: 'upgrade-done', annotations: { [keys.done]: `${rollout} 1` } }),
  );
  const donePods = done.map(({ name }) => driverPod(name));

  it.each([
    { name: 'no node begins whose pods would be held back', running: nodes.slice(1), allowed: 1, expected: ['d'] },
    { name: 'nodes begin if the budget suffices', running: nodes.slice(1), allowed: 2, expected: ['c', 'd'] },
    { name: 'nodes of one decision count', running: [], allowed: 1, expected: ['c', 'd'] },
  ])('$name', ({ running, allowed, expected }) => {
    const waiting = ['c', 'd', 'e'].map(required);
    const theirs = [oldDriverPod('c'), oldDriverPod('d'), oldDriverPod('e'), work('c'), pod('d', 'free'), work('e')];
    const decision = decide(
      snapshot({
        nodes: [...running, ...waiting, ...done],
        pods: [...(running.length > 0 ? [oldDriverPod('b'), work('b')] : []), ...theirs, ...donePods],
        budgets: [budget(allowed)],
      }),
      policy,
      NOW,
    );
    expect(begun(decision)).toEqual(expected);
    const held = decision.waiting.find(({ node: name }) => name === 'e');
    expect(held).toMatchObject({ kind: 'room', message: expect.stringContaining('PodDisruptionBudget') });
  });
});
