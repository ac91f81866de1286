import { describe, expect, it } from '@jest/globals';
import {
  after,
  driverPod,
  keys,
  node,
  NOW,
  ofedDriver,
  patchesOf,
  policyOf,
  snapshot,
  stateAfter,
  daemonSet,
} from '../../../../test/kit/snapshots.js';
import { decide } from './decide.js';
import { podIndexOf } from '../model/pod-index.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { Snapshot } from '../model/snapshot.js';
import type { NodeInput } from '../../../../test/kit/decide-fleets.js';
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
  gpuBudget,
} from '../../../../test/kit/decide-fleets.js';

const sick = { key: 'sick', value: '', effect: 'NoExecute' } as const;

interface BudgetCase {
  readonly name: string;
  readonly nodes: Readonly<Record<string, NodeInput>>;
  readonly policy: UpgradePolicy;
  readonly expected: readonly string[];
  readonly waits?: Readonly<Record<string, string>>;
}

const budgets: readonly BudgetCase[] = [
  {
    name: 'one at a time by default',
    nodes: four,
    policy: policyOf(),
    expected: ['a'],
    waits: { a: 'cache-sync', b: 'slot', c: 'slot', d: 'slot' },
  },
  { name: 'as many as may', nodes: four, policy: policyOf({ maxParallelUpgrades: 3 }), expected: ['a', 'b', 'c'] },
  { name: 'no limit', nodes: four, policy: policyOf({ maxParallelUpgrades: 0 }), expected: ['a', 'b', 'c', 'd'] },
  {
    name: 'one is in progress already',
    nodes: { ...four, b: busy },
    policy: policyOf({ maxParallelUpgrades: 2 }),
    expected: ['a'],
  },
  {
    name: 'a node in progress without any driver pod counts',
    nodes: { ...four, b: { ...busy, labels: { nic: 'no' } } },
    policy: policyOf(),
    expected: [],
  },
  {
    name: 'a node that is uncordoned in this decision still counts',
    nodes: { ...four, b: { state: 'uncordon-required', ...cordoned } },
    policy: policyOf(),
    expected: [],
  },
  {
    name: 'a node of the maintenance operator counts',
    nodes: { ...four, b: { state: 'node-maintenance-required' } },
    policy: policyOf(),
    expected: [],
  },
  {
    name: 'a failed node is no longer in progress',
    nodes: { ...four, a: failed },
    policy: policyOf({}, { rollout: { failureBudget: 2 } }),
    expected: ['b'],
  },
  {
    name: 'a node that an admin cordoned needs no slot',
    nodes: { ...four, b: busy, d: cordonedByAdmin },
    policy: policyOf(),
    expected: ['d'],
  },
  {
    name: 'a retry needs a slot',
    nodes: { b: busy, d: retried },
    policy: policyOf(),
    expected: [],
    waits: { b: 'termination', d: 'slot' },
  },
  {
    name: 'nodes that are tried again with our cordon do not wait for each other’s place',
    nodes: { a: retried, b: retried, c: {} },
    policy: gpuBudget(1),
    expected: ['a', 'b'],
    waits: { a: 'cache-sync', b: 'cache-sync', c: 'slot' },
  },
  {
    name: 'the same in a pool',
    nodes: { a: retried, b: retried },
    policy: policyOf(
      { maxParallelUpgrades: 0 },
      { rollout: { pools: [{ name: 'narrow', nodeSelector: { nic: 'yes' }, maxUnavailable: 1 }] } },
    ),
    expected: ['a', 'b'],
  },
  {
    name: 'nodes that are tried again after an administrator uncordoned them take a place',
    nodes: { a: uncordoned, b: uncordoned },
    policy: gpuBudget(1),
    expected: ['a'],
  },
  { name: 'a percentage is rounded up', nodes: { ...four, e: {} }, policy: gpuBudget('25%'), expected: ['a', 'b'] },
  {
    name: 'nodes that the operator failed and cordoned take a place when they are tried again',
    nodes: { a: cordoned, b: cordoned, c: cordoned },
    policy: policyOf({ maxParallelUpgrades: 2 }),
    expected: ['a', 'b'],
    waits: { a: 'cache-sync', b: 'cache-sync', c: 'slot' },
  },
  {
    name: 'cordoned nodes are unavailable',
    nodes: { ...four, d: { state: 'upgrade-done', ...cordoned } },
    policy: gpuBudget(2),
    expected: ['a'],
  },
  {
    name: 'nodes that are not ready are unavailable',
    nodes: { ...four, d: { state: 'upgrade-done', ready: 'False' } },
    policy: gpuBudget(2),
    expected: ['a'],
  },
  {
    name: 'others use the budget up',
    nodes: { a: {}, b: { state: 'upgrade-done', ...cordoned } },
    policy: gpuBudget(1),
    expected: [],
    waits: { a: 'unavailable' },
  },
  {
    name: 'our own use it up',
    nodes: { a: {}, b: busy },
    policy: gpuBudget(1),
    expected: [],
    waits: { a: 'slot', b: 'termination' },
  },
  {
    name: 'an already unavailable node needs no place in the budget',
    nodes: { a: {}, b: { ready: 'False' } },
    policy: gpuBudget(1),
    expected: ['b'],
  },
  { name: 'a budget of 0', nodes: { a: {} }, policy: gpuBudget(0), expected: [], waits: { a: 'unavailable' } },
  {
    name: 'one failure is enough',
    nodes: { ...four, a: failed },
    policy: policyOf({ maxParallelUpgrades: 0 }),
    expected: [],
    waits: { a: 'failed', b: 'halt', c: 'halt', d: 'halt' },
  },
  {
    name: 'a failed node that is skipped does not count',
    nodes: { ...four, d: { ...failed, labels: { [keys.skip]: 'true' } } },
    policy: policyOf(),
    expected: ['a'],
  },
  {
    name: 'a failure budget of 0 counts as 1',
    nodes: { a: {} },
    policy: policyOf({}, { rollout: { failureBudget: 0 } }),
    expected: ['a'],
  },
  {
    name: 'a failure budget in percent',
    nodes: { ...four, a: failed },
    policy: policyOf({}, { rollout: { failureBudget: '50%' } }),
    expected: ['b'],
  },
  {
    name: 'paused',
    nodes: four,
    policy: policyOf({}, {}, { paused: true }),
    expected: [],
    waits: { a: 'pause', b: 'pause', c: 'pause', d: 'pause' },
  },
];

