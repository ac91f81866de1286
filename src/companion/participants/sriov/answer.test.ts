import { describe, expect, it } from '@jest/globals';
import { recorded } from '../../../../test/kit/records.js';
import {
  asking,
  minutes,
  nodeStateOf,
  ofed,
  policyFor,
  SRIOV,
  sharedCluster,
  sriovDriver,
} from '../../../../test/kit/shared-nodes.js';
import { barePod, driverPod, node, NOW, pod, snapshot } from '../../../../test/kit/snapshots.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { Decision } from '../../model/types.js';
import type { SriovNodeState } from '../../model/sriov.js';
import { decide } from '../../decide.js';

/** What config daemons are told, and when. */

const MINUTE_AGO = NOW / 1000 - 60;
const policy = policyFor([ofed(), sriovDriver()]);

/** Node a, which the companion has out of service for virtual functions only. */
const out = (state: string, input: Parameters<typeof node>[1] = {}) =>
  node('a', {
    ...{ state: 'upgrade-done', unschedulable: true, ...input },
    labels: { [SRIOV.state]: state, ...input.labels },
    annotations: recorded({
      ...{ cordon: '', wants: { 'weft-sriov': '1' }, restarts: { 'weft-sriov': MINUTE_AGO } },
      since: { 'pod-deletion-required': MINUTE_AGO },
    }),
  });

const answersOf = ({ actions }: Decision) =>
  actions.flatMap((one) => (one.kind === 'patchSriovNodeState' ? Object.values(one.annotations) : []));

const user = { resourceNames: ['nvidia.com/vf'] };

describe('a config daemon is told that its node is drained', () => {
  const told = (late: ReturnType<typeof pod>[], timeoutSeconds = 300) => {
    const nodes = [out('pod-restart-required')];
    const from = sharedCluster({ nodes, pods: [driverPod('a'), ...late] }, asking('a', { current: 'Draining' }));
    return answersOf(decide(from, policyFor([ofed(), sriovDriver({ drain: { timeoutSeconds } })]), NOW));
  };

  it.each([
    { name: 'when no pod is on it', late: [], answers: ['DrainComplete'] },
    { name: 'beside pods without virtual functions', late: [pod('a', 'other')], answers: ['DrainComplete'] },
    { name: 'not before a late pod with a virtual function has left', late: [pod('a', 'late', user)], answers: [] },
    { name: 'not while a late pod that must not be evicted has one', late: [barePod('a', 'bare', user)], answers: [] },
  ])('$name', ({ late, answers }) => {
    expect(told(late)).toEqual(answers);
  });

  it('not beside a late pod with a virtual function, although the time of the drain is over', () => {
    expect(told([pod('a', 'late', user)], 30)).toEqual([]);
  });

  it('not before a cordon that somebody has lifted is set again, also where nothing is drained', () => {
    const only = (unschedulable: boolean) => ({
      ...snapshot({
        nodes: [out('pod-restart-required', { unschedulable })],
        pods: [driverPod('a'), pod('a', 'other')],
      }),
      sriovNodeStates: new Map([['a', asking('a', { desired: 'Reboot_Required', current: 'Draining' })]]),
    });
    expect(answersOf(decide(only(true), policy, NOW))).toEqual(['DrainComplete']);
    expect(answersOf(decide(only(false), policy, NOW))).toEqual([]);
  });
});

describe('a config daemon that asks for nothing any more', () => {
  it.each([
    { state: 'pod-deletion-required', answers: [] },
    { state: 'pod-restart-required', answers: ['Idle'] },
    { state: 'upgrade-failed', answers: ['Idle'] },
  ])('and was never told that its node is drained: $state $answers', ({ state, answers }) => {
    const nodeState = nodeStateOf('a', { current: 'Draining', syncStatus: 'InProgress' });
    const from = sharedCluster({ nodes: [out(state)], pods: [driverPod('a')] }, nodeState);
    expect(answersOf(decide(from, policy, NOW))).toEqual(answers);
  });

  const answersTo = (nodeState: SriovNodeState, more = {}) => {
    const nodes = [out('uncordon-required', more)];
    return answersOf(decide(sharedCluster({ nodes, pods: [driverPod('a')] }, nodeState), policy, NOW));
  };

  it.each(['Draining', 'DrainComplete'])(
    'is told so although another program keeps the cordon of its node: %s',
    (current) => {
      const labels = { [driverKeys('gpu').state]: 'drain-required' };
      expect(answersTo(nodeStateOf('a', { current }), { labels })).toEqual(['Idle']);
    },
  );
});

describe('a failed node that is tried again for OFED, and whose config daemon failed', () => {
  const next = (nodeState: SriovNodeState, { ready = true, times = 3 } = {}) => {
    const labels = { [SRIOV.state]: 'upgrade-failed' };
    const annotations = recorded({ cordon: '', failure: 'it broke', wants: { ofed: 'other', 'weft-sriov': '1' } });
    const a = node('a', { state: 'upgrade-failed', unschedulable: true, labels, annotations });
    const from = sharedCluster({ nodes: [a], pods: [driverPod('a', { digest: 'old', ready })] }, nodeState);
    const { state, log } = minutes(times, from, policy);
    const decision = decide(state, policy, NOW + times * 60_000);
    const deleted = log.filter((one) => one.startsWith('deletePod'));
    return { answers: answersOf(decision), deleted, state: state.nodes[0]?.labels[SRIOV.state] };
  };

  it('stays with the daemon while that tries again, and loads OFED meanwhile where it is not loaded', () => {
    const given = nodeStateOf('a', { current: 'DrainComplete', syncStatus: 'InProgress' });
    expect(next(given)).toMatchObject({ state: 'pod-restart-required', deleted: [] });
    expect(next(given, { ready: false })).toMatchObject({
      state: 'pod-restart-required',
      deleted: ['deletePod mofed-a'],
    });
  });

  it('waits until the daemon was told that the node is not its own any more', () => {
    const failed = nodeStateOf('a', { current: 'DrainComplete', syncStatus: 'Failed' });
    expect(next(failed, { times: 1 })).toMatchObject({ answers: ['Idle'], deleted: [] });
    expect(next({ ...failed, current: 'Idle' }).deleted).toEqual(['deletePod mofed-a']);
  });
});
