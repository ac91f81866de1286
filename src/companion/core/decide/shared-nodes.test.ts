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
  weftGpu,
} from '../../../../test/kit/shared-nodes.js';
import { after, ago, driverPod, node, NOW, ofedDriver, pod } from '../../../../test/kit/snapshots.js';
import { SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action, Decision } from '../../model/types.js';
import { decide } from '../../decide.js';

/** What drivers that share a node do to each other. */

const stateOf = ({ nodes }: Snapshot, { state }: { readonly state: string }) => nodes[0]?.labels[state];
const notReady = (on: string) => driverPod(on, { ready: false });
const FUNCTIONS_BEFORE = JSON.stringify({ resources: { 'nvidia.com/vf': '4' }, gatedPods: 0 });

/** Node a, out for OFED. */
const out = (state: string, input: Parameters<typeof node>[1] = {}) =>
  node('a', {
    ...{ state, unschedulable: true, ...input },
    annotations: { [OFED.cordoned]: 'true', ...input.annotations },
  });

describe('the cordon', () => {
  /** The config daemon works as soon as it may, and the new OFED never gets ready. */
  const worksOn = (state: Snapshot, actions: readonly Action[]): Snapshot => {
    const answered = actions.find((one) => one.kind === 'patchSriovNodeState');
    const current = answered?.annotations[SRIOV_DRAIN_KEYS.current];
    const states = [...(state.sriovNodeStates ?? [])].map(([name, one]) => {
      const next = { ...one, ...(current !== undefined && { current }) };
      return [name, next.current === 'DrainComplete' ? { ...next, desired: 'Idle', syncStatus: 'Succeeded' } : next];
    }) as [string, ReturnType<typeof asking>][];
    const isBare = state.pods.onNode('a').length === 0;
    const pods = isBare ? podIndexOf([...state.pods, notReady('a')]) : state.pods;
    return { ...state, pods, sriovNodeStates: new Map(states) };
  };

  it('stays on a node whose OFED failed, and SR-IOV begins when OFED was repaired', () => {
    const from = sharedCluster({ nodes: [node('a')], pods: [driverPod('a', { digest: 'old' })] }, asking('a'));
    const { state, log } = minutes(60, from, policyFor([ofed(), sriovDriver()]), worksOn);
    expect(log).not.toContain('uncordon');
    const labels = { [OFED.state]: 'upgrade-failed', [SRIOV.state]: 'upgrade-required' };
    expect(state.nodes[0]).toMatchObject({ unschedulable: true, labels });
    expect(state.sriovNodeStates?.get('a')?.current).toBe('Draining');
    const { waiting } = decide(state, policyFor([ofed(), sriovDriver()]), NOW + 60 * 60_000);
    expect(waiting.map(({ driver, kind }) => [driver, kind])).toEqual([
      ['ofed', 'failed'],
      ['weft-sriov', 'failed'],
    ]);

    const repaired = { ...state, pods: podIndexOf([...state.pods].map((one) => ({ ...one, ready: true }))) };
    const back = minutes(9, repaired, policyFor([ofed(), sriovDriver()]), worksOn).state;
    const done = { [OFED.state]: 'upgrade-done', [SRIOV.state]: 'upgrade-done' };
    expect(back.nodes[0]).toMatchObject({ unschedulable: false, labels: done });
    expect(back.sriovNodeStates?.get('a')).toMatchObject({ current: 'Idle', syncStatus: 'Succeeded' });
  });

  it('stays on a node that its config daemon boots, where SR-IOV is tried again and may not begin', () => {
    const labels = { [SRIOV.state]: 'upgrade-required' };
    const nodes = [out('uncordon-required', { labels, annotations: { [SRIOV.wanted]: '1' } })];
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const from = sharedCluster({ nodes, pods: [driverPod('a')], paused: true }, state);
    expect(minutes(3, from, policyFor([ofed(), sriovDriver()])).log).not.toContain('uncordon');
  });

  it('that somebody has lifted is set again while a config daemon has the node, which comes back when that is done', () => {
    const a = node('a', { state: 'uncordon-required', labels: { [SRIOV.state]: 'upgrade-failed' } });
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const from = sharedCluster({ nodes: [a], pods: [driverPod('a')] }, state);
    const policy = policyFor([ofed(), sriovDriver()]);
    const waits = minutes(2, from, policy);
    expect(decide(waits.state, policy, NOW + 120_000).waiting.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 2 }, () => 'config-daemon'),
    );
    const done = minutes(9, waits.state, policy, worksOn);
    expect(waits.log).toContain('cordon');
    expect(done.state.nodes[0]?.unschedulable).toBe(false);
    expect([OFED, SRIOV].map((keys) => stateOf(done.state, keys))).toEqual(['upgrade-done', 'upgrade-done']);
  });

  it('is set again for a safe load that a config daemon waits for', () => {
    const annotations = { [OFED.safeLoad]: 'true' };
    const a = node('a', { state: 'uncordon-required', labels: { [SRIOV.state]: 'upgrade-failed' }, annotations });
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const from = sharedCluster({ nodes: [a], pods: [notReady('a')] }, state);
    const run = minutes(3, from, policyFor([ofed(), sriovDriver()]));
    expect(run.log).toContain('cordon');
    expect(run.log).not.toContain('deletePod mofed-a');
    expect(run.state.nodes[0]?.annotations).not.toHaveProperty([OFED.safeLoad]);
  });

  it('of a node that a config daemon boots is no leave to unload OFED, although SR-IOV is skipped', () => {
    const labels = { [SRIOV.state]: 'upgrade-required', [SRIOV.skip]: 'true' };
    const nodes = [out('pod-restart-required', { labels })];
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const from = sharedCluster({ nodes, pods: [driverPod('a', { digest: 'old' })] }, state);
    const policy = policyFor([ofed(), sriovDriver()]);
    const run = minutes(60, from, policy);
    expect(run.log).not.toContain('deletePod mofed-a');
    const { waiting } = decide(run.state, policy, NOW + 60 * 60_000);
    expect(waiting.map(({ driver, kind }) => [driver, kind])).toEqual([
      ['ofed', 'skip'],
      ['weft-sriov', 'skip'],
    ]);
  });

  it('is told to a GPU operator that labelled the node after it', () => {
    const nodes = [out('pod-restart-required', { labels: { [GPU.state]: 'upgrade-required' } })];
    const from = sharedCluster({ nodes, pods: [notReady('a'), gpuPod('a')] });
    const next = after(from, decide(from, policyFor([ofed(), weftGpu()]), NOW));
    const told = after(next, decide(next, policyFor([ofed(), weftGpu()]), NOW)).nodes[0]?.annotations;
    expect(told).toHaveProperty([GPU.initialState], 'true');
  });

  it('stays after a restart of OFED while the cluster does not say whether virtual functions are back', () => {
    const annotations = { [OFED.before]: JSON.stringify({ resources: {}, gatedPods: 0, functions: true }) };
    const nodes = [out('validation-required', { annotations })];
    const from = sharedCluster({ nodes, pods: [driverPod('a')] });
    const { waiting } = decide(from, policyFor([ofed(), sriovDriver()]), NOW);
    expect(waiting).toMatchObject([{ kind: 'validation', message: expect.stringContaining('does not serve') }]);
  });

  it('stays until OFED, whose uninstall was taken back, is validated', () => {
    const before = JSON.stringify({ resources: {}, gatedPods: 0, functions: true });
    const annotations = { [OFED.wanted]: 'none', [OFED.before]: before };
    const nodes = [out('uncordon-required', { annotations })];
    const from = sharedCluster({ nodes, pods: [driverPod('a')] }, nodeStateOf('a', { syncStatus: 'InProgress' }));
    const { state, log } = minutes(3, from, policyFor([ofed(), sriovDriver()]));
    expect(log).not.toContain('uncordon');
    expect(stateOf(state, OFED)).toBe('validation-required');
  });
});