describe('decide: budgets', () => {
  it.each(budgets)('$name', ({ nodes, policy, expected, waits }) => {
    const decision = decide(fleet(nodes), policy, NOW);
    expect(begun(decision)).toEqual(expected);
    if (waits !== undefined) expect(waitsOf(decision)).toEqual(waits);
  });

  it('a failed node that is to have no driver any more uses up no failure budget', () => {
    const nodes = [node('a', { state: 'upgrade-required' }), node('d', { ...failed, labels: { nic: 'no' } })];
    const before = snapshot({ nodes, pods: [driverPod('a', { digest: 'old' })] });
    expect(begun(decide(before, policyOf(), NOW))).toEqual(['a']);
  });

  it('a half-way node of a policy without autoUpgrade keeps no other domain waiting', () => {
    const upgradePolicy = { autoUpgrade: true, maxParallelUpgrades: 0 };
    const policy = policyOf(
      {},
      {
        rollout: { topologyKey: 'rack' },
        policies: [
          { name: 'on', upgradePolicy, daemonSets: [{ name: 'mofed', digest: 'new' }] },
          { name: 'off', upgradePolicy: { autoUpgrade: false }, daemonSets: [{ name: 'other', digest: 'new' }] },
        ],
      },
    );
    const nodes = [
      node('a', { state: 'upgrade-required', labels: { rack: '1' } }),
      node('b', { ...busy, labels: { nic: 'other', rack: '2' } }),
    ];
    const other = daemonSet({ name: 'other', nodeSelector: { nic: 'other' } });
    const pods = [driverPod('a', { digest: 'old' }), driverPod('b', { owner: 'other', digest: 'old' })];
    expect(begun(decide(snapshot({ nodes, pods, daemonSets: [daemonSet(), other] }), policy, NOW))).toEqual(['a']);
  });

  it('a pool narrows the budget of its nodes only', () => {
    const nodes = { a: { labels: { pool: 'x' } }, b: { labels: { pool: 'x' } }, c: {}, d: {} };
    const pools = [{ name: 'x', nodeSelector: { pool: 'x' }, maxParallelUpgrades: 1 }];
    expect(begun(decide(fleet(nodes), policyOf({ maxParallelUpgrades: 3 }, { rollout: { pools } }), NOW))).toEqual([
      'a',
      'c',
      'd',
    ]);
    const unavailable = [{ name: 'x', nodeSelector: { pool: 'x' }, maxUnavailable: '50%' }];
    expect(
      begun(decide(fleet(nodes), policyOf({ maxParallelUpgrades: 0 }, { rollout: { pools: unavailable } }), NOW)),
    ).toEqual(['a', 'c', 'd']);
    const wide = [{ name: 'x', nodeSelector: { pool: 'x' }, maxParallelUpgrades: 9 }];
    expect(begun(decide(fleet(nodes), policyOf({}, { rollout: { pools: wide } }), NOW))).toEqual(['a']);
  });

  it('a node in progress that a taint keeps from its driver counts in its own policy', () => {
    const of = (name: string) => ({
      name,
      upgradePolicy: { autoUpgrade: true },
      daemonSets: [{ name, digest: 'new' }],
    });
    const labels = { nic: 'side' };
    const nodes = [
      node('a', { state: 'upgrade-required', labels }),
      node('b', { ...busy, labels, taints: [sick] }),
      node('c', { state: 'upgrade-required' }),
    ];
    const pods = [driverPod('a', { digest: 'old', owner: 'side' }), driverPod('c', { digest: 'old' })];
    const daemonSets = [daemonSet(), daemonSet({ name: 'side', nodeSelector: labels })];
    const policy = policyOf({}, { policies: [of('mofed'), of('side')] });
    expect(begun(decide(snapshot({ nodes, pods, daemonSets }), policy, NOW))).toEqual(['c']);
  });

  it('a node that lost its driver to a taint makes no limit in per cent larger', () => {
    const observed = fleet({ a: {}, b: {}, c: cordonedByAdmin, d: {}, e: { taints: [sick] } });
    const pods = podIndexOf([...observed.pods].filter(({ nodeName }) => nodeName !== 'e'));
    expect(begun(decide({ ...observed, pods }, gpuBudget('25%'), NOW))).toEqual(['c']);
    expect(begun(decide(observed, gpuBudget('25%'), NOW))).toEqual(['a', 'c']);
  });

  it('a failure does not stop work on nodes that have begun', () => {
    const observed = fleet({ a: failed, b: { state: 'uncordon-required', ...cordoned } });
    const [, b] = observed.nodes;
    expect(b && stateAfter(decide(observed, policyOf(), NOW), b)).toBe('upgrade-done');
  });

  it('the pause by annotation counts like that of the policy', () => {
    expect(begun(decide(fleet(four, { paused: true }), policyOf(), NOW))).toEqual([]);
  });

  it('policies have budgets of their own', () => {
    const [first] = ofedDriver().policies;
    const of = (name: string, autoUpgrade: boolean) => ({
      name,
      upgradePolicy: { autoUpgrade },
      daemonSets: [{ name, digest: 'new' }],
    });
    const policies = [
      { name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, daemonSets: first?.daemonSets ?? [] },
      of('x', true),
      of('off', false),
    ];
    const daemonSet = (name: string) => ({
      ...snapshot({}).daemonSets[0],
      name,
      uid: `uid-${name}`,
      nodeSelector: { pool: name },
    });
    const daemonSets = [snapshot({}).daemonSets[0], daemonSet('x'), daemonSet('off')] as Snapshot['daemonSets'];
    const nodes = ['a', 'b', 'x1', 'x2', 'off1'].map((name) =>
      node(name, {
        state: 'upgrade-required',
        labels: name.length === 1 ? {} : { nic: 'no', pool: name.slice(0, -1) },
      }),
    );
    const pods = nodes.map((one) => driverPod(one.name, { digest: 'old', owner: one.labels['pool'] ?? 'mofed' }));
    const decision = decide(snapshot({ nodes, pods, daemonSets }), policyOf({}, { policies }), NOW);
    expect(begun(decision)).toEqual(['a', 'x1']);
    expect(waitsOf(decision)).toMatchObject({ b: 'slot', x2: 'slot', off1: 'off' });
    expect(decision.findings).toMatchObject([{ kind: 'auto-upgrade-off' }]);
  });
});

