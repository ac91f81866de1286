import { describe, expect, it } from '@jest/globals';
import {
  ago,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  ofedDriver,
  patchesOf,
  policyOf,
  stateAfter,
} from '../../../../test/kit/snapshots.js';
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
  type Faults,
} from '../../../../test/kit/maintenances.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import type { NodeMaintenance } from '../model/node-maintenance.js';
import { podIndexOf } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import { decide } from './decide.js';

/** What goes wrong while the Maintenance Operator drains. */

const withObjects = (state: Snapshot, objects: readonly NodeMaintenance[]): Snapshot => ({
  ...state,
  nodeMaintenances: new Map(objects.map((one) => [one.name, one])),
});
const oneAtATime = policyOf({ maxParallelUpgrades: 1, drain: DRAIN }, {}, { nodeMaintenance });
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

describe('a companion that is killed', () => {
  const names = ['a', 'b'];
  const all = settle(cluster(names)).log.length;

  it.each(Array.from({ length: all }, (_, number) => number))(
    'before action %i goes on from what it finds',
    (number) => {
      const run = settle(cluster(names), policy, killedBefore(number));
      expectDone(run, names);
      expect(objectsOf(run.state)).toEqual([]);
      expect(run.log.filter((line) => line.startsWith('create'))).toHaveLength(2);
    },
  );

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

  it('and that the operator gives back is asked for again', () => {
    const run = settle(cluster(['a']), policy, {
      disturb: (state, round) =>
        round === 1
          ? withObjects(
              state,
              objectsOf(state).map((one) => ({ ...one, isDeleting: true })),
            )
          : state,
    });
    expectDone(run, ['a']);
    expect(run.log.filter((line) => line === 'create a').length).toBeGreaterThan(1);
  });
});

describe('a change of another requestor that comes first', () => {
  it('is seen before the companion joins again', () => {
    const stale = objectOf('a', { requestor: 'gpu.operator', resourceVersion: '5' });
    const fresh = { ...stale, resourceVersion: '6', additionalRequestors: ['x.y'] };
    const of = (object: NodeMaintenance) =>
      changesOf(decide(cluster(['a'], [object], { nodes: [asked('a', 'node-maintenance-required')] }), policy, NOW));
    expect(of(stale)).toMatchObject([{ resourceVersion: '5', additionalRequestors: [US] }]);
    expect(of(fresh)).toMatchObject([{ resourceVersion: '6', additionalRequestors: ['x.y', US] }]);
  });
});

describe('a node that fails in its maintenance', () => {
  it('keeps its object until it is repaired, and is given back then', () => {
    const from = cluster(['a'], [ready('a')], {
      nodes: [asked('a', 'upgrade-failed')],
      pods: [operatorPod, driverPod('a', { ready: false })],
    });
    expect(settle(from).log).toEqual([]);
    const repaired = { ...from, pods: podIndexOf([operatorPod, driverPod('a')]) };
    const run = settle(repaired);
    expect(run.log).toContain('delete a');
    expect(run.state.nodes[0]).toMatchObject({ unschedulable: false, labels: { [keys.state]: 'upgrade-done' } });
  });
});

describe('a failed node that is tried again', () => {
  it('begins beside a node that waits for its place of the Maintenance Operator', () => {
    const nodes = [asked('a', 'upgrade-required', { unschedulable: true }), asked('b', 'node-maintenance-required')];
    const decision = decide(cluster(['a', 'b'], [ready('a'), objectOf('b')], { nodes }), oneAtATime, NOW);
    expect(decision.actions).toMatchObject([{ kind: 'patchNode', node: 'a' }]);
  });
});

describe('a node that is to begin again, and is in service', () => {
  it('gives up its place of the Maintenance Operator, because it has no slot', () => {
    const nodes = [asked('a', 'upgrade-required', { unschedulable: false }), asked('b', 'node-maintenance-required')];
    const of = (object: NodeMaintenance) =>
      changesOf(decide(cluster(['a', 'b'], [object, objectOf('b')], { nodes }), oneAtATime, NOW));
    expect(of(objectOf('a'))).toMatchObject([{ kind: 'delete' }]);
    const theirs = objectOf('a', { requestor: 'gpu.operator', additionalRequestors: [US, 'x.y'] });
    expect(of(theirs)).toMatchObject([{ kind: 'leave', additionalRequestors: ['x.y'] }]);
  });
});

