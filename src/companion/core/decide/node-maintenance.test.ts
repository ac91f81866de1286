import { describe, expect, it } from '@jest/globals';
import { daemonSet, driverPod, keys, node, NOW, ofedDriver, policyOf } from '../../../../test/kit/snapshots.js';
import {
  asked,
  changesOf,
  cluster,
  DRAIN,
  gpuDriver,
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
import type { NodeMaintenance } from '../../model/node-maintenance.js';
import type { Snapshot } from '../../model/snapshot.js';
import { decide } from '../../decide.js';

/** Drains by the Maintenance Operator, which the companion asks for nodes. */

describe('a node that the Maintenance Operator drains', () => {
  it('is asked for, gets its driver when it is drained, and is done when it was given back', () => {
    const { log, state, specs } = settle(cluster(['a']));
    expect(log).toEqual([
      ...['a: due', 'a: begin', 'create a', 'a: out', 'a: jobs-over', 'a: drained', 'deletePod mofed-a'],
      ...['a: restarted', 'a: validated', 'delete a', 'a: back'],
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
    [
      'the pods that a drain selects',
      [ofedDriver({ drain: { ...DRAIN, podSelector: 'app=x,tier!=db' } })],
      {
        drainSpec: {
          ...{ force: false, timeoutSeconds: 300, deleteEmptyDir: true },
          podSelector: 'app=x,tier!=db,nvidia.com/ofed-driver-upgrade-drain.skip!=true',
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
    const prefix = drivers[0]?.kind ?? '';
    const { requestorMode, state: label } = driverKeys(prefix);
    const a = node('a', { labels: { [label]: 'node-maintenance-required' }, annotations: { [requestorMode]: 'true' } });
    const from = cluster(['a'], [], { nodes: [a], daemonSets: [daemonSet(), gpuSet] });
    const [change] = changesOf(decide(from, policyOf({}, {}, { nodeMaintenance, drivers }), NOW));
    expect(change).toEqual({ kind: 'create', spec: { requestorID: US, nodeName: 'a', cordon: true, ...expected } });
  });

  it('is a wait until the operator says Ready', () => {
    const without = waitOf(decide(state(objectOf('a', { phase: 'Draining', podsLeft: ['apps/x'] })), policy, NOW));
    expect(without).toMatchObject({ kind: 'maintenance', blockers: [{ pod: 'apps/x' }] });
    expect(without?.message).toBe('NodeMaintenance maintenance/nvidia-operator-a is in Draining');
  });

  it('is Ready on a node that somebody uncordoned: the companion cordons it, because the operator does not do so again', () => {
    const from = state(ready('a'));
    const [patch, ...more] = decide(from, policy, NOW).actions;
    expect(patch).toMatchObject({ kind: 'patchNode', unschedulable: true });
    expect(more).toEqual([]);
    const run = settle(from);
    expect(run.log.indexOf('evictPod work-a')).toBeLessThan(run.log.indexOf('deletePod mofed-a'));
    expect(run.state.nodes[0]).toMatchObject({ unschedulable: false, labels: { [keys.state]: 'upgrade-done' } });
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
    expect(log.slice(0, 6)).toEqual([
      ...['a: lost', 'create a', 'a: out', 'a: jobs-over', 'a: drained', 'deletePod mofed-a'],
    ]);
  });

  it('is not asked for again when the new driver is there', () => {
    const { log } = settle({
      ...from('pod-restart-required', [], 'new'),
      nodes: [asked('a', 'pod-restart-required', { unschedulable: false })],
    });
    expect(log).toEqual(['a: restarted', 'a: validated', 'a: back']);
  });
});

describe('pods that are left when the operator says Ready', () => {
  it('are evicted by the policy of the driver, because another requestor asked for less', () => {
    const theirs = ready('a', { requestor: 'gpu.operator', additionalRequestors: [US] });
    const nodes = [asked('a', 'node-maintenance-required', { unschedulable: true })];
    const { log } = settle(cluster(['a'], [theirs], { nodes }));
    expect(log.slice(0, 2)).toEqual(['a: out', 'a: jobs-over']);
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

  it('names a cordon that is left', () => {
    expect(waitOf(over([]))).toMatchObject({ kind: 'maintenance-cordon' });
  });

  it('leaves the cordon that an administrator had set before', () => {
    expect(waitOf(over([], { annotations: { [keys.initialState]: 'true' } }))).toBeUndefined();
  });
});

describe('a cordon that was there before', () => {
  it('of an administrator stays', () => {
    const { state } = settle(
      cluster(['a'], [], { nodes: [node('a', { unschedulable: true }), node('spare', { labels: { nic: 'no' } })] }),
    );
    expect(state.nodes[0]?.labels[keys.state]).toBe('upgrade-done');
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
