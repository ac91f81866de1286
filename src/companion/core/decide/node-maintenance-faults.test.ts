import { describe, expect, it } from '@jest/globals';
import { after, daemonSet, driverPod, keys, node, NOW, ofedDriver, policyOf } from '../../../../test/kit/snapshots.js';
import {
  asked,
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
  waitOf,
  type Faults,
} from '../../../../test/kit/maintenances.js';
import { recorded } from '../../../../test/kit/records.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import type { NodeMaintenance } from '../../model/node-maintenance.js';
import type { Snapshot } from '../../model/snapshot.js';
import { podIndexOf } from '../../model/pod-index.js';
import { decide } from '../../decide.js';

/** What goes wrong while the Maintenance Operator drains. */

const withObjects = (state: Snapshot, objects: readonly NodeMaintenance[]): Snapshot => ({
  ...state,
  nodeMaintenances: new Map(objects.map((one) => [one.name, one])),
});
const objectsOf = ({ nodeMaintenances }: Snapshot) => [...(nodeMaintenances?.values() ?? [])];

/** Nothing of the flow is left, and the nodes have the new driver. */
function expectDone({ state, log }: ReturnType<typeof settle>, names: readonly string[]): void {
  for (const name of names) {
    const found = state.nodes.find((one) => one.name === name);
    expect(found).toMatchObject({ unschedulable: false, labels: { [keys.state]: 'upgrade-done' } });
    expect(Object.keys(found?.annotations ?? {})).toEqual([keys.done]);
  }
  expect(log.filter((line) => line.startsWith('evictPod'))).toEqual([]);
}

/** Kills the companion before its action of this number, once; it sends nothing more in this round. */
function killedBefore(number: number): Faults {
  let sentSoFar = 0;
  let isKilled = false;
  return {
    sent(actions) {
      const left = number - sentSoFar;
      const isNow = !isKilled && left < actions.length;
      const sent = isNow ? actions.slice(0, left) : actions;
      isKilled ||= isNow;
      sentSoFar += sent.length;
      return sent;
    },
  };
}

it('an object that is left of a node that is done is given back', () => {
  const done = node('a', { state: 'upgrade-done' });
  const state = cluster(['a'], [ready('a')], { nodes: [done], pods: [operatorPod, driverPod('a')] });
  const { state: left } = settle(state);
  expect(objectsOf(left)).toEqual([]);
});

describe('a companion that is killed', () => {
  it('leaves the object of another requestor exactly once', () => {
    const theirs = objectOf('a', { requestor: 'gpu.operator', additionalRequestors: ['x.y'] });
    for (let number = 0; number < 12; number += 1) {
      const from = cluster(['a'], [theirs], {
        nodes: [node('a')],
        pods: [operatorPod, driverPod('a', { digest: 'old' })],
      });
      const run = settle(from, policy, killedBefore(number));
      expect(objectsOf(run.state)).toMatchObject([{ requestor: 'gpu.operator', additionalRequestors: ['x.y'] }]);
      expect(run.log.filter((line) => /^(join|leave|create|delete) /.test(line))).toEqual(['join a', 'leave a']);
    }
  });
});

describe('an object that somebody deletes', () => {
  it.each([0, 1, 2, 3, 4, 5, 6])('after round %i does not keep the node from its driver', (at) => {
    const run = settle(cluster(['a']), policy, {
      disturb: (state, round) => (round === at ? withObjects(state, []) : state),
    });
    // The operator gave nothing back where the object was removed with its finalizer.
    const [a] = run.state.nodes;
    expect(run.log.filter((line) => line === 'deletePod mofed-a')).toHaveLength(1);
    expect(objectsOf(run.state)).toEqual([]);
    expect(['upgrade-done', 'post-maintenance-required']).toContain(a?.labels[keys.state]);
    if (a?.unschedulable === true) expect(waitOf(run.last)).toMatchObject({ kind: 'maintenance-cordon' });
  });
});