describe('time', () => {
  /** Node a, whose OFED is loaded again, and whose virtual functions are not back. */
  const withoutFunctions = () => {
    const labels = { [SRIOV.state]: 'upgrade-required' };
    const annotations = { [OFED.restartStart]: ago(60), [OFED.before]: FUNCTIONS_BEFORE };
    return out('pod-restart-required', { labels, annotations, allocatable: { 'nvidia.com/vf': '0' } });
  };

  it('of the validation does not run while virtual functions wait, because the companion is paused', () => {
    const from = sharedCluster({ nodes: [withoutFunctions()], pods: [driverPod('a')], paused: true }, asking('a'));
    const { state } = minutes(20, from, policyFor([ofed({ maxParallelUpgrades: 0 }), sriovDriver()]));
    expect(stateOf(state, OFED)).toBe('validation-required');
  });

  it.each([
    { timeoutSeconds: 0, evicted: [] },
    { timeoutSeconds: 600, evicted: ['evictPod training'] },
  ])('of jobs that SR-IOV waits for runs when it joins: $timeoutSeconds seconds', ({ timeoutSeconds, evicted }) => {
    const training = pod('a', 'training', { labels: { app: 'training' }, resourceNames: ['nvidia.com/vf'] });
    const from = sharedCluster({ nodes: [withoutFunctions()], pods: [driverPod('a'), training] }, asking('a'));
    const upgrade = { waitForCompletion: { podSelector: 'app=training', timeoutSeconds } };
    const policy = policyFor([ofed({ maxParallelUpgrades: 0 }), sriovDriver(upgrade)]);
    const first = minutes(9, from, policy);
    const states = [OFED, SRIOV].map((keys) => stateOf(first.state, keys));
    expect(states).toEqual(['wait-for-jobs-required', 'wait-for-jobs-required']);
    expect(first.log.filter((line) => line.startsWith('evictPod'))).toEqual([]);
    const later = minutes(20, from, policy);
    expect([...new Set(later.log)].filter((line) => line.startsWith('evictPod'))).toEqual(evicted);
  });

  it('of OFED does not run while the config daemon boots the node', () => {
    const labels = { [SRIOV.state]: 'pod-restart-required' };
    const annotations = { [OFED.restartStart]: ago(1790), [SRIOV.initialState]: 'true', [SRIOV.wanted]: '1' };
    const nodes = [out('pod-restart-required', { ready: 'Unknown', labels, annotations })];
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const run = minutes(3, sharedCluster({ nodes, pods: [notReady('a')] }, state), policyFor([ofed(), sriovDriver()]));
    expect(stateOf(run.state, OFED)).toBe('pod-restart-required');
  });
});

