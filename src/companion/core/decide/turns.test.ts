import { describe, expect, it } from '@jest/globals';
import {
  asking,
  GPU,
  gpuPod,
  minutes,
  nodeStateOf,
  OFED,
  ofed,
  ownGpu,
  policyFor,
  sharedCluster,
  SRIOV,
  sriovDriver,
} from '../../../../test/kit/shared-nodes.js';
import { driverPod, node, NOW, ofedDriver } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecordText,
  readMaintenanceRecord,
  type MaintenanceRecord,
} from '../../../shared/contract/maintenance-record.js';
import { SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action } from '../../model/types.js';

/** Whose turn it is on a node that was taken out. */

const RESTART = 'pod-restart-required';
const SECONDS = Math.floor(NOW / 1000);

/** Node a, cordoned by the companion, with these states of its drivers. */
const out = (states: Readonly<Record<string, string>>, record: MaintenanceRecord = {}) => {
  const text = maintenanceRecordText({ cordon: '', ...record });
  const annotations = { ...(text !== undefined && { [MAINTENANCE_ANNOTATION]: text }) };
  return node('a', { unschedulable: true, labels: states, annotations });
};
const loading = driverPod('a', { ready: false, createdMs: NOW - 60_000 });

const answersOf = (actions: readonly Action[]) =>
  actions.flatMap((one) => (one.kind === 'patchSriovNodeState' ? [one.annotations[SRIOV_DRAIN_KEYS.current]] : []));
const deletedIn = (actions: readonly Action[]) =>
  actions.flatMap((one) => (one.kind === 'deletePod' ? [one.name] : []));

describe('a config daemon and a GPU driver on one node', () => {
  const policy = policyFor([ofed(), ownGpu(), sriovDriver()]);
  const states = { [OFED.state]: RESTART, [GPU.state]: RESTART, [SRIOV.state]: RESTART };
  const given = (gpu = gpuPod('a')) =>
    sharedCluster({ nodes: [out(states)], pods: [driverPod('a'), gpu] }, asking('a'));
  const secondOf = (from: Snapshot) => decide(minutes(1, from, policy).state, policy, NOW + 60_000).actions;

  it('the old driver is deleted first', () => {
    expect([deletedIn(secondOf(given())), answersOf(secondOf(given()))]).toEqual([['gpu-driver-a'], []]);
  });

  it('the config daemon gets the node when the old driver is gone, and the new one is loaded meanwhile', () => {
    const terminating = given({ ...gpuPod('a'), deletionMs: NOW });
    expect(answersOf(secondOf(terminating))).toEqual([]);
    const isNew = given({ ...gpuPod('a', 'new'), ready: false });
    expect(answersOf(secondOf(isNew))).toEqual(['DrainComplete']);
  });
});

describe('OFED that is being loaded on a node whose GPU driver is old', () => {
  const policy = policyFor([ofed(), ownGpu()]);
  const given = (pod: ReturnType<typeof driverPod>, state?: string) => {
    const states = { [GPU.state]: RESTART, ...(state !== undefined && { [OFED.state]: state }) };
    return sharedCluster({ nodes: [out(states)], pods: [pod, gpuPod('a')] });
  };
  const actionsAfter = (pod: ReturnType<typeof driverPod>, state?: string) =>
    decide(minutes(1, given(pod, state), policy).state, policy, NOW + 60_000).actions;

  it.each([undefined, 'upgrade-done'])('keeps it from being unloaded, with the label %s', (state) => {
    expect(deletedIn(actionsAfter(loading, state))).toEqual([]);
    expect(deletedIn(actionsAfter(driverPod('a'), state))).toEqual(['gpu-driver-a']);
  });

  it('and that fails does not', () => {
    const containers = loading.containers.map((one) => ({ ...one, restarts: 30 }));
    expect(deletedIn(actionsAfter({ ...loading, containers }, 'upgrade-done'))).toEqual(['gpu-driver-a']);
  });

  it('for longer than a driver may take fails the node', () => {
    const { state } = minutes(60, given(loading, 'upgrade-done'), policy);
    expect(state.nodes[0]?.labels[GPU.state]).toBe('upgrade-failed');
    const record = readMaintenanceRecord(state.nodes[0]?.annotations[MAINTENANCE_ANNOTATION] ?? '');
    expect(record?.failure).toBe('its driver took too long: waits until ofed is done on the node');
  });
});

