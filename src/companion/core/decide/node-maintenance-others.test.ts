import { describe, expect, it } from '@jest/globals';
import {
  asked,
  changesOf,
  cluster,
  DRAIN,
  gpuDriver,
  gpuPod,
  gpuSet,
  nodeMaintenance,
  objectOf,
  operatorPod,
  policy,
  ready,
  settle,
  US,
  waitOf,
} from '../../../../test/kit/maintenances.js';
import {
  barePod,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  ofedDriver,
  pod,
  policyOf,
} from '../../../../test/kit/snapshots.js';
import { COMPANION_COMPONENT, COMPONENT_LABEL, driverKeys } from '../../../shared/contract/labels.js';
import type { Snapshot } from '../model/snapshot.js';
import { decide } from './decide.js';

/** Maintenances in which other requestors, another operator or an administrator have a part, or in which the settings change. */

const GPU = driverKeys('gpu');
const OTHERS = 'nvidia.gpu.operator';
const old = driverPod('a', { digest: 'old' });
/** Node a, with these pods beside that of the operator. */
const withPods = (a: ReturnType<typeof node>, ...pods: readonly ReturnType<typeof pod>[]) => ({
  nodes: [a, node('spare', { labels: { nic: 'no' } })],
  pods: [operatorPod, ...pods],
});
const out = (state: string, more: Parameters<typeof node>[1] = {}) =>
  asked('a', state, { unschedulable: true, ...more });
/** The operator leaves the cordon of a node that was cordoned before. */
const leavesCordon = (state: Snapshot): Snapshot => ({
  ...state,
  nodeMaintenances: new Map(
    [...(state.nodeMaintenances ?? [])].map(([key, one]) => [key, { ...one, hasCordon: false }]),
  ),
});

describe('pods that must not be evicted', () => {
  it.each([
    { name: 'alone on the node', more: [] },
    { name: 'beside one that may', more: [pod('a', 'other', { labels: { app: 'work' } })] },
  ])('keep the driver, as in a drain of the companion: $name', ({ more }) => {
    const theirs = ready('a', { requestor: OTHERS, additionalRequestors: [US] });
    const state = out('node-maintenance-required');
    const run = settle(cluster(['a'], [theirs], withPods(state, old, barePod('a', 'bare'), ...more)));
    expect(run.log).not.toContain('deletePod mofed-a');
    expect(run.state.nodes[0]?.annotations[keys.failure]).toContain('pod apps/bare has no controller');
  });

  it('are named where the operator does not begin its drain for them', () => {
    const draining = objectOf('a', { phase: 'Draining', hasCordon: true });
    const state = cluster(['a'], [draining], withPods(out('node-maintenance-required'), old, barePod('a', 'bare')));
    expect(waitOf(decide(state, policy, NOW))?.message).toContain('pod apps/bare has no controller');
  });
});

describe('an object of another requestor', () => {
  it('that failed and is being deleted is left, because the operator waits for that', () => {
    const failed = { phase: 'RequestorFailed', isDeleting: true, hasCordon: true };
    const theirs = objectOf('a', { requestor: OTHERS, additionalRequestors: [US], ...failed });
    const state = cluster(['a'], [theirs], withPods(out('node-maintenance-required'), old));
    expect(changesOf(decide(state, policy, NOW))).toMatchObject([{ kind: 'leave', additionalRequestors: [] }]);
  });

  it('of its own that was deleted, and is kept for others, is joined', () => {
    const kept = ready('a', { isDeleting: true, additionalRequestors: [OTHERS] });
    const state = cluster(['a'], [kept], withPods(out('node-maintenance-required'), old));
    expect(changesOf(decide(state, policy, NOW))).toMatchObject([{ kind: 'join', additionalRequestors: [OTHERS, US] }]);
    const joined = { ...kept, additionalRequestors: [OTHERS, US] };
    const done = cluster(['a'], [joined], withPods(out('post-maintenance-required'), driverPod('a')));
    expect(changesOf(decide(done, policy, NOW))).toMatchObject([{ kind: 'leave', additionalRequestors: [OTHERS] }]);
  });

  it('for another node with the name of its own is named', () => {
    const other = objectOf('a', { node: 'b', requestor: OTHERS });
    const decision = decide(cluster(['a'], [other], { nodes: [asked('a', 'node-maintenance-required')] }), policy, NOW);
    expect(waitOf(decision)?.message).toContain('NodeMaintenance maintenance/nvidia-operator-a is for node b');
    expect(changesOf(decision)).toEqual([]);
  });

  it('that the operator has begun with is named by a node that waits behind it', () => {
    const objects = [ready('b', { requestor: OTHERS }), objectOf('a')];
    const decision = decide(cluster(['a'], objects, { nodes: [asked('a', 'node-maintenance-required')] }), policy, NOW);
    expect(waitOf(decision)?.message).toContain('the Maintenance Operator has begun with b');
  });
});