it('the time of a config daemon that has the node does not run while OFED, which comes before it, is loading', () => {
  const labels = { [SRIOV.state]: 'pod-restart-required' };
  const annotations = { [OFED.restartStart]: ago(60), [SRIOV.wanted]: '1' };
  const nodes = [out('pod-restart-required', { labels, annotations })];
  const state = asking('a', { current: 'DrainComplete' });
  const daemonSets = [{ name: 'mofed', digest: 'new' }];
  const hourToStart = {
    name: 'NicClusterPolicy',
    upgradePolicy: { autoUpgrade: true },
    startupSeconds: 3600,
    daemonSets,
  };
  const policy = policyFor([ofedDriver({}, { policies: [hourToStart] }), sriovDriver()]);
  const loading = minutes(50, sharedCluster({ nodes, pods: [notReady('a')] }, state), policy).state;
  expect([OFED, SRIOV].map((keys) => stateOf(loading, keys))).toEqual(['pod-restart-required', 'pod-restart-required']);
});

it('the GPU driver does not join a node that is out for OFED while the failure budget is spent', () => {
  const failed = node('b', { state: 'upgrade-failed', annotations: { [OFED.failure]: 'x' } });
  const nodes = [out('pod-restart-required'), failed];
  const pods = [notReady('a'), gpuPod('a'), driverPod('b', { digest: 'old' }), gpuPod('b', 'new')];
  const joins = (failureBudget: number) =>
    decide(sharedCluster({ nodes, pods }), policyFor([ofed(), ownGpu()], { failureBudget }), NOW);
  const steps = ({ actions }: Decision) => actions.flatMap((one) => (one.kind === 'patchNode' ? one.steps : []));
  expect(steps(joins(2))).toContainEqual(expect.objectContaining({ driver: 'gpu', row: 'begin' }));
  expect(steps(joins(1))).not.toContainEqual(expect.objectContaining({ row: 'begin' }));
  expect(joins(1).waiting).toContainEqual(expect.objectContaining({ driver: 'gpu', node: 'a', kind: 'halt' }));
});