describe('decide: order', () => {
  const topology = { topologyKey: 'rack' };
  it.each([
    {
      name: 'by name, with numbers',
      nodes: { 'n-10': {}, 'n-9': {}, 'n-1': {} },
      rollout: {},
      limit: 2,
      expected: ['n-1', 'n-9'],
    },
    {
      name: 'nodes that an administrator cordoned first',
      nodes: { a: {}, b: cordonedByAdmin },
      rollout: {},
      limit: 1,
      expected: ['b'],
    },
    {
      name: 'one rack at a time',
      nodes: { a: { labels: { rack: '2' } }, b: { labels: { rack: '1' } }, c: { labels: { rack: '1' } } },
      rollout: topology,
      limit: 3,
      expected: ['b', 'c'],
    },
    {
      name: 'the rack that is at work',
      nodes: { a: { labels: { rack: '1' } }, b: { labels: { rack: '2' } }, c: { ...busy, labels: { rack: '2' } } },
      rollout: topology,
      limit: 3,
      expected: ['b'],
    },
    {
      name: 'no rack while two are at work: a policy was switched off and on again',
      nodes: {
        a: { labels: { rack: '1' } },
        b: { ...busy, labels: { rack: '1' } },
        c: { ...busy, labels: { rack: '2' } },
      },
      rollout: topology,
      limit: 0,
      expected: [],
    },
    {
      name: 'nodes without the label are a rack of their own',
      nodes: { a: { labels: { rack: '1' } }, b: {} },
      rollout: topology,
      limit: 3,
      expected: ['b'],
    },
  ])('$name', ({ nodes, rollout, limit, expected }) => {
    const decision = decide(fleet(nodes), policyOf({ maxParallelUpgrades: limit }, { rollout }), NOW);
    expect(begun(decision)).toEqual(expected);
  });

  it('nodes whose driver is not ready come before those whose driver works', () => {
    const nodes = [node('a', { state: 'upgrade-required' }), node('b', { state: 'upgrade-required' })];
    const pods = [driverPod('a', { digest: 'old' }), driverPod('b', { digest: 'old', ready: false })];
    expect(begun(decide(snapshot({ nodes, pods }), policyOf(), NOW))).toEqual(['b']);
  });
});

