import { describe, expect, it } from '@jest/globals';
import {
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  ofedDriver,
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
} from '../../../../test/kit/maintenances.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { UpgradePolicy, UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import type { NodeMaintenance } from '../model/node-maintenance.js';
import { podIndexOf } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import { decide } from './decide.js';

/** Drains by the Maintenance Operator, which the companion asks for nodes. */

describe('a node that the Maintenance Operator drains', () => {
  it('is asked for, gets its driver when it is drained, and is done when it was given back', () => {
    const { log, state, specs } = settle(cluster(['a']));
    expect(log).toEqual([
      ...['a: outdated', 'a: begin-maintenance', 'create a', 'a: maintenance-ready', 'deletePod mofed-a'],
      ...['a: driver-ready', 'a: validated', 'a: give-back', 'delete a', 'a: given-back'],
    ]);
    const [a] = state.nodes;
    expect(a?.labels[keys.state]).toBe('upgrade-done');
    expect(a?.unschedulable).toBe(false);
    expect(Object.keys(a?.annotations ?? {})).toEqual([keys.done]);
    expect(specs.get('nvidia-operator-a')).toEqual({
      ...{ requestorID: US, nodeName: 'a', cordon: true },
      drainSpec: {
        ...{ force: false, timeoutSeconds: 300, deleteEmptyDir: true },
        podSelector: 'nvidia.com/ofed-driver-upgrade-drain.skip!=true',
      },
    });
  });

  it('has one object for all drivers of the companion', () => {
    const gpu = driverKeys('gpu');
    const both = policyOf(
      { maxParallelUpgrades: 0, drain: DRAIN },
      {},
      { nodeMaintenance, drivers: [ofedDriver({ drain: DRAIN }), gpuDriver()] },
    );
    const from = cluster(['a'], [], { daemonSets: [daemonSet(), gpuSet] });
    const pods = [...from.pods, gpuPod('a', 'old')];
    const { log, state } = settle({ ...from, pods: podIndexOf(pods) }, both);
    expect(log.filter((line) => !line.startsWith('a: '))).toEqual([
      'create a',
      'deletePod mofed-a',
      'deletePod gpu-a',
      'delete a',
    ]);
    expect(state.nodes[0]?.labels).toMatchObject({ [keys.state]: 'upgrade-done', [gpu.state]: 'upgrade-done' });
  });

  const limits: readonly { readonly name: string; readonly by: UpgradePolicy; readonly most: number }[] = [
    { name: 'maxParallelUpgrades', by: policyOf({ drain: DRAIN }, {}, { nodeMaintenance }), most: 1 },
    {
      name: 'maxUnavailable of a pool',
      by: policyOf(
        { maxParallelUpgrades: 0, drain: DRAIN },
        { rollout: { pools: [{ name: 'all', nodeSelector: { nic: 'yes' }, maxUnavailable: 2 }] } },
        { nodeMaintenance },
      ),
      most: 2,
    },
  ];
  it.each(limits)('is asked for within $name', ({ by, most }) => {
    const run = settle(cluster(['a', 'b', 'c', 'd', 'e']), by);
    expect(run.most).toBe(most);
    expect(run.log.filter((line) => line.startsWith('deletePod'))).toHaveLength(5);
  });

  it('counts as unavailable from the request on', () => {
    const by = limits[1]?.by ?? policy;
    const nodes = ['a', 'b'].map((name) => asked(name, 'node-maintenance-required'));
    const state = cluster(['a', 'b', 'c'], [], { nodes: [...nodes, node('c', { state: 'upgrade-required' })] });
    expect(waitOf(decide(state, by, NOW), 'c')).toMatchObject({ kind: 'slot' });
  });
});

