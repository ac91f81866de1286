import { describe, expect, it } from '@jest/globals';
import { begun, busy, failed, fleet, type NodeInput } from '../../../../test/kit/decide-fleets.js';
import {
  after,
  driverPod,
  node,
  NOW,
  ofedDriver,
  patchesOf,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import { isComplete, outcomeOf } from '../../runtime/run-outcome.js';
import { nodeKey, type Snapshot } from '../model/snapshot.js';
import { decide } from './decide.js';

type DriverInput = UpgradePolicyInput['drivers'][number];
type Limits = Readonly<Record<string, unknown>>;

const OFED = driverKeys('ofed');
const GPU = driverKeys('gpu');
const GPU_STATE = GPU.state;

/** OFED and a GPU driver on the same nodes. */
function twoDrivers(ofed: Limits, gpu: Limits, rollout: UpgradePolicyInput['rollout'] = {}) {
  const of = (api: DriverInput['api'], labelPrefix: string, limits: Limits) => {
    const upgradePolicy = { autoUpgrade: true, maxParallelUpgrades: 0, ...limits };
    const [policy] = ofedDriver().policies;
    return { ...ofedDriver(), api, labelPrefix, policies: [{ ...policy, upgradePolicy }] } as DriverInput;
  };
  return policyOf({}, { rollout }, { drivers: [of('network-operator', 'ofed', ofed), of('gpu-operator', 'gpu', gpu)] });
}

interface Case {
  readonly name: string;
  readonly nodes: Readonly<Record<string, NodeInput>>;
  readonly ofed?: Limits;
  readonly gpu?: Limits;
  readonly rollout?: UpgradePolicyInput['rollout'];
  readonly expected: readonly string[];
  readonly waits?: string;
}

const waitsForBoth = { labels: { [GPU_STATE]: 'upgrade-required' } };
const ofGpu = (rack: string) => ({ labels: { rack, [GPU_STATE]: 'upgrade-required' }, state: 'upgrade-done' });
const outForGpu = { ...busy, annotations: {}, state: 'upgrade-done', labels: { [GPU_STATE]: 'pod-restart-required' } };
const outForOfed = {
  ...busy,
  annotations: { ...busy.annotations, [OFED.cordoned]: 'true' },
  labels: waitsForBoth.labels,
};
const off = { autoUpgrade: false, maxUnavailable: 1 };

const cases: readonly Case[] = [
  {
    name: 'a node that begins for OFED counts in maxUnavailable of the GPU driver',
    nodes: { a: waitsForBoth, b: waitsForBoth },
    gpu: { maxUnavailable: 1 },
    expected: ['a'],
    waits: '1 node of policy NicClusterPolicy of the gpu driver is cordoned or not ready, at most 1 may be',
  },
  {
    name: 'a node that is out for the GPU driver takes a slot of OFED',
    nodes: { a: outForGpu, b: {} },
    ofed: { maxParallelUpgrades: 1 },
    gpu: { maxUnavailable: 2 },
    expected: [],
    waits: '1 node of policy NicClusterPolicy of the ofed driver is in progress, at most 1 may be',
  },
  {
    name: 'a node that is out for both counts once',
    nodes: { a: waitsForBoth, b: waitsForBoth, c: waitsForBoth },
    ofed: { maxParallelUpgrades: 2 },
    gpu: { maxParallelUpgrades: 2, maxUnavailable: 2 },
    expected: ['a', 'b'],
  },
  {
    name: 'limits of a policy that is off hold for nobody',
    nodes: { a: {}, b: {} },
    gpu: off,
    expected: ['a', 'b'],
  },
  {
    name: 'one rack at a time, whatever the driver',
    nodes: { a: { labels: { rack: '1' } }, b: ofGpu('2'), c: ofGpu('1') },
    gpu: { maxUnavailable: '100%' },
    rollout: { topologyKey: 'rack' },
    expected: ['a', 'c'],
  },
  {
    name: 'a node that is drained for OFED gets the GPU driver too, without another slot',
    nodes: { a: outForOfed, b: waitsForBoth },
    ofed: { maxParallelUpgrades: 1 },
    gpu: { maxUnavailable: 1 },
    expected: ['a'],
  },
  {
    name: 'a node that joins counts once: another one begins in its place',
    nodes: { a: outForOfed, b: {} },
    ofed: { maxParallelUpgrades: 2 },
    gpu: { maxParallelUpgrades: 2, maxUnavailable: 2 },
    expected: ['a', 'b'],
  },
  {
    name: 'a node that is drained for OFED gets the GPU driver after the window has closed, but no other node begins',
    nodes: { a: outForOfed, b: {} },
    rollout: { maintenanceWindows: [{ schedule: '0 3 1 1 *', duration: '1h' }] },
    expected: ['a'],
    waits: `the next maintenance window opens at 2027-01-01T03:00:00Z`,
  },
  {
    name: 'a node is drained for one driver at a time',
    nodes: { a: { ...outForOfed, state: 'drain-required' } },
    ofed: { drain: { enable: true } },
    expected: [],
    waits: 'the ofed driver is being upgraded there',
  },
  {
    name: 'a node that failed for the GPU driver keeps nodes from beginning for OFED',
    nodes: { a: { labels: { [GPU_STATE]: 'upgrade-failed' } }, b: {} },
    gpu: { maxUnavailable: '100%' },
    expected: [],
    waits: '1 failed (a) of at most 1',
  },
  {
    name: 'a node that failed for both counts once',
    nodes: { a: { ...failed, labels: { [GPU_STATE]: 'upgrade-failed' } }, b: {} },
    gpu: { maxUnavailable: '100%' },
    rollout: { failureBudget: 2 },
    expected: ['b'],
  },
  {
    name: 'a node that is due for both waits for the canaries of both',
    nodes: {
      a: { state: 'upgrade-done', labels: { canary: 'yes', [GPU_STATE]: 'upgrade-required' } },
      b: waitsForBoth,
      c: { labels: { [GPU.skip]: 'true' } },
    },
    gpu: { maxUnavailable: '100%' },
    rollout: { canary: { nodeSelector: { canary: 'yes' } } },
    expected: ['a', 'c'],
  },
  {
    name: 'one order for all drivers',
    nodes: { a: ofGpu('1'), b: {} },
    ofed: { maxParallelUpgrades: 1 },
    gpu: { maxParallelUpgrades: 1, maxUnavailable: '100%' },
    expected: ['a'],
  },
];

describe('decide: two drivers', () => {
  it.each(cases)('$name', ({ nodes, ofed = {}, gpu = {}, rollout, expected, waits }) => {
    const decision = decide(fleet(nodes), twoDrivers(ofed, gpu, rollout), NOW);
    expect(begun(decision)).toEqual(expected);
    if (waits !== undefined) expect(decision.waiting.map(({ message }) => message)).toContain(waits);
  });

  it('a node that is out for OFED, and whose patches are refused, waits for the canary that took its place', () => {
    const refusal = { message: 'a webhook says no', failures: 5, untilMs: NOW - 1 };
    const observed = fleet({ a: outForOfed, b: { ...outForGpu, state: 'upgrade-required' } });
    const refused = { ...observed, refusedPatches: new Map([[nodeKey('gpu', 'a'), refusal]]) };
    const policy = twoDrivers({}, { maxUnavailable: '100%' }, { canary: { nodes: 1 } });
    const begins = (of: Snapshot) =>
      patchesOf(decide(of, policy, NOW)).find(({ node }) => node === 'a')?.labels[GPU_STATE] !== undefined;
    expect(begins(refused)).toBe(false);
    expect(begins({ ...observed, nodes: observed.nodes.slice(0, 1) })).toBe(true);
  });

  it('a node begins for one driver at a time', () => {
    const observed = fleet({ a: waitsForBoth });
    const policy = twoDrivers({ drain: { enable: true } }, { maxUnavailable: 1 });
    const first = decide(observed, policy, NOW);
    expect(begun(first)).toEqual(['a']);
    expect(first.waiting).toContainEqual(expect.objectContaining({ driver: 'gpu', node: 'a', kind: 'other-driver' }));
    expect(begun(decide(after(observed, first), policy, NOW))).toEqual([]);
  });

  it('the cordon of a node that is due for both is lifted once, by the driver that it was cordoned for', () => {
    const policy = twoDrivers({}, { maxUnavailable: 1 });
    const observed = fleet({ a: outForOfed });
    const joined = after(observed, decide(observed, policy, NOW));
    expect(joined.nodes[0]?.annotations).toMatchObject({ [OFED.cordoned]: 'true', [GPU.initialState]: 'true' });

    const both = { ...outForOfed, annotations: { [OFED.cordoned]: 'true', [GPU.initialState]: 'true' } };
    const of = (ofed: string, gpu: string, labels = {}) =>
      snapshot({
        nodes: [node('a', { ...both, state: ofed, labels: { [GPU_STATE]: gpu, ...labels } })],
        pods: [driverPod('a')],
      });
    const early = decide(of('uncordon-required', 'drain-required'), policy, NOW);
    expect(patchesOf(early).filter(({ unschedulable }) => unschedulable === false)).toEqual([]);
    expect(early.waiting).toContainEqual(expect.objectContaining({ driver: 'ofed', kind: 'other-driver' }));

    const restarts = of('drain-required', 'uncordon-required');
    // The patch for OFED is sent first.
    const last = decide(after(restarts, decide(restarts, policy, NOW)), policy, NOW);
    const gpu = patchesOf(last).find(({ driver }) => driver === 'gpu');
    expect(gpu?.labels).toEqual({ [GPU_STATE]: 'upgrade-done' });
    expect(gpu?.unschedulable).toBeUndefined();
    expect(last.findings.map(({ kind }) => kind)).not.toContain('cordon-kept');

    const end = decide(of('uncordon-required', 'upgrade-done', { [GPU.skip]: 'true' }), policy, NOW);
    expect(patchesOf(end).map(({ unschedulable }) => unschedulable)).toContain(false);
  });
});

/** A node that is done for OFED but for the uncordon, and in progress for the GPU driver, and one that waits for its slot. */
function heldByGpu(): Snapshot {
  const annotations = { [OFED.cordoned]: 'true', [GPU.initialState]: 'true' };
  return snapshot({
    nodes: [
      node('a', { ...outForGpu, state: 'uncordon-required', annotations }),
      node('b', { state: 'upgrade-required' }),
    ],
    pods: [driverPod('a'), driverPod('b', { digest: 'old' })],
  });
}

describe('a run in which a node of the other driver', () => {
  const limits = { maxParallelUpgrades: 1 };

  it('is left in progress, because its autoUpgrade was turned off, ends and names the nodes', () => {
    const decision = decide(heldByGpu(), twoDrivers(limits, { autoUpgrade: false }), NOW);
    expect(isComplete(decision, 'job')).toBe(true);
    expect(outcomeOf(decision, { failedInRun: [], inProgress: [] }, 'job').message).toBe(
      '1 node waiting for another driver that is left in progress there, 1 node waiting for nodes that are left in progress, ' +
        '1 node without autoUpgrade',
    );
  });

  it('goes on continues', () => {
    expect(isComplete(decide(heldByGpu(), twoDrivers(limits, { maxUnavailable: 1 }), NOW), 'job')).toBe(false);
  });

  it('is upgraded by an operator that the policy does not have continues', () => {
    const decision = decide(heldByGpu(), policyOf(limits), NOW);
    expect(decision.waiting).toContainEqual(expect.objectContaining({ node: 'a', kind: 'foreign-driver' }));
    expect(isComplete(decision, 'job')).toBe(false);
  });
});