describe('a node that failed for two drivers', () => {
  const gpu = driverKeys('gpu');
  const GPU_MARK = { [gpu.requestorMode]: 'true' };
  const both = (rollout: UpgradePolicyInput['rollout'] = {}) => {
    const drivers = [ofedDriver({ maxParallelUpgrades: 0, drain: DRAIN }), gpuDriver()];
    return policyOf({}, { rollout }, { nodeMaintenance, drivers });
  };
  const input = { daemonSets: [daemonSet(), gpuSet] };

  it('keeps the cordon of its maintenance when one of them is repaired, and comes back when both are', () => {
    const a = node('a', {
      ...{ state: 'upgrade-failed', unschedulable: true, annotations: { ...GPU_MARK, [keys.failure]: 'broken' } },
      labels: { [gpu.state]: 'upgrade-failed' },
    });
    const pods = [operatorPod, driverPod('a'), { ...gpuPod('a', 'new'), ready: false }];
    const from = cluster(['a'], [ready('a')], { ...input, nodes: [a], pods });
    const { log, state } = settle(from, both());
    expect(log).toEqual([]);
    expect(state.nodes[0]).toMatchObject({ unschedulable: true, labels: { [keys.state]: 'upgrade-failed' } });

    const repaired = { ...state, pods: podIndexOf([operatorPod, driverPod('a'), gpuPod('a', 'new')]) };
    const back = settle(repaired, both()).state.nodes[0];
    expect(back).toMatchObject({
      unschedulable: false,
      labels: { [keys.state]: 'upgrade-done', [gpu.state]: 'upgrade-done' },
    });
  });
});

it('a node that an administrator had cordoned stays cordoned after it was tried again', () => {
  const annotations = { [keys.initialState]: 'true', [keys.failure]: 'broken' };
  const a = asked('a', 'upgrade-required', { annotations });
  const from = cluster(['a'], [ready('a', { hasCordon: false })], {
    nodes: [a, node('spare', { labels: { nic: 'no' } })],
  });
  expect(settle(from).state.nodes[0]).toMatchObject({ unschedulable: true, labels: { [keys.state]: 'upgrade-done' } });
});

describe('a policy that changes its drainer', () => {
  const own = policyOf({ maxParallelUpgrades: 0, drain: DRAIN });

  it('to the companion: nodes in maintenance wait, and the others are drained by the companion', () => {
    const from = cluster(['a', 'b'], [ready('a')], {
      nodes: [asked('a', 'pod-restart-required'), node('b'), node('spare', { labels: { nic: 'no' } })],
    });
    const run = settle({ ...from, nodeMaintenances: undefined }, own);
    expect(run.log.filter((line) => line.endsWith('a') && !line.startsWith('b'))).toEqual([]);
    expect(run.log).toContain('evictPod work-b');
    expect(run.log.some((line) => line.startsWith('a: ') || line === 'deletePod mofed-a')).toBe(false);
    expect(waitOf(run.last)).toMatchObject({ kind: 'foreign-flow' });
  });

  it('and back: the nodes go on', () => {
    const run = settle(cluster(['a']), policy, { policyIn: (round) => (round > 1 && round < 4 ? own : policy) });
    expectDone(run, ['a']);
  });

  it('to the Maintenance Operator: a node that the companion has cordoned, and that is tried again, is its own until it is back', () => {
    const a = node('a', { state: 'upgrade-required', unschedulable: true, annotations: recorded({ cordon: '' }) });
    const from = cluster(['a'], [], { nodes: [a, node('spare', { labels: { nic: 'no' } })] });
    const { log, state } = settle(from);
    expect(log).not.toContain('create a');
    expect(state.nodes[0]).toMatchObject({ unschedulable: false, labels: { [keys.state]: 'upgrade-done' } });
  });
});

describe('an operator that goes away', () => {
  it('keeps new nodes from beginning, and those in progress wait and say so', () => {
    const from = cluster(['a', 'b'], [objectOf('a', { phase: 'Draining' })], {
      nodes: [asked('a', 'node-maintenance-required'), node('b', { state: 'upgrade-required' })],
      pods: [driverPod('a', { digest: 'old' }), driverPod('b', { digest: 'old' })],
    });
    const decision = decide(from, policy, NOW);
    // The record, instead of the annotation of an older version.
    expect(decision.actions).toMatchObject([{ kind: 'patchNode', node: 'a', labels: {}, steps: [] }]);
    expect(decide(after(from, decision), policy, NOW).actions).toEqual([]);
    expect(waitOf(decision)?.message).toContain('no pod of the Maintenance Operator');
    expect(waitOf(decision, 'b')).toMatchObject({ kind: 'no-maintenance-operator' });
  });
});
