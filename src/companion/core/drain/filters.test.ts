import { describe, expect, it } from '@jest/globals';
import { barePod, NOW, pod } from '../../../../test/kit/snapshots.js';
import { selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { DRAIN_FILTERS, drainVerdict, type DrainOptions } from './filters.js';
import type { SnapshotPod } from '../../model/types.js';

const SKIP = 'nvidia.com/ofed-driver-upgrade-drain.skip';
const options: DrainOptions = {
  force: false,
  deleteEmptyDir: false,
  selector: [],
  skipLabels: [SKIP],
  isOurs: () => false,
  unreachable: false,
  daemonSet: () => 'present',
  startMs: NOW - 10_000,
  nowMs: NOW,
};
const ofDaemonSet = { controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u' } } as const;
const ofJob = { controller: { apiVersion: 'batch/v1', kind: 'Job', name: 'train', uid: 'u' } } as const;

interface FilterCase {
  readonly name: string;
  readonly pod: SnapshotPod;
  readonly options?: Partial<DrainOptions>;
  readonly expected: { readonly kind: string; readonly [key: string]: unknown };
}

/** Each filter alone. Cases about evictions are in `evictions.test.ts`. */
const cases: readonly FilterCase[] = [
  {
    name: 'a finished pod of a Job with emptyDir',
    pod: pod('a', 'p', { ...ofJob, phase: 'Succeeded', emptyDir: true }),
    expected: { kind: 'leave', reason: 'it has finished' },
  },
  {
    name: 'a finished pod that is ending, held by a finalizer',
    pod: pod('a', 'p', { ...ofJob, phase: 'Failed', deletionMs: NOW - 60_000, finalizers: ['x/y'] }),
    expected: { kind: 'leave', reason: 'it has finished' },
  },
  {
    name: 'a bare pod',
    pod: barePod('a', 'p'),
    expected: { kind: 'refuse', why: 'no-controller', reason: 'pod apps/p has no controller; `force: true` allows it' },
  },
  {
    name: 'a bare pod, by force',
    pod: barePod('a', 'p'),
    options: { force: true },
    expected: { kind: 'evict', warning: 'pod apps/p has no controller: nothing replaces it' },
  },
  {
    name: 'a bare pod that finished',
    pod: barePod('a', 'p', { phase: 'Failed' }),
    expected: { kind: 'leave', reason: 'it has finished' },
  },
  {
    name: 'a pod of a DaemonSet',
    pod: pod('a', 'p', ofDaemonSet),
    expected: { kind: 'leave', reason: 'DaemonSet agent would replace it', keepsRunning: true },
  },
  {
    name: 'a pod of a DaemonSet that is gone',
    pod: pod('a', 'p', ofDaemonSet),
    options: { daemonSet: () => 'absent' },
    expected: {
      kind: 'refuse',
      why: 'no-controller',
      reason: 'pod apps/p: its DaemonSet agent is gone; `force: true` allows it',
    },
  },
  {
    name: 'a pod of a DaemonSet that is gone, by force',
    pod: pod('a', 'p', ofDaemonSet),
    options: { daemonSet: () => 'absent', force: true },
    expected: { kind: 'evict', warning: 'the DaemonSet agent of pod apps/p is gone: nothing replaces the pod' },
  },
  {
    name: 'a pod of a DaemonSet that the observer has not requested yet',
    pod: pod('a', 'p', ofDaemonSet),
    options: { daemonSet: () => 'unknown' },
    expected: { kind: 'ask', namespace: 'apps', name: 'agent' },
  },
  {
    name: 'a finished pod of a DaemonSet that is gone',
    pod: pod('a', 'p', { ...ofDaemonSet, phase: 'Failed' }),
    options: { daemonSet: () => 'absent' },
    expected: { kind: 'leave', reason: 'it has finished' },
  },
  {
    name: 'an ending pod of a DaemonSet that is gone',
    pod: pod('a', 'p', { ...ofDaemonSet, deletionMs: NOW }),
    options: { daemonSet: () => 'absent' },
    expected: { kind: 'evict' },
  },
  {
    name: 'a DaemonSet of another API group',
    pod: pod('a', 'p', { controller: { ...ofDaemonSet.controller, apiVersion: 'apps.kruise.io/v1alpha1' } }),
    expected: { kind: 'evict' },
  },
  {
    name: 'a mirror pod',
    pod: pod('a', 'p', { mirror: true }),
    expected: { kind: 'leave', reason: 'the kubelet runs it from a file', keepsRunning: true },
  },
  {
    name: 'a pod with emptyDir',
    pod: pod('a', 'p', { emptyDir: true }),
    expected: {
      kind: 'refuse',
      why: 'empty-dir',
      reason: 'pod apps/p has emptyDir data; `deleteEmptyDir: true` allows it',
    },
  },
  {
    name: 'a pod with emptyDir that may go',
    pod: pod('a', 'p', { emptyDir: true }),
    options: { deleteEmptyDir: true },
    expected: { kind: 'evict', warning: 'the emptyDir data of pod apps/p is deleted with it' },
  },
  {
    name: 'a bare pod with emptyDir: no warning is lost',
    pod: barePod('a', 'p', { emptyDir: true }),
    options: { deleteEmptyDir: true, force: true },
    expected: {
      kind: 'evict',
      warning: 'the emptyDir data of pod apps/p is deleted with it; pod apps/p has no controller: nothing replaces it',
    },
  },
  {
    name: 'a pod with a finalizer that is ending',
    pod: pod('a', 'p', { deletionMs: NOW - 60_000, finalizers: ['x/y'] }),
    expected: { kind: 'evict' },
  },
  {
    name: 'a bare pod that is ending',
    pod: barePod('a', 'p', { deletionMs: NOW, emptyDir: true }),
    expected: { kind: 'evict' },
  },
  {
    name: 'a pod whose controller is a custom resource',
    pod: pod('a', 'p', { controller: { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', name: 'x', uid: 'u' } }),
    expected: { kind: 'evict' },
  },
  {
    name: 'a StatefulSet pod that came back in spite of the cordon',
    pod: pod('a', 'p', { toleratesUnschedulable: true, createdMs: NOW - 5000 }),
    expected: {
      kind: 'leave',
      reason: 'came after the drain began, in spite of the cordon',
      warning:
        'pod apps/p came to the cordoned node, because it tolerates node.kubernetes.io/unschedulable: it keeps running there',
    },
  },
  {
    name: 'a pod that tolerates the cordon and was there before',
    pod: pod('a', 'p', { toleratesUnschedulable: true }),
    expected: { kind: 'evict' },
  },
  {
    name: 'a pod that does not tolerate the cordon, whatever its clock says',
    pod: pod('a', 'p', { createdMs: NOW }),
    expected: { kind: 'evict' },
  },
  {
    name: 'a driver pod, or one behind the gate',
    pod: pod('a', 'p', { mirror: true }),
    options: { isOurs: () => true },
    expected: { kind: 'leave', reason: 'it belongs to the driver' },
  },
  {
    name: 'a pod with the skip label',
    pod: barePod('a', 'p', { labels: { [SKIP]: 'true' } }),
    expected: { kind: 'leave', reason: `label ${SKIP}` },
  },
  {
    name: 'a pod with another value of it',
    pod: pod('a', 'p', { labels: { [SKIP]: 'false' } }),
    expected: { kind: 'evict' },
  },
  {
    name: 'a pod that is not selected',
    pod: barePod('a', 'p'),
    options: { selector: selectorOf('app=x') },
    expected: { kind: 'leave', reason: 'not selected' },
  },
  {
    name: 'a pod that holds no resource',
    pod: pod('a', 'p'),
    options: { holdsResource: () => false },
    expected: { kind: 'leave', reason: 'holds no resource' },
  },
  {
    name: 'a finished pod that held one',
    pod: pod('a', 'p', { phase: 'Succeeded' }),
    options: { holdsResource: () => true },
    expected: { kind: 'leave', reason: 'it has finished' },
  },
  {
    name: 'a deleted pod that no kubelet can end',
    pod: pod('a', 'p', { deletionMs: NOW - 1 }),
    options: { unreachable: true },
    expected: {
      kind: 'leave',
      reason: 'deleted, and no kubelet can end it',
      warning: 'pod apps/p was deleted on a node whose kubelet does not report',
    },
  },
  {
    name: 'a pod in its grace period on a node whose kubelet does not report',
    pod: pod('a', 'p', { deletionMs: NOW + 1000 }),
    options: { unreachable: true },
    expected: { kind: 'evict' },
  },
  {
    name: 'a pod that runs on a node whose kubelet does not report',
    pod: pod('a', 'p'),
    options: { unreachable: true },
    expected: { kind: 'evict' },
  },
];

describe('drainVerdict', () => {
  it.each(cases)('$name', (one) => {
    expect(drainVerdict(one.pod, { ...options, ...one.options })).toEqual(one.expected);
  });

  it.each(DRAIN_FILTERS.map(({ name }) => ({ name })))('every filter changes something: $name', ({ name }) => {
    const fewer = DRAIN_FILTERS.filter((filter) => filter.name !== name);
    const changed = cases.filter((one) => {
      const chosen = { ...options, ...one.options };
      return JSON.stringify(drainVerdict(one.pod, chosen, fewer)) !== JSON.stringify(drainVerdict(one.pod, chosen));
    });
    expect(changed).not.toEqual([]);
  });
});
