import { describe, expect, it } from '@jest/globals';
import {
  ago,
  after,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  ofedDriver,
  orphan,
  patchesOf,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { decide } from './decide.js';
import { podIndexOf } from '../model/pod-index.js';
import {
  fleet,
  begun,
  waitsOf,
  four,
  cordoned,
  cordonedByAdmin,
  busy,
  retried,
  uncordoned,
  failed,
} from '../../../../test/kit/decide-fleets.js';

describe('decide: canaries', () => {
  const soaking = policyOf({ maxParallelUpgrades: 0 }, { rollout: { canary: { nodes: 2, soak: '10m' } } });
  const doneAnnotation = patchesOf(decide(fleet({ z: { state: 'uncordon-required', ...cordoned } }), soaking, NOW))[0]
    ?.annotations[keys.done];
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

  it.each([
    { name: 'while the canaries wait for its place', nodes: { a: { labels: { canary: 'yes' } }, b: retried } },
    { name: 'while a canary is at work', nodes: { a: { ...busy, labels: { canary: 'yes' } }, b: retried } },
    { name: 'while the canaries soak', nodes: { a: { ...done(1), labels: { canary: 'yes' } }, b: retried } },
    { name: 'when the canary selector matches no node', nodes: { b: retried } },
  ])('a node with our cordon is tried again $name', ({ nodes }) => {
    const rollout = { canary: { nodeSelector: { canary: 'yes' }, soak: '10m' } };
    const pools = [{ name: 'all', nodeSelector: { nic: 'yes' }, maxUnavailable: 1 }];
    const policy = policyOf({ maxParallelUpgrades: 0 }, { rollout: { ...rollout, pools } });
    expect(begun(decide(fleet(nodes), policy, NOW))).toEqual(['b']);
  });

  it.each([
    { name: 'one that an administrator uncordoned', other: uncordoned },
    { name: 'one that an administrator cordoned', other: cordonedByAdmin },
  ])('a node that is tried again waits for the canaries: $name', ({ other }) => {
    const nodes = { a: { ...busy, labels: { canary: 'yes' } }, b: other };
    const policy = policyOf({ maxParallelUpgrades: 0 }, { rollout: { canary: { nodeSelector: { canary: 'yes' } } } });
    expect(waitsOf(decide(fleet(nodes), policy, NOW))['b']).toBe('canary');
  });

  it('a canary whose driver is not ready keeps the others waiting', () => {
    const observed = fleet({ ...four, a: done(9999), b: done(9999) });
    const pods = [...observed.pods].map((one) => (one.nodeName === 'a' ? { ...one, ready: false } : one));
    expect(begun(decide({ ...observed, pods: podIndexOf(pods) }, soaking, NOW))).toEqual([]);
  });

  it.each([
    { name: 'the chosen go first', nodes: { ...four, d: { labels: { canary: 'yes' } } }, expected: ['d'] },
    {
      name: 'the chosen are done and in sync',
      nodes: { ...four, d: { state: 'upgrade-done', labels: { canary: 'yes' } } },
      expected: ['a', 'b', 'c'],
    },
    { name: 'the chosen failed', nodes: { ...four, d: { ...failed, labels: { canary: 'yes' } } }, expected: [] },
    {
      name: 'a chosen one that is skipped does not count',
      nodes: {
        ...four,
        c: { labels: { canary: 'yes', [keys.skip]: 'true' } },
        d: { state: 'upgrade-done', labels: { canary: 'yes' } },
      },
      expected: ['a', 'b'],
    },
    { name: 'no node is chosen, and none begins', nodes: four, expected: [] },
    {
      name: 'a chosen one that failed and is skipped does not count',
      nodes: {
        a: {},
        c: { ...failed, labels: { canary: 'yes', [keys.skip]: 'true' } },
        d: { state: 'upgrade-done', labels: { canary: 'yes' } },
      },
      expected: ['a'],
    },
  ])('with a selector: $name', ({ nodes, expected }) => {
    const policy = policyOf(
      { maxParallelUpgrades: 0 },
      { rollout: { failureBudget: 9, canary: { nodeSelector: { canary: 'yes' } } } },
    );
    expect(begun(decide(fleet(nodes), policy, NOW))).toEqual(expected);
  });

  it.each([
    { name: 'a canary is at work', nodes: { a: {}, d: { ...busy, labels: { canary: 'yes' } } }, expected: 'canary' },
    {
      name: 'the canary failed',
      nodes: { a: {}, d: { ...failed, labels: { canary: 'yes' } } },
      expected: 'canary-missing',
    },
    {
      name: 'the canary cannot be reached',
      nodes: { a: {}, d: { ready: 'Unknown' as const, labels: { canary: 'yes' } } },
      expected: 'canary-missing',
    },
  ])('what the others wait for when $name: $expected', ({ nodes, expected }) => {
    const policy = policyOf(
      { maxParallelUpgrades: 0 },
      { rollout: { failureBudget: 9, canary: { nodeSelector: { canary: 'yes' } } } },
    );
    expect(waitsOf(decide(fleet(nodes), policy, NOW))['a']).toBe(expected);
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

  it('does not wait for canaries of a policy without autoUpgrade', () => {
    const { policies } = ofedDriver();
    const [one] = policies;
    const off = { name: 'off', upgradePolicy: { autoUpgrade: false }, daemonSets: [{ name: 'other', digest: 'new' }] };
    const rollout = { canary: { nodes: 2, nodeSelector: { canary: 'yes' } } };
    const policy = policyOf(
      {},
      {
        rollout,
        policies: [{ ...(one ?? { name: '', daemonSets: [] }), upgradePolicy: { autoUpgrade: true } }, off],
      },
    );
    const nodes = [
      node('a', { state: 'upgrade-required' }),
      node('b', { state: 'upgrade-done', labels: { canary: 'yes' } }),
      node('c', { state: 'upgrade-required', labels: { canary: 'yes', nic: 'other' } }),
    ];
    const other = daemonSet({ name: 'other', nodeSelector: { nic: 'other' } });
    const pods = [driverPod('a', { digest: 'old' }), driverPod('b'), driverPod('c', { owner: 'other', digest: 'old' })];
    const before = snapshot({ nodes, pods, daemonSets: [daemonSet(), other] });
    expect(begun(decide(before, policy, NOW))).toEqual(['a']);
  });

  const policies = [{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, daemonSets: [] }];

  it.each([
    { name: 'lost it before do not have to finish', labels: { canary: 'yes' }, hasPod: false, expected: ['a'] },
    {
      name: 'lost it and their state label do not have to finish',
      labels: { canary: 'yes' },
      hasPod: false,
      hasState: false,
      expected: ['a'],
    },
    { name: 'have it go first', labels: { canary: 'yes' }, hasPod: true, expected: ['d'] },
    {
      name: 'are skipped hold up the rest',
      labels: { canary: 'yes', [keys.skip]: 'true' },
      hasPod: true,
      expected: [],
    },
    { name: 'do not exist hold up the rest', labels: {}, hasPod: true, expected: [] },
  ])('a driver is uninstalled: canaries that $name', ({ labels, hasPod, hasState = true, expected }) => {
    const policy = policyOf(
      {},
      { uninstall: true, policies, rollout: { canary: { nodeSelector: { canary: 'yes' } } } },
    );
    const state = hasPod ? 'upgrade-required' : 'upgrade-done';
    const nodes = [node('a', { state: 'upgrade-required' }), node('d', { ...(hasState ? { state } : {}), labels })];
    const pods = [orphan('a'), ...(hasPod ? [orphan('d')] : [])];
    expect(begun(decide(snapshot({ nodes, pods, daemonSets: [] }), policy, NOW))).toEqual(expected);
  });

  it.each([
    { name: 'so many', canary: { nodes: 1 } },
    { name: 'chosen ones', canary: { nodeSelector: { canary: 'yes' } } },
  ])('nodes that lost their driver are proof of its going: $name', ({ canary }) => {
    const policy = policyOf({}, { uninstall: true, policies, rollout: { canary } });
    const empty = {
      daemonSets: [],
      nodes: [node('a', { state: 'uncordon-required', ...cordoned, labels: { canary: 'yes' } })],
    };
    const first = after(snapshot(empty), decide(snapshot(empty), policy, NOW));
    const nodes = [...first.nodes, node('b', { state: 'upgrade-required' })];
    expect(begun(decide({ ...first, nodes, pods: podIndexOf([orphan('b')]) }, policy, NOW + 1000))).toEqual(['b']);
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
