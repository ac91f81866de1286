import { expect, it } from '@jest/globals';
import { evictedPods } from '../../../../test/kit/drains.js';
import { asked, cluster, operatorPod, policy, ready, settle, workload } from '../../../../test/kit/maintenances.js';
import { recorded } from '../../../../test/kit/records.js';
import { driverPod, keys, node, NOW, patchesOf } from '../../../../test/kit/snapshots.js';
import { driverKeys, KEEP_CORDON_ANNOTATION } from '../../../shared/contract/labels.js';
import { decide } from '../../decide.js';

/** Nodes that the companion has out by itself, or has not asked for yet, where new ones are drained by the Maintenance Operator. */

const old = driverPod('a', { digest: 'old' });
const rowsOf = (decision: ReturnType<typeof decide>) =>
  patchesOf(decision).flatMap(({ steps }) => steps.map(({ row }) => row));

it.each([
  { name: 'that is out by the companion itself', annotations: recorded({ cordon: '' }), rows: ['begin'] },
  { name: 'that is in service', unschedulable: false, rows: [] },
])('without the operator a node begins again $name: $rows', ({ unschedulable = true, annotations = {}, rows }) => {
  const nodes = [node('a', { state: 'upgrade-required', unschedulable, annotations })];
  const decision = decide(cluster(['a'], [], { nodes, pods: [old] }), policy, NOW);
  expect(rowsOf(decision).filter((row) => row === 'begin')).toEqual(rows);
});

it('a drain of the companion leaves the pod of the operator', () => {
  const annotations = recorded({ cordon: '', since: { 'drain-required': NOW / 1000 - 60 } });
  const nodes = [node('a', { state: 'drain-required', unschedulable: true, annotations })];
  const pods = [old, workload('a'), { ...operatorPod, nodeName: 'a' }];
  expect(evictedPods(decide(cluster(['a'], [], { nodes, pods }), policy, NOW))).toEqual(['work-a']);
});

it('a cordon of the operator for another requestor is not recorded as that of an administrator', () => {
  const annotations = recorded({ due: ['ofed'] });
  const nodes = [node('a', { state: 'upgrade-required', unschedulable: true, annotations })];
  const theirs = ready('a', { requestor: 'nvidia.gpu.operator' });
  const begun = (hasCordon: boolean) =>
    patchesOf(decide(cluster(['a'], [{ ...theirs, hasCordon }], { nodes }), policy, NOW))[0]?.annotations ?? {};
  expect(begun(false)).toHaveProperty([keys.initialState], 'true');
  expect(begun(true)).not.toHaveProperty([keys.initialState]);
});

it('a node that loses its label before the operator has drained it is asked for again, and keeps its pods', () => {
  const annotations = recorded({ wants: { ofed: 'x' }, since: { 'node-maintenance-required': NOW / 1000 - 60 } });
  const nodes = [
    asked('a', '', { unschedulable: true, annotations: { [keys.requestorMode]: 'true', ...annotations } }),
  ];
  const pods = [operatorPod, old, workload('a')];
  const drains = { ...ready('a'), isReady: false, phase: 'WaitForPodCompletion' };
  const decision = decide(cluster(['a'], [drains], { nodes, pods }), policy, NOW);
  expect(evictedPods(decision)).toEqual([]);
  expect(patchesOf(decision)[0]?.labels).toMatchObject({ [keys.state]: 'node-maintenance-required' });
});

it('a node whose driver falls over before its return is not given back in the same decision', () => {
  const nodes = [asked('a', 'post-maintenance-required')];
  const actionsOf = (isReady: boolean) => {
    const pods = [operatorPod, driverPod('a', { ready: isReady })];
    const { actions } = decide(cluster(['a'], [ready('a')], { nodes, pods }), policy, NOW);
    return actions.flatMap((one) => (one.kind === 'changeNodeMaintenance' ? [one.change.kind] : []));
  };
  expect([actionsOf(true), actionsOf(false)]).toEqual([['delete'], []]);
});

it('a node whose NodeMaintenance ends is not kept by a cordon of the companion', () => {
  const annotations = { ...recorded({ cordon: '' }), [keys.requestorMode]: 'true' };
  const nodes = [asked('a', 'post-maintenance-required', { annotations })];
  const decision = decide(cluster(['a'], [], { nodes, pods: [operatorPod, driverPod('a')] }), policy, NOW);
  expect(patchesOf(decision)).toMatchObject([{ unschedulable: false, labels: { [keys.state]: 'upgrade-done' } }]);
});

it('a node that a user wants to stay cordoned is cordoned again when the operator has given it back', () => {
  const annotations = { [KEEP_CORDON_ANNOTATION]: 'true' };
  const [a] = settle(cluster(['a'], [], { nodes: [node('a', { annotations }), node('spare')] })).state.nodes;
  expect(a).toMatchObject({ unschedulable: true, annotations, labels: { [keys.state]: 'upgrade-done' } });
});

it('a node that was asked for by a participant whose section is removed stays with the operator for the others', () => {
  const gpu = driverKeys('gpu');
  const annotations = { [gpu.requestorMode]: 'true', ...recorded({ wants: { ofed: 'x', gpu: 'x' } }) };
  const labels = { [gpu.state]: 'node-maintenance-required' };
  const nodes = [node('a', { state: 'node-maintenance-required', labels, annotations })];
  const pending = { ...ready('a'), isReady: false, phase: 'Pending' };
  const [patch, ...others] = decide(cluster(['a'], [pending], { nodes, pods: [operatorPod, old] }), policy, NOW).actions;
  expect(patch).toMatchObject({ annotations: { [gpu.requestorMode]: null, [keys.requestorMode]: 'true' } });
  expect(patch).not.toHaveProperty('unschedulable');
  expect(others).toEqual([]);
});
