import { describe, expect, it } from '@jest/globals';
import {
  after,
  ago,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  ofedDriver,
  pod,
  policyOf,
  snapshot,
  stateAfter,
  type SnapshotInput,
} from '../../../test/kit/snapshots.js';
import { revisionOf } from '../../../test/kit/digests.js';
import { driverKeys, REVISION_LABEL } from '../../contract/labels.js';
import type { UpgradePolicy, UpgradePolicyInput } from '../../contract/upgrade-policy.js';
import { podIndexOf } from '../model/pod-index.js';
import type { NodeMaintenance, NodeMaintenanceSpec } from '../model/node-maintenance.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Decision } from '../model/types.js';
import { decide } from './decide.js';

/** Drains by the Maintenance Operator, which the companion asks for nodes. */

const US = 'weft.dev.driver-upgrade';
const nodeMaintenance = { namespace: 'maintenance' };
const DRAIN = { enable: true, force: false, timeoutSeconds: 300, deleteEmptyDir: true };
const policy = policyOf({ maxParallelUpgrades: 0, drain: DRAIN }, {}, { nodeMaintenance });

/** The pod of the operator, which none of these drains moves. */
const operatorPod = pod('spare', 'maintenance-operator', {
  labels: { 'app.kubernetes.io/component': 'maintenance-operator-controller-manager' },
});
const workload = (on: string) => pod(on, `work-${on}`, { labels: { app: 'work' } });

const objectOf = (name: string, more: Partial<NodeMaintenance> = {}): NodeMaintenance => ({
  ...{ namespace: 'maintenance', name: `nvidia-operator-${name}`, uid: `nm-${name}`, resourceVersion: '5', node: name },
  ...{ requestor: US, additionalRequestors: [], isDeleting: false, phase: 'Pending', isReady: false, message: '' },
  ...{ hasCordon: false, podsLeft: [], ...more },
});
const ready = (name: string, more: Partial<NodeMaintenance> = {}) =>
  objectOf(name, { phase: 'Ready', isReady: true, hasCordon: true, ...more });

function cluster(
  names: readonly string[],
  objects: readonly NodeMaintenance[] = [],
  input: SnapshotInput = {},
): Snapshot {
  return {
    ...snapshot({
      nodes: [...names.map((name) => node(name)), node('spare', { labels: { nic: 'no' } })],
      daemonSets: [daemonSet()],
      pods: [operatorPod, ...names.flatMap((name) => [driverPod(name, { digest: 'old' }), workload(name)])],
      ...input,
    }),
    nodeMaintenances: new Map(objects.map((one) => [one.name, one])),
  };
}

/** A node in a state of the flow, which the operator was asked for. */
const asked = (name: string, state: string, input: Parameters<typeof node>[1] = {}) =>
  node(name, {
    ...{ state, unschedulable: state !== 'node-maintenance-required', ...input },
    annotations: { [keys.requestorMode]: 'true', [keys.maintenanceStart]: ago(60), ...input.annotations },
  });

interface World {
  readonly state: Snapshot;
  readonly specs: Map<string, NodeMaintenanceSpec>;
}

/** The API server, for the objects of requestors. */
function changed({ state, specs }: World, { actions }: Decision): Snapshot {
  const objects = new Map(state.nodeMaintenances);
  for (const action of actions) {
    if (action.kind !== 'changeNodeMaintenance') continue;
    const { name, change, node: of } = action;
    const before = objects.get(name);
    if (change.kind === 'create' && before === undefined) {
      specs.set(name, change.spec);
      objects.set(name, objectOf(of, { phase: '' }));
    } else if (change.kind === 'delete' && before?.uid === change.uid)
      objects.set(name, { ...before, isDeleting: true });
    else if (before !== undefined && change.kind !== 'create' && change.kind !== 'delete')
      objects.set(name, { ...before, additionalRequestors: change.additionalRequestors });
  }
  return { ...state, nodeMaintenances: objects };
}

