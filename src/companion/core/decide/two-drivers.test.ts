import { allKeys } from '../../../../test/kit/snapshots.js';
import { describe, expect, it } from '@jest/globals';
import { digestOf } from '../../../../test/kit/digests.js';
import { recorded } from '../../../../test/kit/records.js';
import * as SHARED from '../../../../test/kit/shared-nodes.js';
import { begun, busy, fleet } from '../../../../test/kit/decide-fleets.js';
import {
  after,
  driverPod,
  node,
  NOW,
  ofedDriver,
  placeOf,
  pod,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { MAINTENANCE_ANNOTATION } from '../../../shared/contract/maintenance-record.js';
import type { UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import { isComplete, outcomeOf } from '../../runtime/run-outcome.js';
import { type Snapshot } from '../../model/snapshot.js';
import { decide } from '../../decide.js';

type DriverInput = UpgradePolicyInput['drivers'][number];
type Limits = Readonly<Record<string, unknown>>;

const OFED = allKeys('ofed');
const GPU = allKeys('gpu');
const GPU_STATE = GPU.state;

/** OFED and a GPU driver on the same nodes. */
function twoDrivers(ofed: Limits, gpu: Limits, rollout: UpgradePolicyInput['rollout'] = {}) {
  const of = (limits: Limits) => ({ autoUpgrade: true, maxParallelUpgrades: 0, ...limits });
  const place = placeOf(ofedDriver());
  const second: DriverInput = { kind: 'gpu', ...place, policies: [{ name: 'gpu', upgradePolicy: of(gpu) }] };
  return policyOf({}, { rollout }, { drivers: [ofedDriver(of(ofed)), second] });
}

const off = { autoUpgrade: false, maxUnavailable: 1 };
const waitsForBoth = { labels: { [GPU_STATE]: 'upgrade-required' } };
const outForGpu = { ...busy, annotations: {}, state: 'upgrade-done', labels: { [GPU_STATE]: 'pod-restart-required' } };

describe('OFED that failed while the GPU operator restarts its driver', () => {
  it('is tried again together with that, when another version is wanted', () => {
    const states = { [SHARED.OFED.state]: 'upgrade-failed', [SHARED.WEFT_GPU.state]: 'upgrade-failed' };
    const wants = { ofed: digestOf('broken'), 'weft-gpu': digestOf('new') };
    const labels = { ...states, [GPU_STATE]: 'pod-restart-required' };
    const annotations = recorded({ cordon: '', failure: 'it broke', wants });
    const failed = node('a', { unschedulable: true, labels, annotations });
    const pods = [driverPod('a', { digest: 'broken', ready: false }), SHARED.gpuPod('a')];
    const policy = SHARED.policyFor([SHARED.ofed(), SHARED.weftGpu()]);
    const { log, state } = SHARED.minutes(4, SHARED.sharedCluster({ nodes: [failed], pods }), policy);
    expect(log).toContain('deletePod mofed-a');
    expect(state.nodes[0]?.labels[SHARED.WEFT_GPU.state]).toBe('pod-restart-required');
  });
});

describe('decide: two drivers', () => {
  it.each([
    { name: 'a node that begins for OFED counts for the GPU driver', gpu: { maxUnavailable: 1 }, expected: ['a'] },
    { name: 'limits of a policy that is off hold for nobody', gpu: off, expected: ['a', 'b'] },
  ])('$name', ({ gpu, expected }) => {
    expect(begun(decide(fleet({ a: waitsForBoth, b: waitsForBoth }), twoDrivers({}, gpu), NOW))).toEqual(expected);
  });

  it('a node that is due for both waits for the canaries of both', () => {
    const canary = { canary: 'yes', [GPU_STATE]: 'upgrade-required' };
    const skipped = { labels: { [GPU.skip]: 'true' } };
    const nodes = { a: { state: 'upgrade-done', labels: canary }, b: waitsForBoth, c: skipped };
    const rollout = { canary: { nodeSelector: { canary: 'yes' } } };
    expect(begun(decide(fleet(nodes), twoDrivers({}, { maxUnavailable: '100%' }, rollout), NOW))).toEqual(['a', 'c']);
  });

  it('a node begins for both drivers at once', () => {
    const observed = fleet({ a: waitsForBoth });
    const policy = twoDrivers({ drain: { enable: true } }, { maxUnavailable: 1 });
    const first = decide(observed, policy, NOW);
    expect(begun(first)).toEqual(['a']);
    const labels = { [OFED.state]: 'drain-required', [GPU_STATE]: 'drain-required' };
    expect(first.actions).toMatchObject([{ kind: 'patchNode', node: 'a', unschedulable: true, labels }]);
    expect(begun(decide(after(observed, first), policy, NOW))).toEqual([]);
  });
});

/** A node that is done for OFED but for the uncordon, and in progress for the GPU driver, and one that waits for its slot. */
function withGpuInProgress(): Snapshot {
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
    const decision = decide(withGpuInProgress(), twoDrivers(limits, { autoUpgrade: false }), NOW);
    expect(isComplete(decision, 'job')).toBe(true);
    expect(outcomeOf(decision, { failedInRun: [], inProgress: [] }, 'job').message).toBe(
      '1 node without autoUpgrade, 1 node waiting for nodes that are left in progress',
    );
  });

  it('goes on continues', () => {
    expect(isComplete(decide(withGpuInProgress(), twoDrivers(limits, { maxUnavailable: 1 }), NOW), 'job')).toBe(false);
  });

  it('is upgraded by an operator that the policy does not have continues', () => {
    const decision = decide(withGpuInProgress(), policyOf(limits), NOW);
    expect(decision.waiting).toContainEqual(expect.objectContaining({ node: 'a', kind: 'foreign-driver' }));
    expect(isComplete(decision, 'job')).toBe(false);
  });
});

