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
  WEFT_GPU,
  weftGpu,
} from '../../../../test/kit/shared-nodes.js';
import { ago, driverPod, node, NOW, orphan, pod, after } from '../../../../test/kit/snapshots.js';
import { GPU_UPGRADE_ENABLED_ANNOTATION, SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import { podIndexOf } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Action } from '../model/types.js';
import { decide } from './decide.js';

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

  it('stays on a node whose OFED failed, although SR-IOV set it and is done', () => {
    const from = sharedCluster({ nodes: [node('a')], pods: [driverPod('a', { digest: 'old' })] }, asking('a'));
    const { state, log } = minutes(60, from, policyFor([ofed(), sriovDriver()]), worksOn);
    expect(log).toContain('weft-sriov: cordon-of-failed');
    expect(state.nodes[0]).toMatchObject({ unschedulable: true, labels: { [OFED.state]: 'upgrade-failed' } });

    const repaired = { ...state, pods: podIndexOf([...state.pods].map((one) => ({ ...one, ready: true }))) };
    expect(minutes(5, repaired, policyFor([ofed(), sriovDriver()])).log).toContain('uncordon');
  });

  it('stays on a node that its config daemon boots, where SR-IOV is tried again and may not begin', () => {
    const labels = { [SRIOV.state]: 'upgrade-required' };
    const annotations = { [SRIOV.initialState]: 'true', [SRIOV.wanted]: '1' };
    const nodes = [out('uncordon-required', { labels, annotations })];
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const from = sharedCluster({ nodes, pods: [driverPod('a')], paused: true }, state);
    expect(minutes(3, from, policyFor([ofed(), sriovDriver()])).log).not.toContain('uncordon');
  });

  it('that somebody has lifted keeps no driver from its end, and OFED from a safe load that the config daemon waits for', () => {
    const a = node('a', { state: 'uncordon-required', labels: { [SRIOV.state]: 'upgrade-failed' } });
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const from = sharedCluster({ nodes: [a], pods: [driverPod('a')] }, state);
    expect(stateOf(minutes(2, from, policyFor([ofed(), sriovDriver()])).state, OFED)).toBe('upgrade-done');
  });

  it('is told to a GPU operator that labelled the node after it', () => {
    const nodes = [out('pod-restart-required', { labels: { [GPU.state]: 'upgrade-required' } })];
    const from = sharedCluster({ nodes, pods: [notReady('a'), gpuPod('a')] });
    const next = after(from, decide(from, policyFor([ofed(), weftGpu()]), NOW));
    const told = after(next, decide(next, policyFor([ofed(), weftGpu()]), NOW)).nodes[0]?.annotations;
    expect(told).toHaveProperty([GPU.initialState], 'true');
  });

  it('stays where the GPU operator has another driver for the node', () => {
    const labels = { [WEFT_GPU.state]: 'uncordon-required', [GPU.state]: 'upgrade-required' };
    const annotations = { [WEFT_GPU.cordoned]: 'true', [GPU.initialState]: 'true' };
    const from = sharedCluster({
      nodes: [node('a', { unschedulable: true, labels, annotations })],
      pods: [gpuPod('a')],
    });
    const run = minutes(2, from, policyFor([weftGpu()]));
    expect(run.log).toEqual(['weft-gpu: asked-again']);
  });

  it('stays until OFED is ready again on a node that was booted', () => {
    const labels = { [SRIOV.state]: 'validation-required' };
    const annotations = { [SRIOV.initialState]: 'true', [SRIOV.wanted]: '1' };
    const nodes = [out('uncordon-required', { labels, annotations })];
    const from = sharedCluster({ nodes, pods: [notReady('a')] }, nodeStateOf('a'));
    const { log } = minutes(5, from, policyFor([ofed(), sriovDriver()]));
    expect(log).toContain('ofed: lost-again');
    expect(log).not.toContain('uncordon');
  });

  it('is lifted although the label of the driver that set it says that it is done', () => {
    const time = '2026-11-20T11:00:00Z';
    const labels = { [GPU.state]: 'upgrade-done' };
    const annotations = { [GPU.cordoned]: time, [OFED.initialState]: 'true' };
    const a = node('a', { state: 'uncordon-required', unschedulable: true, cordonTime: time, labels, annotations });
    const from = sharedCluster({ nodes: [a], pods: [driverPod('a'), gpuPod('a', 'new')] });
    expect(minutes(5, from, policyFor([ofed(), ownGpu()])).state.nodes[0]?.unschedulable).toBe(false);
  });

  it('does not wait for a driver whose section is gone', () => {
    const labels = { [SRIOV.state]: 'pod-restart-required' };
    const from = sharedCluster({ nodes: [out('uncordon-required', { labels })], pods: [driverPod('a')] });
    expect(minutes(2, from, policyFor([ofed()])).log).toContain('uncordon');
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

  it('stays until virtual functions are back that a retried node had not before its first attempt', () => {
    const first = JSON.stringify({ resources: { 'nvidia.com/vf': '4' }, gatedPods: 0 });
    const a = node('a', { state: 'upgrade-required', annotations: { [OFED.before]: first, [OFED.outdated]: 'true' } });
    const from = sharedCluster({ nodes: [a], pods: [driverPod('a', { digest: 'old' })] }, nodeStateOf('a'));
    const { actions } = decide(from, policyFor([ofed(), sriovDriver()]), NOW);
    const patch = actions.find((one) => one.kind === 'patchNode' && one.node === 'a');
    const before = patch?.kind === 'patchNode' ? patch.annotations[OFED.before] : undefined;
    expect(JSON.parse(before ?? '{}')).toEqual({ resources: { 'nvidia.com/vf': '4' }, gatedPods: 0, functions: true });
  });

  it('leaves no record for the GPU operator when the section of its driver is gone', () => {
    const labels = { [WEFT_GPU.state]: 'pod-restart-required' };
    const annotations = { [GPU.initialState]: 'true' };
    const nodes = [out('uncordon-required', { labels, annotations })];
    const { log, state } = minutes(2, sharedCluster({ nodes, pods: [driverPod('a')] }), policyFor([ofed()]));
    expect(log).toContain('uncordon');
    expect(state.nodes[0]?.annotations).not.toHaveProperty([GPU.initialState]);
  });

  it('stays for a GPU operator that goes on after the section of its driver is gone', () => {
    const labels = { [WEFT_GPU.state]: 'pod-restart-required', [GPU.state]: 'pod-restart-required' };
    const from = sharedCluster({ nodes: [out('uncordon-required', { labels })], pods: [driverPod('a')] });
    expect(minutes(2, from, policyFor([ofed()])).log).not.toContain('uncordon');
  });
});

