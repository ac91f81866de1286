import { expect, it } from '@jest/globals';
import {
  barePod,
  driverPod,
  gpuPolicy,
  keys,
  node,
  NOW,
  orphan,
  pod,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { digestOf } from '../../../../test/kit/digests.js';
import { recorded } from '../../../../test/kit/records.js';
import { OFED_GATE_LABEL } from '../../../shared/contract/labels.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { decide } from '../../decide.js';
import type { SnapshotPod } from '../../model/types.js';

const gate = { kind: 'label' as const, label: OFED_GATE_LABEL, podSelectors: ['app=shared-dp'] };
const gated = { namespace: 'nno', labels: { app: 'shared-dp' } };
const ofDaemonSet = { controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u' } } as const;

/** Whether pods of the only node have to move, which is then told: no other node takes them. */
function hasToMove(
  policy: UpgradePolicy,
  state: NodeState,
  pods: readonly SnapshotPod[],
  claims: readonly string[] = [],
): boolean {
  const name = policy.drivers[0]?.labelPrefix ?? '';
  const annotations = recorded({ cordon: '', wants: { [name]: digestOf('new') }, since: { [state]: NOW / 1000 } });
  const here = node('a', { state, prefix: name, unschedulable: true, annotations });
  const seen = snapshot({ nodes: [here], pods: [driverPod('a'), ...pods], podsWithGpuClaims: new Set(claims) });
  return decide(seen, policy, NOW).findings.some(({ kind }) => kind === 'unschedulable-pods');
}

it.each([
  { name: 'a pod of a ReplicaSet', pods: [pod('a', 'w')], expected: true },
  { name: 'one with emptyDir data', pods: [pod('a', 'w', { emptyDir: true })], expected: true },
  {
    name: 'one that the skip label keeps',
    pods: [pod('a', 'w', { labels: { [keys.skipDrain]: 'true' } })],
    expected: false,
  },
  { name: 'one that has finished', pods: [pod('a', 'w', { phase: 'Succeeded' })], expected: false },
  { name: 'one of a DaemonSet', pods: [pod('a', 'w', ofDaemonSet)], expected: false },
  { name: 'one that the kubelet runs from a file', pods: [pod('a', 'w', { mirror: true })], expected: false },
  { name: 'one without a controller', pods: [barePod('a', 'w')], expected: false },
  { name: 'one behind the gate', pods: [pod('a', 'g', gated)], expected: false },
  {
    name: 'one behind the gate with emptyDir data',
    pods: [pod('a', 'g', { ...gated, emptyDir: true })],
    expected: false,
  },
  {
    name: 'a plain one beside that',
    pods: [pod('a', 'g', { ...gated, emptyDir: true }), pod('a', 'w')],
    expected: true,
  },
  { name: 'one behind the gate and another', pods: [pod('a', 'g', gated), pod('a', 'w')], expected: true },
  { name: 'pods of the driver', pods: [driverPod('a'), { ...orphan('a'), name: 'o', uid: 'o' }], expected: false },
])('a pod that has to move: $name', ({ pods, expected }) => {
  expect(hasToMove(policyOf({ drain: {} }, { gate }), 'drain-required', pods)).toBe(expected);
});

it.each([
  { name: 'by its resources', change: { resourceNames: ['nvidia.com/mig-1g.5gb'] }, claims: [], expected: true },
  { name: 'by a claim', change: {}, claims: ['uid-w'], expected: true },
  { name: 'not by the claim of another pod', change: {}, claims: ['uid-x'], expected: false },
  { name: 'no more when it has finished', change: { phase: 'Failed' as const }, claims: ['uid-w'], expected: false },
])('a pod holds a GPU $name', ({ change, claims, expected }) => {
  const user = { ...pod('a', 'w', change), uid: 'uid-w' };
  expect(hasToMove(gpuPolicy(), 'pod-deletion-required', [user], claims)).toBe(expected);
});

it('a claim of a GPU does not hold another driver', () => {
  const jobs = [barePod('a', 'job', { labels: { job: 'x' } }), pod('a', 'w')];
  const waits = { waitForCompletion: { podSelector: 'job=x' } };
  expect(hasToMove(policyOf(waits), 'wait-for-jobs-required', jobs, ['uid-w'])).toBe(false);
  expect(hasToMove(gpuPolicy(waits), 'wait-for-jobs-required', jobs, ['uid-w'])).toBe(true);
});