describe('the request of a node', () => {
  const state = (object?: NodeMaintenance, input: Parameters<typeof node>[1] = {}) =>
    cluster(['a'], object === undefined ? [] : [object], { nodes: [asked('a', 'node-maintenance-required', input)] });

  it.each<[string, UpgradePolicyInput['drivers'], object]>([
    [
      'the pods of a resource',
      [gpuDriver()],
      {
        drainSpec: {
          ...{ force: true, timeoutSeconds: 60, deleteEmptyDir: false },
          podSelector: 'nvidia.com/gpu-driver-upgrade-drain.skip!=true',
          podEvictionFilters: [{ byResourceNameRegex: '^nvidia\\.com/gpu' }],
        },
      },
    ],
    ['nothing where the drain is off', [ofedDriver()], {}],
    [
      'the jobs that it waits for',
      [ofedDriver({ waitForCompletion: { podSelector: 'app=job', timeoutSeconds: 9 } })],
      { waitForPodCompletion: { podSelector: 'app=job', timeoutSeconds: 9 } },
    ],
  ])('names %s', (_name, drivers, expected) => {
    const prefix = drivers[0]?.labelPrefix ?? '';
    const { requestorMode, state: label } = driverKeys(prefix);
    const a = node('a', { labels: { [label]: 'node-maintenance-required' }, annotations: { [requestorMode]: 'true' } });
    const from = cluster(['a'], [], { nodes: [a], daemonSets: [daemonSet(), gpuSet] });
    const [change] = changesOf(decide(from, policyOf({}, {}, { nodeMaintenance, drivers }), NOW));
    expect(change).toEqual({ kind: 'create', spec: { requestorID: US, nodeName: 'a', cordon: true, ...expected } });
  });

  it('joins that of another requestor, and leaves it again', () => {
    const theirs = objectOf('a', { requestor: 'gpu.operator', additionalRequestors: ['x.y'] });
    const joined = { ...theirs, additionalRequestors: ['x.y', US] };
    expect(changesOf(decide(state(theirs), policy, NOW))).toEqual([
      { kind: 'join', resourceVersion: '5', additionalRequestors: ['x.y', US] },
    ]);
    expect(changesOf(decide(state(joined), policy, NOW))).toEqual([]);
    const over = cluster(['a'], [joined], { nodes: [asked('a', 'post-maintenance-required')] });
    expect(changesOf(decide(over, policy, NOW))).toEqual([
      { kind: 'leave', resourceVersion: '5', additionalRequestors: ['x.y'] },
    ]);
  });

  it('joins that of another requestor with another prefix: the operator lifts the cordon when the first of two goes', () => {
    const theirs = ready('a', { name: 'other-a', requestor: 'gpu.operator' });
    expect(changesOf(decide(state(theirs), policy, NOW))).toMatchObject([{ kind: 'join', additionalRequestors: [US] }]);
    expect(changesOf(decide(state({ ...theirs, isDeleting: true }), policy, NOW))).toEqual([]);
  });

  it('does not join an object that is being deleted, but keeps a drained node that its owner leaves', () => {
    const theirs = { requestor: 'gpu.operator', isDeleting: true };
    const decision = decide(state(ready('a', theirs), { unschedulable: true }), policy, NOW);
    expect(changesOf(decision)).toEqual([]);
    expect(waitOf(decision)?.message).toContain('is being deleted');
    const kept = state(ready('a', { ...theirs, additionalRequestors: [US] }), { unschedulable: true });
    const drained = { ...kept, pods: podIndexOf([operatorPod, driverPod('a', { digest: 'old' })]) };
    expect(stateAfter(decide(drained, policy, NOW), node('a'))).toBe('pod-restart-required');
  });

  it('is a wait until the operator says Ready and the node is cordoned', () => {
    const without = waitOf(decide(state(objectOf('a', { phase: 'Draining', podsLeft: ['apps/x'] })), policy, NOW));
    expect(without).toMatchObject({ kind: 'maintenance', blockers: [{ pod: 'apps/x' }] });
    expect(without?.message).toBe('NodeMaintenance maintenance/nvidia-operator-a is in Draining');
    expect(waitOf(decide(state(ready('a')), policy, NOW))?.message).toContain('is not cordoned');
  });

  it('says why the maintenance failed', () => {
    const failed = objectOf('a', { phase: 'RequestorFailed', message: 'no way' });
    expect(waitOf(decide(state(failed), policy, NOW))).toMatchObject({
      kind: 'maintenance-failed',
      message: 'NodeMaintenance maintenance/nvidia-operator-a is in RequestorFailed: no way',
    });
  });
});

