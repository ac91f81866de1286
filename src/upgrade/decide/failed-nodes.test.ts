import { describe, expect, it } from '@jest/globals';
import { digestOf } from '../../../test/kit/digests.js';
import { begun, failed, fleet } from '../../../test/kit/decide-fleets.js';
import {
  cordoned,
  failingPod,
  goingPod,
  gone,
  itDecides,
  newPod,
  oldPod,
  otherDriverBusy,
  ours,
  paused,
  restarting,
  uninstall,
} from '../../../test/kit/decide-rows.js';
import {
  after,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  orphan,
  patchesOf,
  policyOf,
  snapshot,
} from '../../../test/kit/snapshots.js';
import { decide } from './decide.js';

const ofOther = { [keys.wanted]: digestOf('broken'), [keys.failure]: 'it broke' };
const ofThis = { [keys.wanted]: digestOf('new'), [keys.failure]: 'it broke' };

itDecides([
  // What is wanted decides, not what failed before.
  {
    name: 'another driver is wanted than the one that failed',
    policy: paused,
    node: { state: 'upgrade-failed', ...cordoned, annotations: { ...ours, ...ofOther } },
    pods: [driverPod('a', { digest: 'broken', ready: false })],
    to: 'upgrade-required',
    rows: ['retried'],
    annotations: { [keys.wanted]: null },
    waits: 'pause',
  },
  {
    name: 'the driver that failed is still wanted',
    policy: paused,
    node: { state: 'upgrade-failed', annotations: ofThis },
    pods: [oldPod],
    to: 'upgrade-failed',
    rows: [],
    waits: 'failed',
  },
  {
    name: 'it is not recorded which driver failed',
    policy: paused,
    node: { state: 'upgrade-failed', annotations: { [keys.failure]: 'it broke' } },
    pods: [oldPod],
    to: 'upgrade-failed',
    rows: [],
    waits: 'failed',
  },
  {
    name: 'the driver that runs is wanted again',
    node: { state: 'upgrade-failed', annotations: ofOther },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['repaired', 'uncordon'],
  },
  {
    name: 'the driver that is wanted again is not ready',
    node: { state: 'upgrade-failed', ...cordoned, annotations: { ...ours, ...ofOther } },
    pods: [failingPod],
    to: 'upgrade-failed',
    rows: [],
    waits: 'failed',
  },
  {
    name: 'another driver is wanted, but not applied',
    policy: paused,
    node: { state: 'upgrade-failed', annotations: ofOther },
    pods: [oldPod],
    snapshot: { daemonSets: [daemonSet({ observedGeneration: 1 })] },
    to: 'upgrade-failed',
    rows: [],
    waits: 'failed',
  },
  {
    name: 'the retired DaemonSet of the driver that failed is still there',
    policy: paused,
    node: { state: 'upgrade-failed', annotations: ofOther },
    pods: [goingPod],
    snapshot: { daemonSets: [daemonSet(), gone] },
    to: 'upgrade-failed',
    rows: [],
    waits: 'failed',
  },
  {
    name: 'the driver that failed is uninstalled',
    policy: { ...uninstall, paused: true },
    node: { state: 'upgrade-failed', ...cordoned, annotations: { ...ours, ...ofOther } },
    pods: [orphan('a')],
    snapshot: { daemonSets: [] },
    to: 'upgrade-required',
    rows: ['retried'],
    waits: 'pause',
  },

  // Another program uncordons.
  {
    name: 'its cordon is lifted',
    node: { state: 'pod-restart-required', annotations: { [keys.cordonLifted]: '2' } },
    pods: [oldPod],
    to: 'pod-restart-required',
    rows: ['cordon-lifted', 'cordon', 'jobs-done', 'pod-deletion-off', 'drain-off'],
    unschedulable: true,
    waits: 'cache-sync',
  },
  {
    name: 'its cordon is lifted again and again',
    node: { state: 'pod-restart-required', annotations: { ...ours, ...restarting, [keys.cordonLifted]: '3' } },
    pods: [oldPod],
    to: 'upgrade-failed',
    rows: ['cordon-refused'],
    annotations: {
      [keys.cordoned]: null,
      [keys.cordonLifted]: null,
      [keys.restartStart]: null,
      [keys.failure]: 'its cordon was lifted 4 times before its driver was restarted',
    },
    waits: 'failed',
  },
  {
    name: 'its cordon was lifted again and again, and is there',
    node: { state: 'drain-required', ...cordoned, annotations: { ...ours, [keys.cordonLifted]: '3' } },
    pods: [oldPod],
    to: 'pod-restart-required',
    rows: ['drain-off'],
    waits: 'cache-sync',
  },
  {
    name: 'its cordon was lifted again and again, and its driver was restarted',
    node: { state: 'pod-restart-required', annotations: { [keys.cordonLifted]: '3' } },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['driver-ready', 'validated', 'uncordon'],
  },

  // Another driver's flow needs the cordon.
  {
    name: 'it is not uncordoned while another driver needs its cordon',
    node: { state: 'uncordon-required', ...cordoned, annotations: ours, labels: otherDriverBusy },
    pods: [newPod],
    to: 'uncordon-required',
    rows: [],
    waits: 'other-driver',
  },
  {
    name: 'two drivers that are both done do not wait for each other',
    node: {
      ...{ state: 'uncordon-required', ...cordoned, annotations: ours },
      labels: { 'nvidia.com/gpu-driver-upgrade-state': 'uncordon-required' },
    },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['uncordon'],
    unschedulable: false,
  },
]);

describe('a mended release', () => {
  it('is tried on the failed nodes, as many at a time as the budgets allow', () => {
    const annotations = { ...failed.annotations, ...ofOther };
    const nodes = { a: { ...failed, annotations }, b: { ...failed, annotations }, c: {} };
    expect(begun(decide(fleet(nodes), policyOf({ maxParallelUpgrades: 1 }), NOW))).toEqual(['a']);
    expect(begun(decide(fleet(nodes), policyOf({ maxParallelUpgrades: 3 }), NOW))).toEqual(['a', 'b', 'c']);
  });

  it('waits until fewer nodes have failed than the failure budget allows', () => {
    const nodes = {
      a: { ...failed, annotations: { ...failed.annotations, ...ofOther } },
      b: { ...failed, annotations: { ...failed.annotations, ...ofThis } },
    };
    expect(begun(decide(fleet(nodes), policyOf(), NOW))).toEqual([]);
  });
});

describe('a failed node that no longer gets a driver', () => {
  const left = node('a', {
    state: 'upgrade-failed',
    ...cordoned,
    annotations: { ...ours, ...ofThis },
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

  it('may be covered by a DaemonSet that is not applied yet', () => {
    const { waiting } = decide(snapshot({ nodes: [left], daemonSets: [] }), policyOf(), NOW);
    expect(waiting.map(({ kind }) => kind)).toEqual(['failed']);
  });
});
