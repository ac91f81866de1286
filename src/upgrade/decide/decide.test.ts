import { describe, expect, it } from '@jest/globals';
import {
  itDecides,
  cordoned,
  drainOff,
  drainOn,
  newPod,
  ours,
  oldPod,
  otherDriverBusy,
  rolloutOf,
  validated,
  restarting,
} from '../../../test/kit/decide-rows.js';
import { after, driverPod, keys, node, NOW, patchesOf, policyOf, snapshot } from '../../../test/kit/snapshots.js';
import { decide } from './decide.js';

itDecides([
  // uncordon-required.
  {
    name: 'uncordoned',
    node: { state: 'uncordon-required', ...cordoned },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['uncordon'],
    unschedulable: false,
    annotations: { [keys.done]: rolloutOf(drainOff) ?? '' },
  },
  {
    name: 'a foreign cordon is never lifted',
    node: { state: 'uncordon-required', ...cordoned, annotations: { [keys.initialState]: 'true' } },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['cordon-kept'],
  },

  // upgrade-failed.
  {
    name: 'failed and still broken',
    node: { state: 'upgrade-failed', ...cordoned },
    pods: [oldPod],
    to: 'upgrade-failed',
    waits: 'failed',
  },
  {
    name: 'failed and repaired',
    node: { state: 'upgrade-failed', ...cordoned, annotations: { ...ours, [keys.failure]: 'x' } },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['repaired', 'uncordon'],
    unschedulable: false,
    annotations: { [keys.cordoned]: null, [keys.failure]: null, [keys.done]: rolloutOf(drainOff) ?? '' },
  },
  {
    name: 'failed by the operator, which cordoned it, and repaired',
    node: { state: 'upgrade-failed', ...cordoned },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['repaired', 'uncordon'],
    unschedulable: false,
  },
  {
    name: 'failed by the operator, which cordoned it, repaired, and to be upgraded again',
    node: { state: 'upgrade-failed', ...cordoned, annotations: { [keys.requested]: 'true' } },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['repaired', 'uncordon'],
    unschedulable: false,
  },
  {
    name: 'failed, uncordoned, cordoned by an admin, and repaired',
    node: { state: 'upgrade-failed', ...cordoned, annotations: { [keys.failure]: 'x' } },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['repaired', 'cordon-kept'],
  },
  {
    name: 'failed and repaired while another driver works behind the cordon',
    node: { state: 'upgrade-failed', ...cordoned, labels: otherDriverBusy },
    pods: [newPod],
    to: 'upgrade-failed',
    rows: [],
    waits: 'failed',
  },
  {
    name: 'failed, repaired, and cordoned before',
    node: { state: 'upgrade-failed', ...cordoned, annotations: { [keys.initialState]: 'true' } },
    pods: [newPod],
    to: 'upgrade-done',
    rows: ['repaired', 'cordon-kept'],
  },
  {
    name: 'failed by its validation: a ready driver repairs nothing',
    policy: validated,
    node: { state: 'upgrade-failed', ...cordoned },
    pods: [newPod],
    to: 'upgrade-failed',
    waits: 'failed',
  },

  // Nodes that the companion does not change.
  {
    name: 'the maintenance operator has the node',
    node: { state: 'drain-required', ...cordoned, annotations: { [keys.requestorMode]: 'true' } },
    pods: [oldPod],
    to: 'drain-required',
    rows: [],
    waits: 'foreign-flow',
  },
  {
    name: 'a state of the maintenance operator',
    node: { state: 'node-maintenance-required' },
    pods: [oldPod],
    to: 'node-maintenance-required',
    waits: 'foreign-flow',
  },
  {
    name: 'an unknown state',
    node: { state: 'upgrade-dome' },
    pods: [oldPod],
    to: 'upgrade-dome',
    waits: 'foreign-flow',
  },
  {
    name: 'autoUpgrade is off',
    policy: policyOf({ autoUpgrade: false }),
    node: { state: 'uncordon-required', ...cordoned },
    pods: [newPod],
    to: 'uncordon-required',
    waits: 'off',
  },
  {
    name: 'autoUpgrade is off, and it failed before',
    policy: policyOf({ autoUpgrade: false }),
    node: { state: 'upgrade-failed', ...cordoned },
    pods: [newPod],
    to: 'upgrade-failed',
    waits: 'failed',
  },
  {
    name: 'a revision that is gone, of a pod from the future',
    node: { state: 'pod-restart-required', ...cordoned, annotations: restarting },
    pods: [driverPod('a', { createdMs: NOW + 3_600_000 })],
    snapshot: { revisions: [] },
    to: 'pod-restart-required',
    waits: 'termination',
  },
  {
    name: 'a revision that may be on its way',
    node: { state: 'pod-restart-required', ...cordoned },
    pods: [driverPod('a', { createdMs: NOW - 59_999 })],
    snapshot: { revisions: [] },
    to: 'pod-restart-required',
    waits: 'driver-pod',
  },
  {
    name: 'autoUpgrade is off, nothing began',
    policy: policyOf({ autoUpgrade: false }),
    node: {},
    pods: [oldPod],
    to: '',
  },
]);

describe('decide: patches', () => {
  it('carries the version and the UID that it was decided on', () => {
    const decision = decide(snapshot({ nodes: [node('a', { resourceVersion: '42' })], pods: [newPod] }), drainOff, NOW);
    expect(patchesOf(decision)[0]).toMatchObject({ resourceVersion: '42', uid: 'uid-a' });
  });

  it('is the same when the snapshot is seen again after its patch', () => {
    const before = snapshot({ nodes: [node('a')], pods: [oldPod] });
    const once = after(before, decide(before, drainOn, NOW));
    expect(decide(once, drainOn, NOW).actions).toEqual([]);
  });
});
