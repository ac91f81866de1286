import { expect, it } from '@jest/globals';
import { recorded } from '../../../../test/kit/records.js';
import {
  asking,
  GPU,
  gpuPod,
  minutes,
  OFED,
  ofed,
  ownGpu,
  policyFor,
  sharedCluster,
  sriovDriver,
} from '../../../../test/kit/shared-nodes.js';
import { after, allKeys, driverPod, node, NOW, patchesOf } from '../../../../test/kit/snapshots.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import { podIndexOf } from '../../model/pod-index.js';
import { decide } from '../../decide.js';

/** A driver that becomes due on a node that is out for another one. */

const required = { [GPU.state]: 'upgrade-required' };
const out = (state: string, input: Parameters<typeof node>[1] = {}) =>
  node('a', { state, unschedulable: true, annotations: recorded({ cordon: '' }), ...input });
const both = policyFor([ofed(), ownGpu()]);

it('a node that is out for OFED is left alone by the GPU driver until its canaries are done', () => {
  const canary = { canary: 'yes', [GPU.state]: 'pod-restart-required' };
  const nodes = [
    out('pod-restart-required', { labels: required }),
    node('c', { state: 'upgrade-done', unschedulable: true, labels: canary }),
  ];
  const pods = [driverPod('a', { ready: false }), gpuPod('a'), driverPod('c'), gpuPod('c')];
  const from = sharedCluster({ nodes, pods });
  const policy = policyFor([ofed(), ownGpu()], { canary: { nodeSelector: { canary: 'yes' } } });
  const decision = decide(from, policy, NOW);
  expect(after(from, decision).nodes[0]?.labels).toMatchObject(required);
  expect(decision.waiting).toContainEqual(expect.objectContaining({ driver: 'gpu', node: 'a', kind: 'canary' }));
  expect(after(from, decide(from, both, NOW)).nodes[0]?.labels).not.toMatchObject(required);
});

it('a node that lacks virtual functions gets them, and does not wait for canaries that wait for its place', () => {
  const before = { resources: {}, gatedPods: 0, functions: true };
  const nodes = [
    out('validation-required', { annotations: recorded({ cordon: '', before }) }),
    node('c', { state: 'upgrade-done', labels: { canary: 'yes' } }),
  ];
  const pods = [driverPod('a'), driverPod('c')];
  const from = sharedCluster({ nodes, pods }, asking('a'), asking('c'));
  const policy = policyFor([ofed(), sriovDriver()], { canary: { nodeSelector: { canary: 'yes' } } });
  const { log } = minutes(3, from, policy);
  expect(log).toContain('weft-sriov: begin');
  expect(log).not.toContain('cordon');
});

it('a canary that is out for OFED gets the GPU driver although the API server refused its last patches', () => {
  const nodes = [out('pod-restart-required', { labels: { canary: 'yes', ...required } })];
  const pods = [driverPod('a', { ready: false }), gpuPod('a')];
  const refusedPatches = new Map([['a', { message: 'no', failures: 5, untilMs: NOW - 1 }]]);
  const from = sharedCluster({ nodes, pods, refusedPatches });
  const policy = policyFor([ofed(), ownGpu()], { canary: { nodeSelector: { canary: 'yes' } } });
  expect(after(from, decide(from, policy, NOW)).nodes[0]?.labels).not.toMatchObject(required);
});

it('a node that somebody uncordons before the end of its maintenance needs a slot for what is due on it', () => {
  const nodes = (unschedulable: boolean) => [
    out('uncordon-required', { unschedulable, labels: required }),
    node('b', { state: 'upgrade-done', unschedulable: true }),
  ];
  const pods = [driverPod('a'), gpuPod('a'), driverPod('b'), gpuPod('b', 'new')];
  const policy = policyFor([ofed(), ownGpu({ maxUnavailable: 1 })]);
  const logOf = (unschedulable: boolean) =>
    minutes(3, sharedCluster({ nodes: nodes(unschedulable), pods }), policy).log;
  expect(logOf(true)).toContain('deletePod gpu-driver-a');
  expect(logOf(false)).not.toContain('cordon');
});