describe('the GPU operator in its requestor mode', () => {
  const mark = { [GPU.requestorMode]: 'true' };

  it.each(['node-maintenance-required', 'pod-restart-required', 'validation-required'])(
    'has the node in %s: OFED joins, so that the node is drained once',
    (state) => {
      const annotations = { ...mark, [keys.outdated]: 'true' };
      const labels = { [GPU.state]: state };
      const a = node('a', { state: 'upgrade-required', unschedulable: true, labels, annotations });
      const theirs = ready('a', { requestor: OTHERS });
      const { log } = settle(cluster(['a'], [theirs], withPods(a, old)), policy, { policyIn: () => policy });
      expect(log.slice(0, 2)).toEqual(['a: begin-maintenance', 'join a']);
      expect(log).toContain('deletePod mofed-a');
    },
  );

  it.each([
    { state: 'uncordon-required', row: 'give-back' },
    { state: 'upgrade-failed', row: 'repaired' },
  ])('waits for the node by an object of its own: OFED in $state gives the node back', ({ state, row }) => {
    const labels = { [GPU.state]: 'node-maintenance-required' };
    const a = out(state, { labels, annotations: { ...mark, [keys.failure]: 'x' } });
    const theirs = objectOf('a', { name: 'gpu-operator-a', uid: 'g', requestor: OTHERS });
    const { actions } = decide(cluster(['a'], [ready('a'), theirs], withPods(a, driverPod('a'))), policy, NOW);
    const rows = actions.flatMap((one) => (one.kind === 'patchNode' ? one.steps.map((step) => step.row) : []));
    expect(rows).toContain(row);
  });
});

it('a node that the operator has drained in part evicts the pods of a budget before one that waits for its place', () => {
  const theirs = ready('b', { requestor: OTHERS, additionalRequestors: [US] });
  const waiting = asked('a', 'node-maintenance-required', { unschedulable: true });
  const nodes = [waiting, asked('b', 'wait-for-jobs-required')];
  const budgets = [{ namespace: 'apps', name: 'w', selector: { matchLabels: { app: 'work' } }, disruptionsAllowed: 1 }];
  const { waiting: waits } = decide(cluster(['a', 'b'], [objectOf('a'), theirs], { nodes, budgets }), policy, NOW);
  expect(waits.filter(({ kind }) => kind === 'room')).toEqual([]);
});

