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
import { OFED_GATE_LABEL } from '../../../shared/contract/labels.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { Snapshot } from '../../model/snapshot.js';
import { driverView, type DriverView } from '../view/driver-view.js';
import { isPodToMove } from './pods-to-move.js';

const gate = { kind: 'label' as const, label: OFED_GATE_LABEL, podSelectors: ['app=shared-dp'] };
const gated = { namespace: 'nno', labels: { app: 'shared-dp' } };
const ofDaemonSet = { controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u' } } as const;

/** The only driver of a policy. */
function viewOf(policy: UpgradePolicy, seen: Snapshot): DriverView {
  const [driver] = policy.drivers;
  if (driver === undefined) throw new Error('the policy has no driver');
  return driverView(driver, seen, NOW, policy);
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
  const policy = policyOf({ drain: {} }, { gate });
  const one = viewOf(policy, snapshot({ nodes: [node('a')], pods: [driverPod('a'), ...pods] }));
  expect(one.nodes.map((view) => view.pods.some(isPodToMove(view, one)))).toEqual([expected]);
});

it.each([
  { name: 'by its resources', change: { resourceNames: ['nvidia.com/mig-1g.5gb'] }, claims: [], expected: true },
  { name: 'by a claim', change: {}, claims: ['uid-w'], expected: true },
  { name: 'not by the claim of another pod', change: {}, claims: ['uid-x'], expected: false },
  { name: 'no more when it has finished', change: { phase: 'Failed' as const }, claims: ['uid-w'], expected: false },
])('a pod holds a GPU $name', ({ change, claims, expected }) => {
  const user = { ...pod('a', 'w', change), uid: 'uid-w' };
  const seen = {
    ...snapshot({ nodes: [node('a')], pods: [driverPod('a'), user] }),
    podsWithGpuClaims: new Set(claims),
  };
  const one = viewOf(gpuPolicy(), seen);
  expect(one.nodes.map((view) => view.pods.some(isPodToMove(view, one)))).toEqual([expected]);
});

it('a claim of a GPU does not hold another driver', () => {
  const one = viewOf(policyOf(), { ...snapshot({}), podsWithGpuClaims: new Set(['w']) });
  expect(one.podsWithClaims.has('w')).toBe(false);
});
