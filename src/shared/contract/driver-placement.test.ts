import { describe, expect, it } from '@jest/globals';
import type { PlacedDaemonSet } from './daemon-set-placement.js';
import { driverPlacement, type NoDriver } from './driver-placement.js';
import { ARCH_LABEL, NFD_LABELS } from './labels.js';
import type { PlacementNode } from '../kubernetes/selection/node-placement.js';

const labelsOf = (osVersion: string, kernel: string, more: Readonly<Record<string, string>> = {}) => ({
  [NFD_LABELS.nicPresent]: 'true',
  [NFD_LABELS.osName]: 'ubuntu',
  [NFD_LABELS.osVersion]: osVersion,
  [NFD_LABELS.kernel]: kernel,
  ...more,
});
const daemonSet = (
  name: string,
  nodeSelector: Readonly<Record<string, string>>,
  tolerations: PlacedDaemonSet['tolerations'] = [],
): PlacedDaemonSet => ({ name, nodeSelector, tolerations });
const node = (labels: Readonly<Record<string, string>>, taints: PlacementNode['taints'] = []): PlacementNode => ({
  name: 'a',
  labels: { ...labels, [ARCH_LABEL]: 'amd64' },
  taints,
});
const TAINT = { key: 'team', value: 'a', effect: 'NoSchedule' };

const noble1 = daemonSet('noble-1', labelsOf('24.04', 'k1'));
const noble2 = daemonSet('noble-2', labelsOf('24.04', 'k2'));
const jammy = daemonSet('jammy', labelsOf('22.04', 'k1'));

describe('the DaemonSet that puts a driver on a node', () => {
  it('is the one that selects it', () => {
    expect(driverPlacement([noble1, noble2])(node(labelsOf('24.04', 'k2'))).daemonSet).toBe(noble2);
  });

  it('is the one whose pod is there, if several select it', () => {
    const other = { ...noble1, name: 'other' };
    const placement = driverPlacement([noble1, other]);
    expect(placement(node(labelsOf('24.04', 'k1'))).daemonSet).toBe(noble1);
    expect(placement(node(labelsOf('24.04', 'k1')), ['other']).daemonSet).toBe(other);
    expect(placement(node(labelsOf('24.04', 'k1')), ['gone']).daemonSet).toBe(noble1);
  });
});

interface ReasonCase {
  readonly name: string;
  readonly daemonSets?: readonly PlacedDaemonSet[];
  readonly architecture?: string;
  readonly node: PlacementNode;
  readonly expected: NoDriver;
}

describe('why none does', () => {
  it.each<ReasonCase>([
    {
      name: 'a taint',
      node: node(labelsOf('24.04', 'k2'), [TAINT]),
      expected: {
        kind: 'taint',
        message: 'DaemonSet noble-2 does not tolerate the taint team=a:NoSchedule',
        daemonSet: 'noble-2',
      },
    },
    {
      name: 'many taints weigh less than a label',
      node: node(labelsOf('24.04', 'k2'), [TAINT, { key: 'b', effect: 'NoExecute' }]),
      expected: {
        kind: 'taint',
        message: 'DaemonSet noble-2 does not tolerate the taint team=a:NoSchedule and b:NoExecute',
        daemonSet: 'noble-2',
      },
    },
    {
      name: 'a kernel',
      node: node(labelsOf('24.04', 'k3')),
      expected: { kind: 'kernel', message: 'no driver DaemonSet is for kernel k3' },
    },
    {
      name: 'a kernel, and a taint that a DaemonSet for another kernel tolerates',
      daemonSets: [noble1, { ...noble2, tolerations: [{ operator: 'Exists' }] }],
      node: node(labelsOf('24.04', 'k1'), [TAINT]),
      expected: {
        kind: 'taint',
        message: 'DaemonSet noble-1 does not tolerate the taint team=a:NoSchedule',
        daemonSet: 'noble-1',
      },
    },
    {
      name: 'an OS version',
      node: node(labelsOf('20.04', 'k1')),
      expected: { kind: 'os', message: 'no driver DaemonSet is for ubuntu 20.04' },
    },
    {
      name: 'an OS',
      node: node({ ...labelsOf('24.04', 'k1'), [NFD_LABELS.osName]: 'rhel' }),
      expected: { kind: 'os', message: 'no driver DaemonSet is for rhel 24.04' },
    },
    {
      name: 'the OS where another OS has a driver for the kernel, and a kernel where the OS has one',
      daemonSets: [noble2, jammy],
      node: node(labelsOf('24.04', 'k1')),
      expected: { kind: 'os', message: 'no driver DaemonSet is for ubuntu 24.04 with kernel k1' },
    },
    {
      name: 'the only architecture',
      architecture: 'arm64',
      node: node(labelsOf('24.04', 'k1')),
      expected: { kind: 'architecture', message: 'no driver DaemonSet is for amd64' },
    },
    {
      name: 'an architecture',
      daemonSets: [daemonSet('arm', labelsOf('24.04', 'k1', { [ARCH_LABEL]: 'arm64' }))],
      node: node(labelsOf('24.04', 'k1')),
      expected: { kind: 'architecture', message: 'no driver DaemonSet is for amd64' },
    },
    {
      name: 'a label that the node lacks',
      daemonSets: [daemonSet('gpu', labelsOf('24.04', 'k1', { pool: 'gpu' }))],
      node: node(labelsOf('24.04', 'k1')),
      expected: { kind: 'label', message: 'DaemonSet gpu selects pool=gpu, and the node lacks that label' },
    },
    {
      name: 'another value of a label',
      daemonSets: [daemonSet('gpu', labelsOf('24.04', 'k1', { pool: 'gpu' }))],
      node: node(labelsOf('24.04', 'k1', { pool: 'cpu' })),
      expected: { kind: 'label', message: 'DaemonSet gpu selects pool=gpu, and the node has pool=cpu' },
    },
    {
      name: 'no affinity term that could match',
      daemonSets: [{ ...noble1, nodeAffinity: [] }],
      node: node(labelsOf('24.04', 'k1')),
      expected: { kind: 'label', message: 'DaemonSet noble-1 does not select the node' },
    },
    {
      name: 'no DaemonSet',
      daemonSets: [],
      node: node(labelsOf('24.04', 'k1')),
      expected: { kind: 'policy', message: 'no policy installs a driver' },
    },
  ])('is $name', ({ daemonSets = [noble1, noble2, jammy], node: one, architecture, expected }) => {
    const { reason } = driverPlacement(daemonSets, architecture)(one);
    expect(reason).toEqual(expected);
  });
});