it('a node comes back with as many pods that wait for OFED as it had when OFED joined its maintenance', () => {
  const gate = { kind: 'label' as const, label: 'gate', podSelectors: ['app=plugin'] };
  const plugin = (name: string) => pod('a', name, { namespace: 'nno', labels: { app: 'plugin' } });
  const drivers = [ofedDriver({ drain: { enable: true } }, { gate }), ownGpu()];
  const policy = policyFor(drivers, { validation: { gatedPods: true } });
  const nodes = [out('upgrade-done', { labels: { [GPU.state]: 'pod-restart-required' } })];
  const pods = [driverPod('a', { digest: 'old' }), gpuPod('a', 'new'), plugin('one'), plugin('two')];
  const joined = minutes(3, sharedCluster({ nodes, pods }), policy);
  expect(joined.log).toContain('deletePod mofed-a');
  const restarted = { ...joined.state, pods: podIndexOf([driverPod('a'), gpuPod('a', 'new'), plugin('one')]) };
  const message = '1 pods wait for the driver, and 2 did before its upgrade';
  expect(decide(restarted, policy, NOW).waiting).toContainEqual(expect.objectContaining({ message }));
});

it('SR-IOV begins on a node that is out for OFED, which waits for virtual functions, although the failure budget is spent', () => {
  const failed = node('b', { state: 'upgrade-failed', annotations: { [OFED.failure]: 'x' } });
  const nodes = [out('validation-required', { labels: { [SRIOV.state]: 'upgrade-required' } }), failed];
  const pods = [driverPod('a'), driverPod('b', { digest: 'old' })];
  const policy = policyFor([ofed(), sriovDriver()], { failureBudget: 1 });
  const { actions } = decide(sharedCluster({ nodes, pods }, asking('a')), policy, NOW);
  const begun = actions.filter((one) => one.kind === 'patchNode' && one.steps.some(({ row }) => row === 'begin'));
  expect(begun).toMatchObject([{ node: 'a', driver: 'weft-sriov' }]);
});

it('a node that is out begins for another driver, although nodes of two racks are out', () => {
  const of = (name: string, rack: string) => ({
    ...out('pod-restart-required', { labels: { rack, [SRIOV.state]: 'upgrade-required' } }),
    ...{ name, uid: `uid-${name}` },
  });
  const nodes = [of('a', '1'), of('b', '2')];
  const from = sharedCluster({ nodes, pods: [notReady('a'), notReady('b')] }, asking('a'), asking('b'));
  const policy = policyFor([ofed({ maxParallelUpgrades: 0 }), sriovDriver()], { topologyKey: 'rack' });
  expect(minutes(3, from, policy).log).toContain('weft-sriov: begin');
});

it('a failed node spends the failure budget, although SR-IOV is due on it', () => {
  const failed = {
    state: 'upgrade-failed',
    annotations: { [OFED.failure]: 'x' },
    labels: { [SRIOV.state]: 'upgrade-required' },
  };
  const nodes = [node('a', { state: 'upgrade-required' }), node('b', failed)];
  const pods = [driverPod('a', { digest: 'old' }), notReady('b')];
  const policy = policyFor([ofed(), sriovDriver()], { failureBudget: 1 });
  const { waiting } = decide(sharedCluster({ nodes, pods }, nodeStateOf('a'), asking('b')), policy, NOW);
  expect(waiting).toContainEqual(expect.objectContaining({ driver: 'ofed', node: 'a', kind: 'halt' }));
});