describe('a NodeMaintenance that somebody deletes', () => {
  const from = (nodeState: string, objects: readonly NodeMaintenance[], digest: string) =>
    cluster(['a'], objects, {
      nodes: [asked('a', nodeState)],
      pods: [operatorPod, driverPod('a', { digest })],
    });

  it('is asked for again while the old driver runs', () => {
    const { log } = settle(from('pod-restart-required', [], 'old'));
    expect(log.slice(0, 4)).toEqual(['a: maintenance-lost', 'create a', 'a: maintenance-ready', 'deletePod mofed-a']);
  });

  it('is asked for when the operator has given the node back', () => {
    const { log } = settle(from('pod-restart-required', [ready('a', { isDeleting: true })], 'old'));
    expect(log.slice(0, 3)).toEqual(['a: maintenance-lost', 'create a', 'a: maintenance-ready']);
  });

  it('is not asked for again when the new driver is there', () => {
    const { log } = settle({
      ...from('pod-restart-required', [], 'new'),
      nodes: [asked('a', 'pod-restart-required', { unschedulable: false })],
    });
    expect(log).toEqual(['a: driver-ready', 'a: validated', 'a: give-back', 'a: given-back']);
  });
});

describe('pods that are left when the operator says Ready', () => {
  it('are evicted by the policy of the driver, because another requestor asked for less', () => {
    const theirs = ready('a', { requestor: 'gpu.operator', additionalRequestors: [US] });
    const nodes = [asked('a', 'node-maintenance-required', { unschedulable: true })];
    const { log } = settle(cluster(['a'], [theirs], { nodes }));
    expect(log.slice(0, 2)).toEqual(['a: drained-in-part', 'a: jobs-done']);
    expect(log).toContain('evictPod work-a');
    expect(log.indexOf('evictPod work-a')).toBeLessThan(log.indexOf('deletePod mofed-a'));
    expect(log).toContain('leave a');
  });
});