describe('pods', () => {
  it.each([false, true])('of OFED without a DaemonSet are left to OFED by another drain, with force %s', (force) => {
    const old = orphan('a', { digest: 'old', owner: 'mofed-old' });
    const from = sharedCluster(
      { nodes: [node('a')], pods: [old, pod('a', 'app')] },
      asking('a', { desired: 'Reboot_Required' }),
    );
    const { log, state } = minutes(8, from, policyFor([ofed(), sriovDriver({ drain: { force } })]));
    expect(log.filter((one) => one.startsWith('evictPod'))).toEqual(['evictPod app']);
    expect(stateOf(state, SRIOV)).not.toBe('upgrade-failed');
  });

  it('with the skip label of one driver are evicted for none', () => {
    const kept = pod('a', 'kept', { labels: { [GPU.skipDrain]: 'true' } });
    const pods = [driverPod('a', { digest: 'old' }), gpuPod('a'), kept];
    const { log } = minutes(6, sharedCluster({ nodes: [node('a')], pods }), policyFor([ofed(), ownGpu()]));
    expect(log).toContain('deletePod mofed-a');
    expect(log).not.toContain('evictPod kept');
  });

  it.each([
    {
      name: 'the SriovNetworkNodeState is deleted',
      driver: sriovDriver(),
      keys: SRIOV,
      state: 'pod-deletion-required',
      resource: 'nvidia.com/vf',
    },
    {
      name: 'the label of the GPU operator is gone',
      driver: weftGpu({ waitForCompletion: { podSelector: 'job=x', timeoutSeconds: 0 } }),
      keys: WEFT_GPU,
      state: 'wait-for-jobs-required',
      resource: 'nvidia.com/gpu',
    },
  ])('are not evicted when $name before they were, and the node comes back', ({ driver, keys, state, resource }) => {
    const annotations = { [keys.cordoned]: 'true', [keys.podDeletionStart]: ago(20) };
    const a = node('a', { unschedulable: true, labels: { [keys.state]: state }, annotations });
    const pods = [gpuPod('a'), pod('a', 'user', { resourceNames: [resource] })];
    const run = minutes(5, { ...sharedCluster({ nodes: [a], pods }), sriovNodeStates: new Map() }, policyFor([driver]));
    expect(run.log).toContain('uncordon');
    expect(run.log).not.toContain('evictPod user');
    expect(run.state.nodes[0]?.annotations).not.toHaveProperty([keys.done]);
  });
});

