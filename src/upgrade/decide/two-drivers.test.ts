import { describe, expect, it } from '@jest/globals';
import { begun, busy, fleet, type NodeInput } from '../../../test/kit/decide-fleets.js';
import { after, NOW, ofedDriver, policyOf } from '../../../test/kit/snapshots.js';
import { driverKeys } from '../../contract/labels.js';
import type { UpgradePolicyInput } from '../../contract/upgrade-policy.js';
import { decide } from './decide.js';

type DriverInput = UpgradePolicyInput['drivers'][number];
type Limits = Readonly<Record<string, unknown>>;

const GPU_STATE = driverKeys('gpu').state;

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
];

describe('decide: two drivers', () => {
  it.each(cases)('$name', ({ nodes, ofed = {}, gpu = {}, rollout, expected, waits }) => {
    const decision = decide(fleet(nodes), twoDrivers(ofed, gpu, rollout), NOW);
    expect(begun(decision)).toEqual(expected);
    if (waits !== undefined) expect(decision.waiting.map(({ message }) => message)).toContain(waits);
  });

  it('a node begins for one driver at a time', () => {
    const observed = fleet({ a: waitsForBoth });
    const policy = twoDrivers({}, { maxUnavailable: 1 });
    const first = decide(observed, policy, NOW);
    expect(begun(first)).toEqual(['a']);
    expect(first.waiting).toContainEqual(expect.objectContaining({ driver: 'gpu', node: 'a', kind: 'other-driver' }));
    expect(begun(decide(after(observed, first), policy, NOW))).toEqual([]);
  });
});
