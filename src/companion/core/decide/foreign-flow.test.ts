import { describe, expect, it } from '@jest/globals';
import { digestOf } from '../../../../test/kit/digests.js';
import { recorded } from '../../../../test/kit/records.js';
import {
  after,
  driverPod,
  node,
  NOW,
  ofedDriver,
  patchesOf,
  placeOf,
  pod,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import { decide } from '../../decide.js';

/** The policy has both drivers, and the controller of the GPU operator runs: it drains the node for its driver. */
const gpuDriver = {
  kind: 'gpu' as const,
  controllerPodSelector: 'app=gpu-operator',
  ...placeOf({ ...ofedDriver(), daemonSetSelector: 'app=gpu-driver', podSelector: 'app=gpu-driver' }),
};
const upgradePolicy = { autoUpgrade: true };
const policy = policyOf(
  {},
  {},
  { drivers: [ofedDriver({ drain: {} }), { ...gpuDriver, policies: [{ name: 'ClusterPolicy', upgradePolicy }] }] },
);
const controller = pod('b', 'gpu-operator', { namespace: 'nno', labels: { app: 'gpu-operator' } });

describe('a node that the controller of another driver of the policy drains', () => {
  const labels = { [driverKeys('gpu').state]: 'drain-required' };
  const cordon = {
    unschedulable: true,
    annotations: recorded({ cordon: '', wants: { ofed: digestOf('new'), gpu: 'y' } }),
  };

  it.each([
    { name: 'does not begin', state: 'upgrade-required', digest: 'old', more: {} },
    { name: 'is not uncordoned', state: 'uncordon-required', digest: 'new', more: cordon },
    { name: 'does not go on by itself', state: '', digest: 'new', more: cordon },
  ])('$name', ({ state, digest, more }) => {
    const nodes = [node('a', { state, labels, ...more })];
    const decision = decide(snapshot({ nodes, pods: [driverPod('a', { digest }), controller] }), policy, NOW);
    expect(patchesOf(decision).flatMap(({ steps, unschedulable }) => [...steps, unschedulable])).not.toContain(false);
    expect(patchesOf(decision).flatMap(({ steps }) => steps)).toEqual([]);
    const waits = decision.waiting.filter(({ driver }) => driver === 'ofed');
    expect(waits.map(({ kind }) => kind)).toEqual(['foreign-driver']);
  });

  it('stays cordoned by the companion, which has not seen that yet, while the controller has what it is out for', () => {
    const labels = { [driverKeys('gpu').state]: 'wait-for-jobs-required' };
    const annotations = recorded({ cordon: '', wants: { gpu: 'y' } });
    const nodes = [node('a', { state: 'upgrade-done', unschedulable: true, labels, annotations })];
    const before = snapshot({ nodes, pods: [driverPod('a'), controller] });
    const [left] = after(before, decide(before, policy, NOW)).nodes;
    expect(left?.unschedulable).toBe(true);
    expect(readMaintenanceRecord(left?.annotations[MAINTENANCE_ANNOTATION])?.cordon).toBe('');
  });

  it('keeps its pods that this driver is not to drain', () => {
    const annotations = recorded({ cordon: '', since: { 'drain-required': NOW / 1000 - 60 } });
    const drained = node('a', { state: 'drain-required', unschedulable: true, annotations });
    const kept = pod('a', 'kept', { labels: { [driverKeys('gpu').skipDrain]: 'true' } });
    const from = snapshot({
      nodes: [drained],
      pods: [driverPod('a', { digest: 'old' }), kept, pod('a', 'x'), controller],
    });
    const evicted = decide(from, policy, NOW).actions.flatMap((one) => (one.kind === 'evictPod' ? [one.name] : []));
    expect(evicted).toEqual(['x']);
  });

  it('stays failed while that driver is failed there, although this one is repaired', () => {
    const annotations = recorded({ failure: 'it broke', wants: { ofed: digestOf('new'), gpu: 'y' } });
    const failed = { [driverKeys('gpu').state]: 'upgrade-failed' };
    const nodes = [node('a', { state: 'upgrade-failed', labels: failed, annotations })];
    const decision = decide(snapshot({ nodes, pods: [driverPod('a'), controller] }), policy, NOW);
    expect(patchesOf(decision).flatMap(({ steps }) => steps)).toEqual([]);
  });
});