describe('decide: many nodes together', () => {
  it('never has more in progress than may be, step by step', () => {
    let observed = fleet(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`n-${index}`, { state: '' }])));
    const policy = policyOf({ maxParallelUpgrades: 3, drain: {} });
    for (let step = 0; step < 60; step += 1) {
      const nowMs = NOW + step * 2000;
      observed = after(observed, decide(observed, policy, nowMs));
      const inProgress = observed.nodes.filter((one) => one.unschedulable);
      expect(inProgress.length).toBeLessThanOrEqual(3);
      // The DaemonSet controller creates missing pods.
      const bare = observed.nodes.filter((one) => observed.pods.onNode(one.name).length === 0);
      observed = {
        ...observed,
        pods: podIndexOf([
          ...observed.pods,
          ...bare.map((one) => driverPod(one.name, { uid: `uid-${one.name}-${step}` })),
        ]),
      };
    }
    expect(observed.nodes.map((one) => one.labels[keys.state])).toEqual(Array(12).fill('upgrade-done'));
    expect(observed.nodes.every((one) => !one.unschedulable)).toBe(true);
  });

  it('counts them as the metrics have them', () => {
    const observed = fleet({
      ...four,
      b: busy,
      c: { state: 'upgrade-done' },
      e: failed,
      f: { labels: { [keys.skip]: 'true' } },
    });
    const numbers = {
      ...{ autoUpgrade: true, total: 6, inProgress: 1, done: 1, failed: 1, available: 2, pending: 3, skipped: 1 },
    };
    expect(decide(observed, policyOf({ maxParallelUpgrades: 3 }), NOW).counts).toEqual([
      {
        driver: 'ofed',
        ...numbers,
        uncovered: 0,
        withoutSuccessor: 0,
        pools: [{ pool: 'NicClusterPolicy', ...numbers }],
      },
    ]);
  });

  it('names nodes with NICs that no DaemonSet covers', () => {
    const nic = { 'feature.node.kubernetes.io/pci-15b3.present': 'true' };
    const observed = fleet({ a: { labels: nic } });
    const others = [
      node('new-kernel', { labels: { nic: 'other', ...nic } }),
      node('no-nic', { labels: { nic: 'other' } }),
    ];
    const policy = policyOf();
    const decision = decide({ ...observed, nodes: [...observed.nodes, ...others] }, policy, NOW);
    expect(decision.counts.map(({ uncovered }) => uncovered)).toEqual([1]);
    const reason = 'DaemonSet mofed selects nic=yes, and the node has nic=other';
    const message = `1 node with NICs that no driver DaemonSet covers: new-kernel (${reason})`;
    expect(decision.findings).toContainEqual({ kind: 'node-uncovered', severity: 'warning', driver: 'ofed', message });
    // The DaemonSet that covers it may not be applied yet.
    const later = { ...observed, nodes: [...observed.nodes, ...others], daemonSets: [] };
    expect(decide(later, policy, NOW).counts.map(({ uncovered }) => uncovered)).toEqual([0]);
  });

  it('has findings for the administrator of the cluster', () => {
    const observed = fleet({
      a: failed,
      b: { state: 'x' },
      c: { state: 'upgrade-done', annotations: { [keys.requestorMode]: '' } },
    });
    const bare = { ...observed, nodes: [...observed.nodes, node('bare')] };
    const decision = decide(bare, policyOf({}, {}, { paused: true }), NOW);
    expect(decision.findings.map(({ kind }) => kind)).toEqual([
      'paused',
      'failure-budget-spent',
      'no-driver-pod',
      'node-failed',
      'unknown-state',
      'requestor-mode',
    ]);
  });

  it('patches a node once, whatever the number of drivers', () => {
    const second = { ...ofedDriver(), labelPrefix: 'other' };
    const policy = policyOf({}, {}, { drivers: [ofedDriver(), second] });
    const observed = snapshot({ nodes: [node('a')], pods: [driverPod('a')] });
    const once = decide(observed, policy, NOW);
    expect(patchesOf(once).map(({ driver }) => driver)).toEqual(['ofed']);
    expect(once.waiting).toMatchObject([{ driver: 'other', node: 'a', kind: 'other-driver' }]);
    const twice = decide(after(observed, once), policy, NOW);
    expect(patchesOf(twice).map(({ driver }) => driver)).toEqual(['other']);
    expect(twice.waiting).toEqual([]);
  });

  it('works on two drivers with labels of their own', () => {
    const second = { ...ofedDriver(), labelPrefix: 'other', podSelector: 'absent', daemonSetSelector: 'absent' };
    const decision = decide(fleet({ a: {} }), policyOf({}, {}, { drivers: [ofedDriver(), second] }), NOW);
    expect(decision.counts.map(({ driver, total }) => [driver, total])).toEqual([
      ['ofed', 1],
      ['other', 0],
    ]);
  });
});
