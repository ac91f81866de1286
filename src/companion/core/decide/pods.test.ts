import { describe, expect, it } from '@jest/globals';
import {
  ago,
  barePod,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  orphan,
  patchesOf,
  pod,
  policyOf,
  snapshot,
  stateAfter,
  type SnapshotInput,
} from '../../../../test/kit/snapshots.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { decide } from './decide.js';
import type { Action, EvictionRecord, SnapshotPod } from '../model/types.js';

const drainOn = policyOf({ drain: {} });
const cordoned = { unschedulable: true } as const;
const draining = node('a', { state: 'drain-required', ...cordoned, annotations: { [keys.drainStart]: ago(10) } });
const restarting = node('a', {
  state: 'pod-restart-required',
  ...cordoned,
  annotations: { [keys.restartStart]: ago(60) },
});
const oldPod = driverPod('a', { digest: 'old' });
const others = (actions: readonly Action[]) => actions.filter((action) => action.kind !== 'patchNode');
const refused = (podUid: string, nextAttemptMs: number): [string, EvictionRecord] => [
  podUid,
  { podUid, attempts: 3, outcome: 'refused', message: 'no', nextAttemptMs, firstAttemptMs: NOW - 9000 },
];

describe('decide: evictions', () => {
  it('evicts the pods that must leave, with UID and warning, and no others', () => {
    const pods = [
      oldPod,
      pod('a', 'w'),
      pod('a', 'e', { emptyDir: true }),
      pod('a', 'm', { mirror: true }),
      pod('b', 'x'),
    ];
    const decision = decide(snapshot({ nodes: [draining], pods }), policyOf({ drain: { deleteEmptyDir: true } }), NOW);
    const about = { kind: 'evictPod', driver: 'ofed', node: 'a', namespace: 'apps', controllerUid: 'uid-rs' };
    expect(decision.actions).toEqual([
      { ...about, name: 'w', uid: 'uid-w' },
      { ...about, name: 'e', uid: 'uid-e', warning: 'the emptyDir data of pod apps/e is deleted with it' },
    ]);
    expect(decision.findings.map(({ kind }) => kind)).toEqual(['no-room', 'drain-warning']);
  });

  it.each([
    {
      name: 'before the API server showed the cordon',
      of: node('a', { state: 'drain-required', annotations: { [keys.drainStart]: ago(10) } }),
    },
    { name: 'in the decision that begins the drain', of: node('a', { state: 'upgrade-required', ...cordoned }) },
    {
      name: 'in another state',
      of: node('a', { state: 'wait-for-jobs-required', ...cordoned, annotations: { [keys.waitStart]: ago(10) } }),
    },
  ])('never evicts $name', ({ of }) => {
    const decision = decide(snapshot({ nodes: [of], pods: [oldPod, pod('a', 'w')] }), drainOn, NOW);
    expect(others(decision.actions)).toEqual([]);
    expect(patchesOf(decision)).toHaveLength(1);
  });

  it('evicts no pod of a node with a pod that must not be evicted', () => {
    const young = node('a', { state: 'drain-required', ...cordoned, annotations: { [keys.drainStart]: ago(0.5) } });
    const decision = decide(
      snapshot({ nodes: [young], pods: [oldPod, pod('a', 'w'), barePod('a', 'b')] }),
      drainOn,
      NOW,
    );
    expect(decision.actions).toEqual([]);
  });

  it('evicts no pod that came after the drain began, in spite of the cordon', () => {
    const came = (seconds: number) =>
      pod('a', `p${seconds}`, { toleratesUnschedulable: true, createdMs: NOW - seconds * 1000 });
    const decision = decide(snapshot({ nodes: [draining], pods: [oldPod, came(11), came(9)] }), drainOn, NOW);
    expect(others(decision.actions)).toMatchObject([{ kind: 'evictPod', name: 'p11' }]);
  });

  it('waits for its delay, and returns the end of it', () => {
    const evictions = new Map([refused('uid-w', NOW + 700)]);
    const decision = decide(snapshot({ nodes: [draining], pods: [oldPod, pod('a', 'w')], evictions }), drainOn, NOW);
    expect(decision.actions).toEqual([]);
    expect(decision.wakeMs).toBe(NOW + 700);
  });

  it('asks whether a DaemonSet exists before it touches anything', () => {
    const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u' };
    const pods = [oldPod, pod('a', 'w'), pod('a', 'd', { controller }), pod('a', 'd2', { controller })];
    const input = { nodes: [draining], pods };
    const asked = decide(snapshot(input), drainOn, NOW);
    expect(asked.actions).toEqual([]);
    expect(asked.daemonSetLookups).toEqual([{ namespace: 'apps', name: 'agent' }]);
    const told = decide(snapshot({ ...input, foreignDaemonSets: new Map([['apps/agent', 'present']]) }), drainOn, NOW);
    expect(told.actions).toMatchObject([{ kind: 'evictPod', name: 'w' }]);
    expect(told.daemonSetLookups).toEqual([]);
  });

  it('names the pod and every budget that keeps it', () => {
    const budget = (name: string, disruptionsAllowed: number, app: string) => ({
      namespace: 'apps',
      name,
      selector: { matchLabels: { app } },
      disruptionsAllowed,
    });
    const budgets = [
      budget('none-left', 0, 'web'),
      budget('some-left', 1, 'api'),
      budget('one', 1, 'two'),
      budget('two', 1, 'two'),
    ];
    const evictions = new Map([refused('uid-w', NOW + 700)]);
    const pods = ['web', 'api', 'two'].map((app) => pod('a', app === 'web' ? 'w' : app, { labels: { app } }));
    const stuck = pod('a', 's', { deletionMs: NOW - 60_000, finalizers: ['x/y'] });
    const decision = decide(
      snapshot({ nodes: [draining], pods: [oldPod, ...pods, stuck], budgets, evictions }),
      drainOn,
      NOW,
    );
    expect(decision.waiting[0]?.blockers).toEqual([
      {
        pod: 'apps/w',
        budgets: ['none-left'],
        reason: 'was refused 3 times: no',
        retryMs: Math.ceil((NOW + 700) / 1000) * 1000,
      },
      { pod: 'apps/api', budgets: [], reason: 'is being evicted' },
      { pod: 'apps/two', budgets: ['one', 'two'], reason: 'is being evicted' },
      { pod: 'apps/s', budgets: [], reason: 'is ending, held by x/y' },
    ]);
    expect(decision.waiting[0]?.message).toContain(
      'pod apps/w was refused 3 times: no (PodDisruptionBudget none-left)',
    );
    expect(decision.waiting[0]?.message).toContain('and 1 more');
    expect(decision.waiting[0]).toMatchObject({ sinceMs: NOW - 10_000, untilMs: NOW + 290_001 });
  });

  it('finishes a node whose pod was created again elsewhere under its name', () => {
    const decision = decide(
      snapshot({ nodes: [draining], pods: [oldPod, pod('b', 'db-0', { uid: 'another' })] }),
      drainOn,
      NOW,
    );
    expect(stateAfter(decision, draining)).toBe('pod-restart-required');
  });
});

