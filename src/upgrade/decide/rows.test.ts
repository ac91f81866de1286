import { describe, expect, it } from '@jest/globals';
import {
  cordoned,
  drainOn,
  endingPod,
  itDecides,
  jobs,
  newPod,
  oldPod,
  ours,
  restarting,
  restartsNow,
  unrendered,
  validated,
} from '../../../test/kit/decide-rows.js';
import {
  ago,
  driverPod,
  gpuPolicy,
  keys,
  node,
  NOW,
  patchesOf,
  pod,
  policyOf,
  snapshot,
} from '../../../test/kit/snapshots.js';
import { driverKeys } from '../../contract/labels.js';
import { decide } from './decide.js';
import type { SnapshotPod } from '../model/types.js';

const FIRST = '2026-11-20T11:00:00Z';
const SECOND = '2026-11-20T11:30:00Z';
const again = { ...cordoned, cordonTime: SECOND } as const;
const replaced = { [keys.cordoned]: null, [keys.initialState]: 'true' };
const loading = driverPod('a', { ready: false });
const job = pod('a', 'job', { labels: { job: 'x' } });

// Nodes that keep their state, so that only the tested row applies.
itDecides([
  {
    name: 'cordoned again while it waits for jobs',
    node: {
      state: 'wait-for-jobs-required',
      ...again,
      annotations: { [keys.cordoned]: FIRST, [keys.waitStart]: ago(5) },
    },
    pods: [oldPod, job],
    policy: jobs,
    to: 'wait-for-jobs-required',
    annotations: replaced,
    waits: 'cache-sync',
  },
  {
    name: 'cordoned again while its driver loads',
    node: { state: 'pod-restart-required', ...again, annotations: { [keys.cordoned]: FIRST, ...restarting } },
    pods: [loading],
    to: 'pod-restart-required',
    annotations: replaced,
    waits: 'cache-sync',
  },
  {
    name: 'cordoned again while it is validated',
    node: {
      ...{ state: 'validation-required', ...again },
      annotations: { [keys.cordoned]: FIRST, [keys.validationStart]: ago(5) },
    },
    pods: [newPod],
    policy: validated,
    to: 'validation-required',
    annotations: replaced,
    waits: 'cache-sync',
  },
  {
    name: 'its driver loads, and no start time is recorded',
    node: { state: 'pod-restart-required', ...cordoned, annotations: ours },
    pods: [loading],
    to: 'pod-restart-required',
    annotations: restartsNow,
    waits: 'driver-pod',
  },
  {
    name: 'its driver loads, and its DaemonSet is not applied',
    node: { state: 'pod-restart-required', ...cordoned, annotations: { ...ours, ...restarting } },
    pods: [loading],
    snapshot: { daemonSets: [unrendered] },
    to: 'pod-restart-required',
    annotations: { [keys.restartStart]: null },
    waits: 'driver-pod',
  },
  {
    name: 'the same without a time',
    node: { state: 'pod-restart-required', ...cordoned, annotations: ours },
    pods: [loading],
    snapshot: { daemonSets: [unrendered] },
    to: 'pod-restart-required',
    rows: [],
    annotations: {},
    waits: 'driver-pod',
  },
  {
    name: 'its driver took too long, and its DaemonSet is not applied',
    node: { state: 'pod-restart-required', ...cordoned, annotations: { ...ours, [keys.restartStart]: ago(1801) } },
    pods: [loading],
    snapshot: { daemonSets: [unrendered] },
    to: 'pod-restart-required',
    annotations: { [keys.restartStart]: null },
    waits: 'driver-pod',
  },
  {
    name: 'a driver that is ending is waited for',
    node: { state: 'pod-restart-required', ...cordoned, annotations: { ...ours, ...restarting } },
    pods: [endingPod],
    policy: drainOn,
    to: 'pod-restart-required',
    rows: [],
    waits: 'termination',
  },
]);

describe('decide: pods that use the resource', () => {
  const gpu = driverKeys('gpu');
  const held = (seconds: number, more: object = {}) =>
    node('a', {
      ...{ state: 'pod-deletion-required', prefix: 'gpu', unschedulable: true, ...more },
      annotations: { [gpu.cordoned]: FIRST, [gpu.podDeletionStart]: ago(seconds) },
    });
  const holder = (input: Partial<SnapshotPod> = {}) =>
    pod('a', 'holder', { resourceNames: ['nvidia.com/gpu'], ...input });
  const policy = gpuPolicy({ drain: { enable: false }, podDeletion: { timeoutSeconds: 300 } });
  const decideOn = (one: ReturnType<typeof node>, of: SnapshotPod) =>
    patchesOf(decide(snapshot({ nodes: [one], pods: [oldPod, of] }), policy, NOW))[0];

  it.each([
    { name: 'may not be deleted', seconds: 5, of: holder({ emptyDir: true }), failure: 'emptyDir' },
    { name: 'take too long', seconds: 301, of: holder(), failure: 'took too long' },
  ])('which $name give the node back where drain is off', ({ seconds, of, failure }) => {
    const patch = decideOn(held(seconds, { cordonTime: FIRST }), of);
    expect(patch).toMatchObject({ labels: { [gpu.state]: 'upgrade-failed' }, unschedulable: false });
    expect(patch?.annotations).toMatchObject({ [gpu.cordoned]: null, [gpu.failure]: expect.stringContaining(failure) });
  });

  it('which are of the driver’s kind by one of its prefixes only', () => {
    const other = decide(
      snapshot({
        nodes: [held(5, { cordonTime: FIRST })],
        pods: [oldPod, holder({ resourceNames: ['example.com/nvidia.com/gpu'] })],
      }),
      policy,
      NOW,
    );
    expect(patchesOf(other)[0]?.labels[gpu.state]).toBe('pod-restart-required');
  });

  it('whose node another actor cordoned again', () => {
    expect(decideOn(held(5, { cordonTime: SECOND }), holder())?.annotations).toEqual({
      [gpu.cordoned]: null,
      [gpu.initialState]: 'true',
    });
  });
});

describe('decide: a node that was cordoned before its upgrade', () => {
  it('has a finding that it stays cordoned', () => {
    const one = node('a', { state: 'uncordon-required', ...cordoned, annotations: { [keys.initialState]: 'true' } });
    const { findings } = decide(snapshot({ nodes: [one], pods: [newPod] }), drainOn, NOW);
    expect(findings).toMatchObject([{ kind: 'cordon-kept', message: expect.stringContaining('a') }]);
  });
});

describe('decide: a node whose kubelet does not report', () => {
  it('waits for pods that were not deleted yet, and not for those that cannot terminate', () => {
    const unreachable = node('a', {
      state: 'drain-required',
      ...cordoned,
      ready: 'Unknown',
      annotations: { ...ours, [keys.drainStart]: ago(20) },
    });
    const on = (...of: SnapshotPod[]) =>
      decide(
        snapshot({ nodes: [unreachable], pods: [oldPod, ...of] }),
        policyOf({ drain: { timeoutSeconds: 0 } }),
        NOW,
      );
    expect(on(pod('a', 'w')).actions).toMatchObject([{ kind: 'evictPod', name: 'w' }]);
    const deleted = pod('a', 'd', { deletionMs: NOW - 1000 });
    expect(patchesOf(on(deleted))[0]?.labels[keys.state]).toBe('pod-restart-required');
    const both = on(pod('a', 'w'), deleted);
    expect(both.actions).toMatchObject([{ kind: 'evictPod', name: 'w' }]);
    expect(both.findings.map(({ message }) => message)).toContain(
      'pod apps/d was deleted on a node whose kubelet does not report',
    );
  });
});
