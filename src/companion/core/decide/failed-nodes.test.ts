import { describe, expect, it } from '@jest/globals';
import { digestOf } from '../../../../test/kit/digests.js';
import { begun, cordoned, failed, fleet } from '../../../../test/kit/decide-fleets.js';
import { recorded } from '../../../../test/kit/records.js';
import { GPU, gpuPod, ofed, ownGpu, policyFor, sharedCluster } from '../../../../test/kit/shared-nodes.js';
import {
  after,
  barePod,
  driverPod,
  keys,
  node,
  NOW,
  patchesOf,
  pod,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';

const ofOther = recorded({ cordon: '', wants: { ofed: digestOf('broken') }, failure: 'it broke' });
const ofThis = recorded({ cordon: '', failure: 'it broke' });

describe('a mended release', () => {
  it('is tried on the failed nodes, as many at a time as the budgets allow', () => {
    const nodes = { a: { ...failed, annotations: ofOther }, b: { ...failed, annotations: ofOther }, c: {} };
    expect(begun(decide(fleet(nodes), policyOf({ maxParallelUpgrades: 1 }), NOW))).toEqual(['a']);
    expect(begun(decide(fleet(nodes), policyOf({ maxParallelUpgrades: 3 }), NOW))).toEqual(['a', 'b', 'c']);
  });
});

describe('a node that fails because pods may not be evicted', () => {
  const since = { 'drain-required': NOW / 1000 - 10 };
  const draining = node('a', { state: 'drain-required', ...cordoned, annotations: recorded({ cordon: '', since }) });
  const kept = pod('a', 'data', { emptyDir: true });
  const old = driverPod('a', { digest: 'old' });

  it('names them, and waits for them when it is tried again', () => {
    const before = snapshot({ nodes: [draining], pods: [old, barePod('a', 'bare'), kept] });
    const first = decide(before, policyOf({ drain: {} }), NOW);
    const refusals = [
      { kind: 'no-controller', pod: 'apps/bare' },
      { kind: 'empty-dir', pod: 'apps/data' },
    ];
    expect(first.waiting).toMatchObject([{ kind: 'failed', refusals }]);
    const now = after(before, first);
    expect(decide(now, policyOf({ drain: {} }), NOW).waiting).toMatchObject([{ kind: 'failed', refusals }]);
    const retried = now.nodes.map((one) => ({ ...one, labels: { ...one.labels, [keys.state]: 'upgrade-required' } }));
    const [wait] = decide({ ...now, nodes: retried }, policyOf({ drain: {} }), NOW).waiting;
    expect(wait).toMatchObject({ kind: 'pods', refusals });
  });

  it('names ten at most', () => {
    const pods = [old, ...Array.from({ length: 12 }, (_, index) => barePod('a', `bare-${index}`))];
    const { waiting } = decide(snapshot({ nodes: [draining], pods }), policyOf({ drain: {} }), NOW);
    expect(waiting[0]?.refusals).toHaveLength(10);
  });
});

describe('a failed node that no longer gets a driver', () => {
  const left = node('a', {
    state: 'upgrade-failed',
    ...cordoned,
    annotations: ofThis,
    labels: { nic: 'no' },
  });

  it('is told, with what frees it', () => {
    const { waiting, findings } = decide(snapshot({ nodes: [left] }), policyOf(), NOW);
    const why = 'DaemonSet mofed selects nic=yes, and the node has nic=no';
    const free = `to free it, uncordon it and remove its label ${keys.state}`;
    const message = `it gets no driver: ${why}; ${free}; it failed: it broke`;
    expect(waiting.map((one) => [one.kind, one.message])).toEqual([['failed-uncovered', message]]);
    expect(findings.filter(({ kind }) => kind === 'node-failed').map((one) => one.message)).toEqual([message]);
  });

  it('is at rest when it is uncordoned and its label is removed', () => {
    const freed = { ...left, labels: { nic: 'no' }, unschedulable: false };
    const before = snapshot({ nodes: [freed] });
    const first = decide(before, policyOf(), NOW);
    const then = decide(after(before, first), policyOf(), NOW);
    expect(patchesOf(first).map(({ unschedulable }) => unschedulable)).toEqual([undefined]);
    expect([then.actions, then.waiting]).toEqual([[], []]);
  });
});

describe('a node whose GPU driver fails', () => {
  const policy = policyFor([ofed(), ownGpu()]);
  const failing = [{ name: 'nvidia-driver-ctr', ready: false, restarts: 11 }];
  const labels = { [GPU.state]: 'pod-restart-required' };
  const annotations = recorded({ cordon: '', restarts: { ofed: NOW / 1000 - 60, gpu: NOW / 1000 - 60 } });
  const nodes = [node('a', { state: 'pod-restart-required', ...cordoned, labels, annotations })];

  it.each([
    { name: 'before OFED is restarted', of: { digest: 'old' }, state: 'upgrade-required' },
    { name: 'while the old OFED ends', of: { digest: 'old', deletionMs: NOW - 1000 }, state: 'upgrade-failed' },
    { name: 'after OFED was restarted', of: {}, state: 'upgrade-failed' },
  ])('is for OFED in $state, $name', ({ of, state }) => {
    const pods = [driverPod('a', of), { ...gpuPod('a', 'new'), ready: false, containers: failing }];
    const from = sharedCluster({ nodes, pods });
    expect(after(from, decide(from, policy, NOW)).nodes[0]?.labels).toMatchObject({
      [GPU.state]: 'upgrade-failed',
      [keys.state]: state,
    });
  });
});

it('a driver that becomes due in the decision in which the node fails does not begin first', () => {
  const annotations = recorded({ cordon: '', restarts: { ofed: NOW / 1000 - 7200 } });
  const nodes = [node('a', { state: 'pod-restart-required', ...cordoned, annotations })];
  const from = sharedCluster({ nodes, pods: [driverPod('a', { ready: false }), gpuPod('a', 'old')] });
  const steps = patchesOf(decide(from, policyFor([ofed(), ownGpu()]), NOW)).flatMap((patch) => patch.steps);
  expect(steps.map(({ driver, row }) => `${driver} ${row}`)).toEqual(['gpu due', 'ofed failed']);
});