it('a node that somebody uncordons during its validation is taken out again for the virtual functions that it lacks', () => {
  const before = { resources: {}, gatedPods: 0, functions: true };
  const annotations = recorded({ cordon: '', before });
  const nodes = [out('validation-required', { unschedulable: false, annotations })];
  const from = sharedCluster({ nodes, pods: [driverPod('a')] }, asking('a'));
  const { log } = minutes(3, from, policyFor([ofed(), sriovDriver()]));
  expect(log).toEqual(expect.arrayContaining(['weft-sriov: begin', 'weft-sriov: lost', 'cordon']));
});

it('a node comes back whose maintenance ended with a removed section, although a skipped driver is due on it', () => {
  const annotations = recorded({ cordon: '', wants: { gpu: 'x' }, due: ['ofed'] });
  const labels = { [OFED.skip]: 'true', [GPU.state]: 'drain-required' };
  const nodes = [out('upgrade-required', { labels, annotations }), node('b', { state: 'upgrade-required' })];
  const pods = [driverPod('a', { digest: 'old' }), driverPod('b', { digest: 'old' })];
  const { state } = minutes(3, sharedCluster({ nodes, pods }), policyFor([ofed()]));
  expect(state.nodes[0]?.unschedulable).toBe(false);
  expect(state.nodes[0]?.labels[OFED.state]).toBe('upgrade-required');
});

it('an operator is not told of a cordon that is lifted, also after its section was removed', () => {
  const told = allKeys('gpu').initialState;
  const annotations = { ...recorded({ cordon: '', wants: { 'weft-gpu': 'x' }, due: ['ofed'] }), [told]: 'true' };
  const labels = { [OFED.skip]: 'true', [allKeys('weft-gpu').state]: 'pod-restart-required' };
  const nodes = [out('upgrade-required', { labels, annotations })];
  const { state } = minutes(3, sharedCluster({ nodes, pods: [driverPod('a')] }), policyFor([ofed()]));
  expect(state.nodes[0]?.unschedulable).toBe(false);
  expect(state.nodes[0]?.annotations).not.toHaveProperty([told]);
});

it('what is due on a node is recorded once', () => {
  const a = node('a', { labels: required, annotations: recorded({ due: ['ofed', 'gpu'] }) });
  const from = sharedCluster({ nodes: [a], pods: [driverPod('a', { digest: 'old' }), gpuPod('a')], paused: true });
  const annotations = after(from, decide(from, both, NOW)).nodes[0]?.annotations ?? {};
  expect(readMaintenanceRecord(annotations[MAINTENANCE_ANNOTATION])?.due).toEqual(['ofed', 'gpu']);
});

it('a failed node whose label a user moves for one driver is tried again for both', () => {
  const annotations = recorded({ cordon: '', wants: { ofed: 'x', gpu: 'y' }, failure: 'it broke' });
  const nodes = [out('upgrade-required', { annotations, labels: { [GPU.state]: 'upgrade-failed' } })];
  const pods = [driverPod('a', { digest: 'old' }), gpuPod('a')];
  const from = sharedCluster({ nodes, pods });
  const { labels } = after(from, decide(from, both, NOW)).nodes[0] ?? {};
  expect(labels).toMatchObject({ [OFED.state]: 'drain-required', [GPU.state]: 'pod-deletion-required' });
});

it('a driver that joins after a validation has begun gets the whole time of a validation', () => {
  const since = { 'validation-required': NOW / 1000 - 590 };
  const annotations = recorded({ cordon: '', since, restarts: { ofed: NOW / 1000 - 700 } });
  const nodes = [out('pod-restart-required', { labels: required, annotations })];
  const pods = [driverPod('a'), gpuPod('a')];
  const policy = policyFor([ofed(), ownGpu()], { validation: { podSelector: 'app=check', timeoutSeconds: 600 } });
  const { state } = minutes(5, sharedCluster({ nodes, pods }), policy, (now, actions) =>
    actions.some(({ kind }) => kind === 'deletePod')
      ? { ...now, pods: podIndexOf([...now.pods, gpuPod('a', 'new')]) }
      : now,
  );
  const labels = { [OFED.state]: 'validation-required', [GPU.state]: 'validation-required' };
  expect(state.nodes[0]?.labels).toMatchObject(labels);
});

