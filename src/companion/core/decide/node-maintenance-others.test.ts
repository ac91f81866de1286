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
import { recorded, recordedFailure } from '../../../../test/kit/records.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { decide } from '../../decide.js';

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

describe('pods that must not be evicted', () => {
  it.each([
    { name: 'alone on the node', more: [] },
    { name: 'beside one that may', more: [pod('a', 'other', { labels: { app: 'work' } })] },
  ])('keep the driver, as in a drain of the companion: $name', ({ more }) => {
    const theirs = ready('a', { requestor: OTHERS, additionalRequestors: [US] });
    const state = out('node-maintenance-required');
    const run = settle(cluster(['a'], [theirs], withPods(state, old, barePod('a', 'bare'), ...more)));
    expect(run.log).not.toContain('deletePod mofed-a');
    expect(recordedFailure(run.state.nodes[0]?.annotations ?? {})).toContain('pod apps/bare has no controller');
  });

  it('are named where the operator does not begin its drain for them', () => {
    const draining = objectOf('a', { phase: 'Draining', hasCordon: true });
    const state = cluster(['a'], [draining], withPods(out('node-maintenance-required'), old, barePod('a', 'bare')));
    const wait = waitOf(decide(state, policy, NOW));
    expect(wait?.message).toContain('pod apps/bare has no controller');
    expect(wait?.refusals).toEqual([{ kind: 'no-controller', pod: 'apps/bare' }]);
  });
});

describe('an object of another requestor', () => {
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

describe('a node that was taken out in place', () => {
  const restarted = () => {
    const annotations = recorded({ cordon: '' });
    return node('a', { state: 'validation-required', unschedulable: true, annotations });
  };

  it.each([
    { phase: 'Ready', more: { isReady: true }, isKept: true },
    { phase: 'Draining', more: {}, isKept: true },
    // The operator cordons it when it begins.
    { phase: 'Pending', more: {}, isKept: false },
  ])('while the operator has it for another requestor in $phase', ({ phase, more, isKept }) => {
    const theirs = objectOf('a', { requestor: OTHERS, phase, ...more });
    const decision = decide(cluster(['a'], [theirs], withPods(restarted(), driverPod('a'))), policy, NOW);
    const lifted = decision.actions.some((one) => one.kind === 'patchNode' && one.unschedulable === false);
    expect(lifted).toBe(!isKept);
    if (isKept) expect(waitOf(decision)?.message).toContain(`is kept for ${OTHERS}`);
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
      expect(log.slice(0, 2)).toEqual(['a: begin', 'join a']);
      expect(log).toContain('deletePod mofed-a');
    },
  );
});

describe('the operator is away', () => {
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
