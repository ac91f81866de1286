import { describe, expect, it } from '@jest/globals';
import { reduceDaemonSet, reduceNode, reducePod, reduceRevision } from './reduce.js';

describe('the time of a cordon', () => {
  const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const cordonTime = '2026-01-06T12:00:00Z';

  it.each([
    {
      name: 'is that of its taint',
      taints: [
        { key: 'a', effect: 'NoSchedule' },
        { ...taint, timeAdded: cordonTime },
      ],
    },
    { name: 'is not known before the taint is there', taints: [] },
    { name: 'is not known of a taint that another program set', taints: [taint] },
    { name: 'is not that of another taint', taints: [{ key: 'a', effect: 'NoExecute', timeAdded: cordonTime }] },
  ])('$name', ({ taints }) => {
    const isDated = taints.some((one) => one.key === taint.key && 'timeAdded' in one);
    expect(reduceNode({ spec: { unschedulable: true, taints } }).cordonTime).toBe(isDated ? cordonTime : undefined);
  });
});

it.each([
  { name: 'by a label', pod: { metadata: { labels: { 'control-plane': 'nvidia-network-operator-controller' } } } },
  { name: 'by its image', pod: { spec: { containers: [{ image: 'example.com/network-operator:v1' }] } } },
])("recognizes a pod of the network operator's controller $name", ({ pod }) => {
  expect(reducePod(pod).controllerOf).toBe('network-operator');
  expect('controllerOf' in reducePod({})).toBe(false);
});

it('reads the runtime classes of NVIDIA', () => {
  const classOf = (runtimeClassName?: string) =>
    reducePod({ metadata: { name: 'p' }, spec: { ...(runtimeClassName !== undefined && { runtimeClassName }) } })
      .runtimeClass;
  expect([classOf(), classOf('kata'), classOf('nvidia-cdi')]).toEqual([undefined, undefined, 'nvidia-cdi']);
});

it.each([{ type: 'OnDelete' }, { type: 'RollingUpdate' }])('reads the update strategy $type', (updateStrategy) => {
  expect(reduceDaemonSet({ spec: { updateStrategy } }).updateStrategy).toBe(updateStrategy.type);
  expect('updateStrategy' in reduceDaemonSet({})).toBe(false);
});

it("the digest of the GPU operator's driver is that of its containers, and absent for other drivers", () => {
  const env = [{ name: 'DRIVER_CONFIG_DIGEST', value: '83a1' }];
  const template: object = { spec: { initContainers: [{ name: 'k8s-driver-manager', env }], containers: [] } };
  expect(reduceDaemonSet({ spec: { template } }).configDigest).toBe('83a1');
  expect(reduceRevision({ data: { spec: { template } } }).configDigest).toBe('83a1');
  expect('configDigest' in reduceDaemonSet({})).toBe(false);
});

const BASE = '0/12 nodes are available: 1 node(s) were unschedulable, 11 node(s) had volume node affinity conflict.';

it.each([
  {
    name: 'on no node preemption would help, as v1.28 says it',
    message: `${BASE} preemption: 0/12 nodes are available: 12 Preemption is not helpful for scheduling..`,
    expected: 0,
  },
  {
    name: 'the same with DRA',
    message: `${BASE} no new claims to deallocate, preemption: 0/12 nodes are available: 12 Preemption is not helpful for scheduling.`,
    expected: 0,
  },
  {
    name: 'some have pods that do not make room',
    message: `${BASE} preemption: 0/12 nodes are available: 3 No preemption victims found for incoming pod, 9 Preemption is not helpful for scheduling.`,
    expected: 3,
  },
  {
    name: 'all have',
    message: `${BASE} preemption: 0/12 nodes are available: 12 No preemption victims found for incoming pod.`,
    expected: 12,
  },
  {
    name: 'another number of nodes',
    message: `${BASE} preemption: 0/9 nodes are available: 9 Preemption is not helpful for scheduling.`,
  },
  {
    name: 'its claim has no volume',
    message: `0/2 nodes are available: persistentvolumeclaim "a" not found. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.`,
  },
  { name: 'it does not preempt', message: `${BASE} preemption: not eligible due to preemptionPolicy=Never.` },
  { name: 'pods make room for it', message: BASE },
  { name: 'another scheduler', message: '12/12 tasks in gang unschedulable: pod group is not ready, 12 Pending.' },
])('reads how many nodes would take a pod without their pods: $name', ({ message, expected }) => {
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
  const read = (nodeName: string, reason = 'Unschedulable') =>
    reducePod({ spec: { nodeName }, status: { conditions: [{ ...condition, reason }] } }).fitsEmptyNodes;
  expect([read(''), read('n1'), read('', 'SchedulingGated')]).toEqual([expected, undefined, undefined]);
});