describe('the return of a node', () => {
  const over = (objects: readonly NodeMaintenance[], input: Parameters<typeof node>[1] = {}) =>
    decide(
      cluster(['a'], objects, {
        nodes: [asked('a', 'post-maintenance-required', input)],
        pods: [operatorPod, driverPod('a')],
      }),
      policy,
      NOW,
    );

  it('takes as long as another requestor needs the node', () => {
    expect(waitOf(over([ready('a', { requestor: 'gpu.operator' })]))).toMatchObject({
      kind: 'maintenance',
      message: 'NodeMaintenance maintenance/nvidia-operator-a: it is kept for gpu.operator',
    });
  });

  it('names a cordon that is left', () => {
    expect(waitOf(over([]))).toMatchObject({ kind: 'maintenance-cordon' });
  });

  it('leaves the cordon that an administrator had set before', () => {
    expect(waitOf(over([], { annotations: { [keys.initialState]: 'true' } }))).toBeUndefined();
  });

  it('happens for a node whose state label somebody removed', () => {
    const { log, state } = settle(
      cluster(['a'], [ready('a')], {
        nodes: [asked('a', '', { unschedulable: true })],
        pods: [operatorPod, driverPod('a')],
      }),
    );
    expect(log).toEqual(['a: maintenance-left', 'delete a', 'a: given-back']);
    expect(state.nodes[0]?.unschedulable).toBe(false);
  });

  it('waits for the driver of a node whose state label somebody removed', () => {
    const { log, state } = settle(cluster(['a'], [ready('a')], { nodes: [asked('a', '', { unschedulable: true })] }));
    const ours = log.filter((line) => !line.startsWith('a: '));
    expect(ours).toEqual(['evictPod work-a', 'deletePod mofed-a', 'delete a']);
    expect(state.nodes[0]?.labels[keys.state]).toBe('upgrade-done');
  });

  it('is left to another driver of the companion that failed', () => {
    const gpu = driverKeys('gpu');
    const drivers = [ofedDriver({ drain: DRAIN }), gpuDriver()];
    const both = policyOf({ maxParallelUpgrades: 0, drain: DRAIN }, {}, { nodeMaintenance, drivers });
    const a = asked('a', 'post-maintenance-required', {
      labels: { [gpu.state]: 'upgrade-failed' },
      annotations: { [gpu.requestorMode]: 'true', [gpu.failure]: 'broken' },
    });
    const pods = [operatorPod, driverPod('a'), { ...gpuPod('a', 'new'), ready: false }];
    const { log, state } = settle(
      cluster(['a'], [ready('a')], { nodes: [a], daemonSets: [daemonSet(), gpuSet], pods }),
      both,
    );
    expect(log).toEqual(['a: given-back']);
    expect(state.nodeMaintenances?.size).toBe(1);
  });

  it('does not happen for a failed node', () => {
    const failed = cluster(['a'], [ready('a')], {
      nodes: [asked('a', 'upgrade-failed')],
      pods: [operatorPod, driverPod('a', { ready: false })],
    });
    expect(changesOf(decide(failed, policy, NOW))).toEqual([]);
  });
});

describe('a cordon that was there before', () => {
  it('of an administrator stays', () => {
    const { state } = settle(
      cluster(['a'], [], { nodes: [node('a', { unschedulable: true }), node('spare', { labels: { nic: 'no' } })] }),
    );
    expect(state.nodes[0]?.labels[keys.state]).toBe('upgrade-done');
  });

  it('of the operator for another requestor counts once', () => {
    const by = policyOf(
      { maxParallelUpgrades: 0, drain: DRAIN },
      { rollout: { pools: [{ name: 'all', nodeSelector: { nic: 'yes' }, maxUnavailable: 1 }] } },
      { nodeMaintenance },
    );
    const nodes = [
      node('a', { state: 'upgrade-required' }),
      node('b', { state: 'upgrade-required', unschedulable: true }),
    ];
    const decision = decide(cluster(['a', 'b'], [ready('b', { requestor: 'gpu.operator' })], { nodes }), by, NOW);
    expect(decision.actions).toMatchObject([{ kind: 'patchNode', node: 'b' }]);
    const [patch] = decision.actions;
    expect(patch?.kind === 'patchNode' && Object.keys(patch.annotations)).not.toContain(keys.initialState);
  });
});

describe('without the Maintenance Operator', () => {
  const begun = (state: Snapshot) => decide(state, policy, NOW);
  const required = { nodes: [node('a', { state: 'upgrade-required' })] };

  it.each<[string, Snapshot, string]>([
    ['its CRD', { ...cluster(['a'], [], required), nodeMaintenances: undefined }, 'does not serve nodemaintenances'],
    [
      'its pod',
      cluster(['a'], [], { ...required, pods: [driverPod('a', { digest: 'old' })] }),
      'no pod of the Maintenance',
    ],
  ])('no node begins: %s', (_name, state, message) => {
    const decision = begun(state);
    expect(decision.actions).toEqual([]);
    expect(waitOf(decision)).toMatchObject({
      kind: 'no-maintenance-operator',
      message: expect.stringContaining(message),
    });
    expect(decision.findings.map(({ kind }) => kind)).toContain('maintenance-operator-missing');
  });
});
