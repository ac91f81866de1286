import { describe, expect, it } from '@jest/globals';
import {
  asking,
  GPU,
  gpuPod,
  minutes,
  nodeStateOf,
  OFED,
  ofed,
  policyFor,
  sharedCluster,
  SRIOV,
  sriovDriver,
  weftGpu,
} from '../../../../test/kit/shared-nodes.js';
import { ago, driverPod, node, NOW, pod, after } from '../../../../test/kit/snapshots.js';
import { SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action } from '../../model/types.js';
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

  it('of OFED does not run while the config daemon boots the node', () => {
    const labels = { [SRIOV.state]: 'pod-restart-required' };
    const annotations = { [OFED.restartStart]: ago(1790), [SRIOV.initialState]: 'true', [SRIOV.wanted]: '1' };
    const nodes = [out('pod-restart-required', { ready: 'Unknown', labels, annotations })];
    const state = asking('a', { desired: 'Reboot_Required', current: 'DrainComplete' });
    const run = minutes(3, sharedCluster({ nodes, pods: [notReady('a')] }, state), policyFor([ofed(), sriovDriver()]));
    expect(stateOf(run.state, OFED)).toBe('pod-restart-required');
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