it('the time of a GPU driver begins anew when OFED, which it waited for, is done', () => {
  const restarts = { ofed: NOW / 1000 - 60, gpu: NOW / 1000 - 1790 };
  const annotations = recorded({ cordon: '', restarts });
  const nodes = [out('pod-restart-required', { labels: { [GPU.state]: 'pod-restart-required' }, annotations })];
  const loading = { ...gpuPod('a', 'new'), ready: false };
  const from = sharedCluster({ nodes, pods: [driverPod('a', { ready: false }), loading] });
  const isReady = podIndexOf([...from.pods].map((one) => (one === loading ? one : { ...one, ready: true })));
  const { state } = minutes(9, from, both, (now) => ({ ...now, pods: isReady }));
  expect(state.nodes[0]?.labels).toMatchObject({ [GPU.state]: 'pod-restart-required' });
});

it('a driver that becomes due in the decision in which the node fails does not join first', () => {
  const annotations = recorded({ cordon: '', restarts: { ofed: NOW / 1000 - 7200 } });
  const nodes = [out('pod-restart-required', { annotations })];
  const from = sharedCluster({ nodes, pods: [driverPod('a', { ready: false }), gpuPod('a', 'old')] });
  const steps = patchesOf(decide(from, both, NOW)).flatMap((patch) => patch.steps);
  expect(steps.map(({ driver, row }) => `${driver} ${row}`)).toEqual(['gpu due', 'ofed failed']);
});

it('the time of a driver begins anew where it was written before the clock was set back', () => {
  const annotations = recorded({ cordon: '', restarts: { ofed: NOW / 1000 + 3600 } });
  const nodes = [out('pod-restart-required', { annotations })];
  const from = sharedCluster({ nodes, pods: [driverPod('a', { ready: false }), gpuPod('a', 'new')] });
  const { [MAINTENANCE_ANNOTATION]: text } = after(from, decide(from, both, NOW)).nodes[0]?.annotations ?? {};
  expect(readMaintenanceRecord(text)?.restarts).toEqual({ ofed: NOW / 1000 });
});

it('the cordon of an administrator stays foreign where only what an operator asked for is left', () => {
  const labels = { [GPU.state]: 'upgrade-required' };
  const annotations = recorded({ due: ['gpu'] });
  const nodes = [node('a', { state: 'upgrade-required', unschedulable: true, labels, annotations })];
  const from = sharedCluster({ nodes, pods: [driverPod('a', { digest: 'old' }), gpuPod('a', 'new')] });
  const closed = policyFor([ofed(), ownGpu()], { maintenanceWindows: [{ schedule: '0 0 1 1 *', duration: '1h' }] });
  const first = after(from, decide(from, closed, NOW));
  expect(first.nodes[0]?.labels).toMatchObject({ [OFED.state]: 'upgrade-required', [GPU.state]: 'upgrade-done' });
  const { [MAINTENANCE_ANNOTATION]: text } = after(first, decide(first, closed, NOW)).nodes[0]?.annotations ?? {};
  expect(readMaintenanceRecord(text)?.cordon).toBeUndefined();
});

it('a driver that is up to date again is done at once on a node that is out for another one', () => {
  const annotations = recorded({ cordon: '', due: ['ofed'], since: { 'drain-required': NOW / 1000 - 10 } });
  const nodes = [out('upgrade-required', { annotations, labels: { [GPU.state]: 'drain-required' } })];
  const from = sharedCluster({ nodes, pods: [driverPod('a'), gpuPod('a')] });
  const steps = patchesOf(decide(from, both, NOW)).flatMap((patch) => patch.steps);
  expect(steps.map(({ driver, row, to }) => `${driver} ${row} ${to}`)).toEqual([
    'ofed not-due upgrade-done',
    'gpu drained pod-restart-required',
  ]);
});