describe('decide: driver pods', () => {
  it('deletes the old driver pod by its UID', () => {
    const decision = decide(snapshot({ nodes: [restarting], pods: [oldPod] }), drainOn, NOW);
    expect(decision.actions).toEqual([
      {
        kind: 'deletePod',
        driver: 'ofed',
        node: 'a',
        namespace: 'nno',
        name: 'mofed-a',
        uid: 'uid-mofed-a',
        reason: 'driver-restart',
      },
    ]);
  });

  it.each<{ name: string; input: SnapshotInput }>([
    { name: 'is ending', input: { pods: [driverPod('a', { digest: 'old', deletionMs: NOW })] } },
    { name: 'is in sync', input: { pods: [driverPod('a', { ready: false })] } },
    {
      name: 'has a revision that the cache may not have yet',
      input: { pods: [driverPod('a', { createdMs: NOW - 1000, ready: false })], revisions: [] },
    },
    {
      name: 'has a retired DaemonSet that is still there',
      input: { pods: [driverPod('a', { owner: 'gone' })], daemonSets: [daemonSet(), daemonSet({ name: 'gone' })] },
    },
    {
      name: 'would be made again from the old template',
      input: { pods: [oldPod], daemonSets: [daemonSet({ renderedDigest: 'old' })] },
    },
  ])('does not delete a driver pod that $name', ({ input }) => {
    const decision = decide(snapshot({ nodes: [restarting], ...input }), drainOn, NOW);
    expect(decision.actions.filter(({ kind }) => kind === 'deletePod')).toEqual([]);
  });

  it('deletes an orphaned pod when its node restarts the driver', () => {
    const decision = decide(snapshot({ nodes: [restarting], pods: [orphan('a')] }), drainOn, NOW);
    expect(decision.actions).toMatchObject([{ kind: 'deletePod', name: 'mofed-a' }]);
  });

  it('does nothing while the controller that owns the driver runs, also with a terminating pod', () => {
    const operator = pod('b', 'operator', { namespace: 'nno', labels: { app: 'operator' }, deletionMs: NOW });
    const owned = policyOf({}, { controllerPodSelector: 'app=operator' });
    const input = { nodes: [node('a')], pods: [oldPod, operator] };
    const decision = decide(snapshot(input), owned, NOW);
    expect(decision.actions).toEqual([]);
    expect(decision.findings).toMatchObject([{ kind: 'controller-runs', severity: 'error' }]);
    const failed = node('d', { state: 'upgrade-failed' });
    const half = { ...input, nodes: [restarting, node('b'), node('c', { state: 'upgrade-required' }), failed] };
    expect(decide(snapshot(half), owned, NOW).waiting.map(({ node: name, kind }) => [name, kind])).toEqual([
      ['a', 'foreign-flow'],
      ['c', 'foreign-flow'],
      ['d', 'foreign-flow'],
    ]);
    expect(decide(snapshot({ ...input, pods: [oldPod] }), owned, NOW).actions).toHaveLength(1);
  });

  it('does nothing while the Lease of the controller is renewed', () => {
    const input = snapshot({ nodes: [node('a')], pods: [oldPod], operatorLeaseHolder: 'operator_1' });
    const message = 'operator_1 renews the Lease 12620820.mellanox.com: its controller owns the ofed driver';
    expect(decide(input, policyOf({}, { controllerPodSelector: 'app=operator' }), NOW)).toMatchObject({
      actions: [],
      findings: [{ kind: 'controller-runs', message }],
    });
    expect(decide(input, policyOf({}, { controllerPodSelector: '' }), NOW).actions).toHaveLength(1);
  });

  it('does nothing while a pod with other labels is one of its controller', () => {
    const operator = pod('b', 'operator', { namespace: 'nno', controllerOf: 'network-operator' });
    const input = snapshot({ nodes: [node('a')], pods: [oldPod, operator] });
    expect(decide(input, policyOf({}, { controllerPodSelector: 'app=operator' }), NOW)).toMatchObject({
      actions: [],
      findings: [
        { kind: 'controller-runs', message: 'the pod nno/operator runs: its controller owns the ofed driver' },
      ],
    });
  });
});