describe('a failed node that somebody uncordons and tries again', () => {
  it('is asked for anew, so that it is cordoned and drained before its driver is restarted', () => {
    const from = cluster(['a'], [ready('a')], {
      nodes: [asked('a', 'upgrade-required', { unschedulable: false })],
      pods: [operatorPod, driverPod('a', { digest: 'old' })],
    });
    const run = settle(from);
    expectDone(run, ['a']);
    expect(run.log.filter((line) => /^(create|delete) /.test(line))).toEqual(['delete a', 'create a', 'delete a']);
  });
});

describe('a node that is out for another driver of the companion', () => {
  const gpu = driverKeys('gpu');
  const GPU_MARK = { [gpu.requestorMode]: 'true' };
  const both = (rollout: UpgradePolicyInput['rollout'] = {}) => {
    const drivers = [ofedDriver({ maxParallelUpgrades: 0, drain: DRAIN }), gpuDriver()];
    return policyOf({}, { rollout }, { nodeMaintenance, drivers });
  };
  const input = { daemonSets: [daemonSet(), gpuSet] };

  it('is no canary beyond those that are wanted', () => {
    const a = asked('a', 'node-maintenance-required');
    const b = node('b', {
      ...{ state: 'upgrade-required', unschedulable: true, annotations: GPU_MARK },
      labels: { [gpu.state]: 'pod-restart-required' },
    });
    const from = cluster(['a', 'b'], [objectOf('a'), ready('b')], { ...input, nodes: [a, b] });
    const decision = decide(from, both({ canary: { nodes: 1, soak: '1m' } }), NOW);
    expect(patchesOf(decision).filter(({ driver, node: of }) => driver === 'ofed' && of === 'b')).toEqual([]);
    expect(waitOf(decision, 'b')).toMatchObject({ kind: 'canary' });
  });

  it('keeps the cordon of its maintenance when this driver is repaired', () => {
    const a = node('a', {
      ...{ state: 'upgrade-failed', unschedulable: true, annotations: { ...GPU_MARK, [keys.failure]: 'broken' } },
      labels: { [gpu.state]: 'upgrade-failed' },
    });
    const pods = [operatorPod, driverPod('a'), { ...gpuPod('a', 'new'), ready: false }];
    const from = cluster(['a'], [ready('a')], { ...input, nodes: [a], pods });
    const { log, state } = settle(from, both());
    expect(log).toEqual(['a: repaired', 'a: cordon-of-maintenance']);
    expect(state.nodes[0]).toMatchObject({ unschedulable: true, labels: { [keys.state]: 'upgrade-done' } });
  });

  it('does not wait for the budget of pods on a node that the operator has not begun', () => {
    const selector = { matchLabels: { app: 'work' } };
    const budgets = [{ namespace: 'apps', name: 'work', selector, disruptionsAllowed: 1 }];
    const a = asked('a', 'wait-for-jobs-required', { annotations: { [keys.waitStart]: ago(60) } });
    const b = asked('b', 'node-maintenance-required');
    const from = cluster(['a', 'b'], [ready('a'), objectOf('b')], { ...input, nodes: [a, b], budgets });
    expect(stateAfter(decide(from, both(), NOW), a)).toBe('drain-required');
  });
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

  it('to the Maintenance Operator: a node that the companion drains is done without it', () => {
    const from = cluster(['a'], [], {
      nodes: [
        node('a', { state: 'pod-restart-required', unschedulable: true, annotations: { [keys.cordoned]: 'true' } }),
      ],
      pods: [operatorPod, driverPod('a', { digest: 'old' })],
    });
    const run = settle(from);
    expectDone(run, ['a']);
    expect(run.log.filter((line) => /^(create|join) /.test(line))).toEqual([]);
  });
});

describe('an operator that goes away', () => {
  it('keeps new nodes from beginning, and those in progress wait and say so', () => {
    const from = cluster(['a', 'b'], [objectOf('a', { phase: 'Draining' })], {
      nodes: [asked('a', 'node-maintenance-required'), node('b', { state: 'upgrade-required' })],
      pods: [driverPod('a', { digest: 'old' }), driverPod('b', { digest: 'old' })],
    });
    const decision = decide(from, policy, NOW);
    expect(decision.actions).toEqual([]);
    expect(waitOf(decision)?.message).toContain('no pod of the Maintenance Operator');
    expect(waitOf(decision, 'b')).toMatchObject({ kind: 'no-maintenance-operator' });
  });

  it('does not keep drained nodes from their drivers', () => {
    const from = cluster(['a'], [ready('a')], {
      nodes: [asked('a', 'pod-restart-required')],
      pods: [driverPod('a', { digest: 'old' })],
    });
    expect(settle(from).log).toContain('deletePod mofed-a');
  });
});