describe('a node whose OFED is left to its operator', () => {
  const policy = twoDrivers({}, { maxUnavailable: '100%' });
  const [ofed, ...others] = policy.drivers;
  const drivers = ofed === undefined ? others : [{ ...ofed, controllerPodSelector: 'app=operator' }, ...others];
  const of = (digest: string, input: Parameters<typeof node>[1]) =>
    snapshot({
      nodes: [node('a', { state: 'drain-required', unschedulable: true, ...input }), node('b')],
      pods: [driverPod('a', { digest }), pod('b', 'operator', { namespace: 'nno', labels: { app: 'operator' } })],
    });

  it.each([
    { state: 'drain-required', kind: 'foreign-driver' },
    { state: 'upgrade-failed', kind: 'foreign-flow' },
  ])('does not begin for the GPU driver in $state', ({ state, kind }) => {
    const from = of('old', { state, labels: { [GPU_STATE]: 'upgrade-required' } });
    const decision = decide(from, { ...policy, drivers }, NOW);
    expect(begun(decision)).toEqual([]);
    expect(decision.waiting).toContainEqual(expect.objectContaining({ driver: 'gpu', kind }));
  });

  it('keeps its cordon when the companion is done with the GPU driver, although it began with both', () => {
    const record = { cordon: '', wants: { ofed: 'x', gpu: 'y' } };
    const annotations = { [MAINTENANCE_ANNOTATION]: JSON.stringify(record) };
    const decision = decide(
      of('new', { labels: { [GPU_STATE]: 'uncordon-required' }, annotations }),
      { ...policy, drivers },
      NOW,
    );
    expect(decision.actions.filter((one) => one.kind === 'patchNode' && one.unschedulable === false)).toEqual([]);
  });
});

it('an undated cordon of a node that an operator has finished with is not lifted, although another driver has no state there', () => {
  const annotations = { [MAINTENANCE_ANNOTATION]: JSON.stringify({ cordon: '' }) };
  const nodes = [node('a', { state: 'upgrade-done', unschedulable: true, annotations })];
  const { actions } = decide(snapshot({ nodes, pods: [driverPod('a')] }), twoDrivers({}, {}), NOW);
  expect(actions.filter((one) => one.kind === 'patchNode' && one.unschedulable === false)).toEqual([]);
});