describe('settings that change while a node is out', () => {
  const by = (settings: object) =>
    policyOf({ maxParallelUpgrades: 0, drain: DRAIN }, {}, { nodeMaintenance: { ...nodeMaintenance, ...settings } });

  it.each(['node-maintenance-required', 'pod-restart-required', 'post-maintenance-required'])(
    'another prefix: the node in %s keeps its object until it is done',
    (state) => {
      const isNew = state === 'post-maintenance-required';
      const from = cluster(['a'], [ready('a')], withPods(out(state), isNew ? driverPod('a') : old));
      const run = settle(from, by({ namePrefix: 'other' }));
      expect(run.log.filter((one) => one.endsWith(' a'))).toEqual(['delete a']);
      expect(run.state.nodes[0]).toMatchObject({ unschedulable: false, labels: { [keys.state]: 'upgrade-done' } });
    },
  );

  it('the prefix of another program, which has the node, too: its own object is given back as well', () => {
    const own = objectOf('a', { name: 'before-a', phase: 'Pending' });
    const theirs = ready('a', { uid: 'g', requestor: OTHERS });
    const run = settle(cluster(['a'], [own, theirs], withPods(out('node-maintenance-required'), old)), policy);
    expect([...(run.state.nodeMaintenances?.values() ?? [])]).toMatchObject([
      { requestor: OTHERS, additionalRequestors: [] },
    ]);
  });

  it('another namespace: no object of the old one is changed', () => {
    const state = cluster(['a'], [ready('a')], withPods(out('post-maintenance-required'), driverPod('a')));
    expect(changesOf(decide(state, by({ namespace: 'two' }), NOW))).toEqual([]);
  });

  it.each([
    { name: 'of the companion', annotations: { [keys.cordoned]: 'true', [keys.failure]: 'x' } },
    { name: 'of the Network Operator', annotations: {} },
  ])('the drainer: a node with a cordon $name that is tried again is drained by the companion', ({ annotations }) => {
    const a = node('a', { state: 'upgrade-required', unschedulable: true, annotations });
    const run = settle(cluster(['a'], [], withPods(a, old)), policy, { disturb: leavesCordon });
    expect(run.state.nodes[0]).toMatchObject({ unschedulable: false, labels: { [keys.state]: 'upgrade-done' } });
    expect(run.log).not.toContain('create a');
  });

  it('the drainer is the companion again: the wait says what has the node', () => {
    const state = cluster(['a'], [ready('a')], {
      nodes: [out('upgrade-failed', { annotations: { [keys.failure]: 'x' } })],
    });
    const wait = waitOf(decide(state, policyOf({ drain: DRAIN }), NOW));
    expect(wait?.message).toContain(`its annotation ${keys.requestorMode} says`);
  });
});

describe('the operator is away', () => {
  it('a node that was not asked for says so', () => {
    const state = cluster(['a'], [], { nodes: [asked('a', 'node-maintenance-required')], pods: [old] });
    expect(waitOf(decide(state, policy, NOW))?.message).toContain('no pod of the Maintenance Operator');
  });

  it('another driver joins a node that is drained', () => {
    const drivers = [ofedDriver({ maxParallelUpgrades: 0, drain: DRAIN }), gpuDriver()];
    const both = policyOf({}, {}, { nodeMaintenance, drivers });
    const a = asked('a', 'validation-required', { labels: { [GPU.state]: 'upgrade-required' } });
    const pods = [driverPod('a'), gpuPod('a', 'old')];
    const { actions } = decide(
      cluster(['a'], [ready('a')], { nodes: [a], daemonSets: [daemonSet(), gpuSet], pods }),
      both,
      NOW,
    );
    expect(actions).toMatchObject([{ driver: 'gpu', labels: { [GPU.state]: 'pod-restart-required' } }]);
  });

  it('a failed node whose object is gone says that it is in service', () => {
    const a = asked('a', 'upgrade-failed', { unschedulable: false, annotations: { [keys.failure]: 'too long' } });
    const decision = decide(cluster(['a'], [], withPods(a, driverPod('a', { ready: false }))), policy, NOW);
    expect(waitOf(decision)?.message).toBe('too long; its NodeMaintenance is gone, and it is not cordoned');
  });
});

it('keeps the object of a driver that its own controller has taken over', () => {
  const drivers = [{ ...ofedDriver({ drain: DRAIN }), controllerPodSelector: 'app=operator' }, gpuDriver()];
  const by = policyOf({}, {}, { nodeMaintenance, drivers });
  const a = out('pod-restart-required', { labels: { [GPU.state]: 'upgrade-done' } });
  const pods = [
    driverPod('a', { ready: false }),
    gpuPod('a', 'new'),
    pod('spare', 'x', { labels: { app: 'operator' } }),
  ];
  const state = cluster(['a'], [ready('a')], { ...withPods(a, ...pods), daemonSets: [daemonSet(), gpuSet] });
  expect(changesOf(decide(state, by, NOW))).toEqual([]);
});

it('does not say that the companion stays on a node that the operator drains', () => {
  const companion = pod('a', 'companion', { labels: { [COMPONENT_LABEL]: COMPANION_COMPONENT } });
  const draining = objectOf('a', { phase: 'Draining' });
  const state = cluster(['a'], [draining], withPods(asked('a', 'node-maintenance-required'), companion, old));
  expect(decide(state, policy, NOW).findings.map(({ kind }) => kind)).not.toContain('companion-here');
});