describe('decide: a pod that looks like a controller', () => {
  const marks = { labels: { app: 'operator' }, controllerOf: 'network-operator' } as const;
  const actionsWith = (policy: UpgradePolicy, namespace: string) => {
    const input = { nodes: [node('a')], pods: [oldPod, pod('b', 'operator', { ...marks, namespace })] };
    return decide(snapshot(input), policy, NOW).actions.length;
  };

  it.each([
    { namespace: 'nno', expected: 0 },
    { namespace: 'apps', expected: 1 },
    { namespace: 'gpu-operator', expected: 1 },
  ])('of the Network Operator in $namespace: $expected actions', ({ namespace, expected }) => {
    expect(actionsWith(policyOf({}, { controllerPodSelector: 'app=operator' }), namespace)).toBe(expected);
  });

  it.each([
    { namespace: 'nno', expected: 0 },
    { namespace: 'gpu-operator', expected: 0 },
    { namespace: 'nvidia-gpu-operator', expected: 0 },
    { namespace: 'apps', expected: 1 },
  ])('of the GPU operator in $namespace: $expected actions', ({ namespace, expected }) => {
    const policy = policyOf({}, { controllerPodSelector: 'app=operator' });
    const drivers = policy.drivers.map((one) => ({ ...one, api: 'gpu-operator' }) as typeof one);
    expect(actionsWith({ ...policy, drivers }, namespace)).toBe(expected);
  });
});