describe('an old OFED on a node that a config daemon has', () => {
  it.each([
    { name: 'stays while it works', ready: true, deleted: [] },
    { name: 'goes when it does not', ready: false, deleted: ['mofed-a'] },
  ])('$name', ({ ready, deleted }) => {
    const policy = policyFor([ofed(), sriovDriver()]);
    const nodes = [out({ [OFED.state]: RESTART, [SRIOV.state]: RESTART })];
    const pods = [driverPod('a', { digest: 'old', ready })];
    const from = sharedCluster({ nodes, pods }, asking('a', { current: 'DrainComplete' }));
    expect(deletedIn(decide(minutes(1, from, policy).state, policy, NOW + 60_000).actions)).toEqual(deleted);
  });
});

describe('a node that its config daemon has booted', () => {
  it('is in service when its OFED is loaded again', () => {
    const policy = policyFor([ofed(), sriovDriver()]);
    const record = { wants: { 'weft-sriov': '1' }, restarts: { 'weft-sriov': SECONDS } };
    const nodes = [out({ [OFED.state]: 'upgrade-done', [SRIOV.state]: RESTART }, record)];
    const after = (ready: boolean) => {
      const pods = [driverPod('a', { ready, createdMs: NOW - 60_000 })];
      return minutes(3, sharedCluster({ nodes, pods }, nodeStateOf('a')), policy).log;
    };
    expect(after(false)).not.toContain('uncordon');
    expect(after(true)).toContain('uncordon');
  });
});

describe('a participant that another program had while the others of its node were moved', () => {
  it.each(['validation-required', 'uncordon-required', 'upgrade-failed'])('goes on with them from %s', (state) => {
    const policy = policyFor([ofed(), ownGpu()]);
    const nodes = [out({ [OFED.state]: state, [GPU.state]: RESTART })];
    const pods = [driverPod('a', { digest: 'old' }), gpuPod('a', 'new')];
    const { actions } = decide(sharedCluster({ nodes, pods }), policy, NOW);
    expect(deletedIn(actions)).toEqual([]);
    const [labels] = actions.flatMap((one) => (one.kind === 'patchNode' && one.node === 'a' ? [one.labels] : []));
    expect(labels).toMatchObject({ [OFED.state]: RESTART });
  });
});

describe('a node that failed for OFED, which was repaired', () => {
  it('goes on with the virtual functions that its config daemon asks for meanwhile', () => {
    const policy = policyFor([ofed(), sriovDriver()]);
    const before = { resources: {}, gatedPods: 0, functions: true };
    const failed = out({ [OFED.state]: 'upgrade-failed' }, { before, failure: 'it broke' });
    const from = sharedCluster({ nodes: [failed], pods: [driverPod('a')] }, asking('a'));
    const { state, log } = minutes(5, from, policy);
    expect(log).not.toContain('uncordon');
    expect(answersOf(decide(state, policy, NOW + 300_000).actions)).toEqual(['DrainComplete']);
  });
});

describe('a node in service that failed for OFED, which was repaired', () => {
  it('needs a slot for what is due on it', () => {
    const labels = { [OFED.state]: 'upgrade-failed', [GPU.state]: 'upgrade-required' };
    const text = maintenanceRecordText({ due: ['gpu'] }) ?? '';
    const nodes = [
      node('a', { labels, annotations: { [MAINTENANCE_ANNOTATION]: text } }),
      node('b', { unschedulable: true, labels: { [OFED.state]: RESTART } }),
    ];
    const pods = [driverPod('a'), gpuPod('a'), driverPod('b', { ready: false })];
    const policy = policyFor([ofed({ maxParallelUpgrades: 1 }), ownGpu()], { failureBudget: 2 });
    const { state } = minutes(1, sharedCluster({ nodes, pods }), policy);
    expect(state.nodes[0]?.labels).toMatchObject({ [OFED.state]: 'upgrade-done', [GPU.state]: 'upgrade-required' });
    expect(state.nodes[0]?.unschedulable).toBe(false);
  });
});