/** The operator and the DaemonSet controller, each at the end of a round. */
function operated(before: Snapshot): Snapshot {
  const objects = new Map(before.nodeMaintenances);
  const cordoned = new Map<string, boolean>();
  const drained = new Set<string>();
  for (const [name, one] of objects) {
    if (one.isDeleting && (!one.isReady || one.additionalRequestors.length === 0)) {
      if (one.hasCordon) cordoned.set(one.node, false);
      objects.delete(name);
    } else if (!one.isReady && !one.isDeleting) {
      cordoned.set(one.node, true);
      drained.add(one.node);
      objects.set(name, { ...one, phase: 'Ready', isReady: true, hasCordon: true });
    }
  }
  const left = [...before.pods].filter((one) => !drained.has(one.nodeName) || one.namespace !== 'apps');
  const runs = (on: string, owner: string) => left.some((one) => one.nodeName === on && one.controller?.name === owner);
  const bare = before.nodes.filter(({ labels }) => labels['nic'] === 'yes');
  const fresh = before.daemonSets.flatMap(({ name: owner }) =>
    bare.flatMap(({ name }) => (runs(name, owner) ? [] : owner === 'gpu' ? gpuPod(name, 'new') : driverPod(name))),
  );
  return {
    ...before,
    nodes: before.nodes.map((one) => ({ ...one, unschedulable: cordoned.get(one.name) ?? one.unschedulable })),
    pods: podIndexOf([...left, ...fresh]),
    nodeMaintenances: objects,
  };
}

/** What happens, in order, until nothing does. */
function settle(from: Snapshot, by: UpgradePolicy = policy) {
  const log: string[] = [];
  const specs = new Map<string, NodeMaintenanceSpec>();
  let state = from;
  let most = 0;
  for (let round = 0; round < 60; round += 1) {
    const last = decide(state, by, NOW + round * 10_000);
    for (const one of last.actions) {
      if (one.kind === 'changeNodeMaintenance') log.push(`${one.change.kind} ${one.node}`);
      else if (one.kind === 'evictPod' || one.kind === 'deletePod') log.push(`${one.kind} ${one.name}`);
      else if (one.kind === 'patchNode') log.push(...one.steps.map(({ row }) => `${one.node}: ${row}`));
    }
    if (last.actions.length === 0 && round > 2) return { log, last, state, specs, most };
    state = operated(after(changed({ state, specs }, last), last));
    most = Math.max(most, state.nodes.filter(({ unschedulable }) => unschedulable).length);
  }
  throw new Error(`it never settles: ${log.slice(-20).join(', ')}`);
}

const changesOf = ({ actions }: Decision) =>
  actions.flatMap((one) => (one.kind === 'changeNodeMaintenance' ? [one.change] : []));
const waitOf = ({ waiting }: Decision, of = 'a') => waiting.find((one) => one.node === of);

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

const gpuSet = daemonSet({ name: 'gpu', labels: { app: 'gpu' } });

function gpuPod(on: string, digest: string) {
  const labels = { app: 'gpu', [REVISION_LABEL]: revisionOf(digest) };
  return driverPod(on, { digest, owner: 'gpu', labels });
}

function gpuDriver(): UpgradePolicyInput['drivers'][number] {
  const gpuPodDeletion = { force: true, timeoutSeconds: 60, deleteEmptyDir: false };
  return {
    ...{ api: 'gpu-operator', labelPrefix: 'gpu', namespace: 'nno', containerName: 'mofed-container' },
    ...{ daemonSetSelector: 'app=gpu', podSelector: 'app=gpu', resourcePrefixes: ['nvidia.com/gpu'] },
    policies: [
      {
        name: 'ClusterPolicy',
        upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: 0, maxUnavailable: '100%', gpuPodDeletion },
        daemonSets: [{ name: 'gpu', digest: 'new' }],
      },
    ],
  };
}