describe('decide: a driver pod whose revision the cache does not have', () => {
  const unseen = (createdMs: number) => driverPod('a', { digest: 'unseen', createdMs });

  it('counts as outdated after the lag between caches, which is the wake time', () => {
    const young = decide(snapshot({ nodes: [restarting], pods: [unseen(NOW - 59_999)] }), drainOn, NOW);
    expect(young.actions).toEqual([]);
    expect(young.waiting).toMatchObject([{ kind: 'driver-pod', message: expect.stringContaining('not known yet') }]);
    expect(young.wakeMs).toBe(NOW + 1);
    const late = decide(snapshot({ nodes: [restarting], pods: [unseen(NOW - 60_000)] }), drainOn, NOW);
    expect(others(late.actions)).toMatchObject([{ kind: 'deletePod', name: unseen(0).name }]);
  });
});

describe('decide: a node that was cordoned before its upgrade', () => {
  it('has a finding that it stays cordoned', () => {
    const one = node('a', { state: 'uncordon-required', ...cordoned, annotations: { [keys.initialState]: 'true' } });
    const { findings } = decide(snapshot({ nodes: [one], pods: [driverPod('a')] }), drainOn, NOW);
    expect(findings).toMatchObject([{ kind: 'cordon-kept', message: expect.stringContaining('a') }]);
  });

  it('by the companion, whose cordon the operator recorded, does not stay cordoned', () => {
    const cordonTime = '2026-03-02T12:00:00Z';
    const annotations = { [keys.initialState]: 'true', [keys.cordoned]: cordonTime };
    const one = { ...node('a', { state: 'uncordon-required', ...cordoned, annotations }), cordonTime };
    const [patch] = patchesOf(decide(snapshot({ nodes: [one], pods: [driverPod('a')] }), drainOn, NOW));
    expect(patch).toMatchObject({ unschedulable: false, annotations: { [keys.initialState]: null } });
  });
});

describe('decide: a node whose kubelet does not report', () => {
  it('waits for pods that were not deleted yet, and not for those that cannot terminate', () => {
    const unreachable = node('a', {
      state: 'drain-required',
      ...cordoned,
      ready: 'Unknown',
      annotations: { [keys.cordoned]: 'true', [keys.drainStart]: ago(20) },
    });
    const on = (...of: SnapshotPod[]) =>
      decide(
        snapshot({ nodes: [unreachable], pods: [oldPod, ...of] }),
        policyOf({ drain: { timeoutSeconds: 0 } }),
        NOW,
      );
    expect(on(pod('a', 'w')).actions).toMatchObject([{ kind: 'evictPod', name: 'w' }]);
    const deleted = pod('a', 'd', { deletionMs: NOW - 1000 });
    expect(patchesOf(on(deleted))[0]?.labels[keys.state]).toBe('pod-restart-required');
    const both = on(pod('a', 'w'), deleted);
    expect(both.actions).toMatchObject([{ kind: 'evictPod', name: 'w' }]);
    expect(both.findings.map(({ message }) => message)).toContain(
      'pod apps/d was deleted on a node whose kubelet does not report',
    );
  });
});