describe('a config daemon that was told that the node is its own', () => {
  it('keeps the cordon where its section was removed', () => {
    const policy = { ...policyFor([ofed()]), sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' } };
    const states = { [OFED.state]: 'uncordon-required', [SRIOV.state]: RESTART };
    const given = (current: ReturnType<typeof asking>) =>
      sharedCluster({ nodes: [out(states, { wants: { 'weft-sriov': '1' } })], pods: [driverPod('a')] }, current);
    const works = minutes(3, given(asking('a', { current: 'DrainComplete' })), policy);
    expect(works.log).not.toContain('uncordon');
    const [wait] = decide(works.state, policy, NOW + 180_000).waiting;
    expect([wait?.kind, wait?.message]).toEqual([
      'foreign-driver',
      'its SR-IOV config daemon is InProgress and asks for Drain_Required, and works on it',
    ]);
    expect(minutes(3, given(nodeStateOf('a', { current: 'DrainComplete' })), policy).log).toContain('uncordon');
  });

  it('keeps drivers from being restarted where its section was removed', () => {
    const policy = { ...policyFor([ofed()]), sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' } };
    const nodes = [out({ [OFED.state]: RESTART })];
    const given = (state: ReturnType<typeof asking>) =>
      sharedCluster({ nodes, pods: [driverPod('a', { digest: 'old' })] }, state);
    const works = minutes(3, given(asking('a', { current: 'DrainComplete' })), policy);
    expect(works.log).not.toContain('deletePod mofed-a');
    expect(decide(works.state, policy, NOW + 180_000).waiting[0]?.kind).toBe('foreign-driver');
    expect(minutes(3, given(nodeStateOf('a')), policy).log).toContain('deletePod mofed-a');
  });
});

describe('a policy that is off during a maintenance', () => {
  it('stops its times, which begin anew when it is on', () => {
    const since = { 'drain-required': SECONDS - 60 };
    const from = sharedCluster({
      nodes: [out({ [OFED.state]: 'drain-required' }, { since, restarts: { ofed: SECONDS } })],
      pods: [driverPod('a', { digest: 'old' })],
    });
    const { state } = minutes(2, from, policyFor([ofed({ autoUpgrade: false })]));
    const record = readMaintenanceRecord(state.nodes[0]?.annotations[MAINTENANCE_ANNOTATION] ?? '');
    expect([record?.since, record?.restarts, record?.cordon]).toEqual([undefined, undefined, '']);
  });
});

describe('pods that use the driver, which has a gate', () => {
  const gate = { kind: 'label' as const, label: 'gate', podSelectors: ['app=plugin'] };
  const policy = policyFor([ofedDriver({ drain: { enable: true } }, { gate }), ownGpu()]);
  const inTurn = out({ [OFED.state]: RESTART, gate: 'false' });
  const oldGpu = { ...gpuPod('a'), ready: false };
  const taints = [{ key: 'problem', value: '', effect: 'NoSchedule' }];
  const skipped = { [OFED.state]: 'upgrade-required', [OFED.skip]: 'true', [GPU.state]: RESTART, gate: 'false' };

  it.each([
    { name: 'go in its turn', on: inTurn, pods: [], value: 'true' },
    { name: 'stay while nothing would put another driver on the node', on: { ...inTurn, taints }, pods: [] },
    { name: 'stay where it is skipped, and the GPU driver is restarted', on: out(skipped), pods: [oldGpu] },
  ])('$name', ({ on, pods, value = 'false' }) => {
    const from = sharedCluster({ nodes: [on], pods: [driverPod('a', { digest: 'old' }), ...pods] });
    expect(minutes(1, from, policy).state.nodes[0]?.labels.gate).toBe(value);
  });

  it('stay while a config daemon has the node', () => {
    const asks = asking('a', { current: 'DrainComplete' });
    const withSriov = { ...policy, sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' } };
    const from = sharedCluster({ nodes: [inTurn], pods: [driverPod('a', { digest: 'old' })] }, asks);
    expect(minutes(1, from, withSriov).state.nodes[0]?.labels.gate).toBe('false');
  });
});