describe('time', () => {
  it.each(['the companion is paused', 'SR-IOV waits for jobs'])(
    'of the validation does not run while virtual functions wait, because %s',
    (why) => {
      const labels = { [SRIOV.state]: 'upgrade-required' };
      const annotations = { [OFED.restartStart]: ago(60), [OFED.before]: FUNCTIONS_BEFORE };
      const a = out('pod-restart-required', { labels, annotations, allocatable: { 'nvidia.com/vf': '0' } });
      const training = pod('a', 'training', { labels: { app: 'training', [OFED.skipDrain]: 'true' } });
      const from = sharedCluster(
        {
          nodes: [a],
          pods: [driverPod('a'), training],
          paused: why === 'the companion is paused',
        },
        asking('a'),
      );
      const jobs = { waitForCompletion: { podSelector: 'app=training', timeoutSeconds: 0 } };
      const { state } = minutes(20, from, policyFor([ofed({ maxParallelUpgrades: 0 }), sriovDriver(jobs)]));
      expect(stateOf(state, OFED)).toBe('validation-required');
    },
  );

  it('of the validation does not run while the GPU driver restarts, which brings its resource back', () => {
    const labels = { [WEFT_GPU.state]: 'pod-restart-required', [GPU.state]: 'pod-restart-required' };
    const annotations = {
      [OFED.validationStart]: ago(590),
      [WEFT_GPU.initialState]: 'true',
      [WEFT_GPU.restartStart]: ago(600),
    };
    const from = sharedCluster({
      nodes: [out('validation-required', { labels, annotations })],
      pods: [driverPod('a'), gpuPod('a')],
    });
    const policy = policyFor([ofed(), weftGpu()], { validation: { resources: ['nvidia.com/gpu'] } });
    expect(stateOf(minutes(3, from, policy).state, OFED)).toBe('validation-required');
  });

  it('of a GPU driver does not run while OFED, which it waits for, has time left', () => {
    const labels = { [GPU.state]: 'pod-restart-required' };
    const annotations = { [GPU.restartStart]: ago(1799), [OFED.restartStart]: ago(1500), [GPU.initialState]: 'true' };
    const from = sharedCluster({
      nodes: [out('pod-restart-required', { labels, annotations })],
      pods: [notReady('a'), { ...gpuPod('a', 'new'), ready: false }],
    });
    expect(stateOf(minutes(2, from, policyFor([ofed(), ownGpu()])).state, GPU)).toBe('pod-restart-required');
  });

  it('of OFED does not run while the config daemon boots the node', () => {
    const labels = { [SRIOV.state]: 'pod-restart-required' };
    const annotations = { [OFED.restartStart]: ago(1790), [SRIOV.initialState]: 'true', [SRIOV.wanted]: '1' };
    const nodes = [out('pod-restart-required', { ready: 'Unknown', labels, annotations })];
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const run = minutes(3, sharedCluster({ nodes, pods: [notReady('a')] }, state), policyFor([ofed(), sriovDriver()]));
    expect(stateOf(run.state, OFED)).toBe('pod-restart-required');
  });

  it('of the validation ends when the GPU operator begins again, which gets the time of a driver', () => {
    const labels = { [WEFT_GPU.state]: 'validation-required', [GPU.state]: 'pod-restart-required' };
    const annotations = {
      [WEFT_GPU.cordoned]: 'true',
      [WEFT_GPU.validationStart]: ago(595),
      [GPU.initialState]: 'true',
    };
    const a = node('a', { unschedulable: true, labels, annotations });
    const policy = policyFor([weftGpu({}, { validationPodSelector: 'app=nvidia-operator-validator' })]);
    const run = minutes(3, sharedCluster({ nodes: [a], pods: [gpuPod('a')] }), policy);
    expect(stateOf(run.state, WEFT_GPU)).toBe('pod-restart-required');
  });
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

it('k8s-driver-manager is kept from evicting on a node that is out for OFED, also when its upgrades are turned off', () => {
  const annotations = { [GPU_UPGRADE_ENABLED_ANNOTATION]: 'true', [OFED.restartStart]: ago(5) };
  const nodes = [out('pod-restart-required', { annotations })];
  const from = sharedCluster({ nodes, pods: [notReady('a'), gpuPod('a', 'new')] });
  const { state } = minutes(3, from, policyFor([ofed(), ownGpu({ autoUpgrade: false })]));
  expect(state.nodes[0]?.annotations[GPU_UPGRADE_ENABLED_ANNOTATION]).toBe('true');
});
