import { describe, expect, it } from '@jest/globals';
import {
  ago,
  barePod,
  daemonSet,
  driverPod,
  gpuPolicy,
  keys,
  node,
  NOW,
  orphan,
  patchesOf,
  pod,
  policyOf,
  snapshot,
  stateAfter,
  swappedPairs,
  type SnapshotInput,
} from '../../../test/kit/snapshots.js';
import { driverKeys } from '../../contract/labels.js';
import { decide } from './decide.js';
import { TRANSITIONS } from '../flow/transitions.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Action, EvictionRecord } from '../model/types.js';

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
    const operator = pod('b', 'operator', { labels: { app: 'operator' }, deletionMs: NOW });
    const owned = policyOf({}, { controllerPodSelector: 'app=operator' });
    const input = { nodes: [node('a')], pods: [oldPod, operator] };
    const decision = decide(snapshot(input), owned, NOW);
    expect(decision.actions).toEqual([]);
    expect(decision.findings).toMatchObject([{ kind: 'controller-runs', severity: 'error' }]);
    const half = { ...input, nodes: [restarting, node('b'), node('c', { state: 'upgrade-required' })] };
    expect(decide(snapshot(half), owned, NOW).waiting.map(({ node: name, kind }) => [name, kind])).toEqual([
      ['a', 'foreign-flow'],
      ['c', 'foreign-flow'],
    ]);
    expect(decide(snapshot({ ...input, pods: [oldPod] }), owned, NOW).actions).toHaveLength(1);
  });
});

describe.each([
  { order: 'as it is', table: TRANSITIONS },
  { order: 'with pairs swapped', table: swappedPairs },
])('decide: pods that use the resource, the table $order', ({ table }) => {
  const gpu = driverKeys('gpu');
  const deleting = node('a', {
    prefix: 'gpu',
    state: 'pod-deletion-required',
    ...cordoned,
    annotations: { [gpu.podDeletionStart]: ago(10) },
  });
  const holder = pod('a', 'h', { resourceNames: ['nvidia.com/mig-1g.5gb'] });
  const cases = [
    { name: 'no holder', pods: [pod('a', 'w')], to: 'pod-restart-required' },
    { name: 'a holder', pods: [holder, pod('a', 'w')], to: 'pod-deletion-required', evicts: ['h'] },
    { name: 'a holder with emptyDir, drain off', pods: [{ ...holder, emptyDir: true }], to: 'upgrade-failed' },
    {
      name: 'a holder with emptyDir, drain on',
      drain: true,
      pods: [{ ...holder, emptyDir: true }],
      to: 'drain-required',
    },
    {
      name: 'a holder of a DaemonSet',
      pods: [
        {
          ...holder,
          controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'mofed', uid: 'u' },
          namespace: 'nno',
        },
      ],
      to: 'upgrade-failed',
    },
    { name: 'a resource pod that stays too long, drain off', start: 301, pods: [holder], to: 'upgrade-failed' },
    {
      name: 'a resource pod that stays too long, drain on',
      start: 301,
      drain: true,
      pods: [holder],
      to: 'drain-required',
    },
    { name: 'no clock', start: Number.NaN, pods: [], to: 'pod-deletion-required' },
  ];
  it.each(cases)('$name -> $to', ({ pods, to, evicts = [], start = 10, drain = false }) => {
    const of = { ...deleting, annotations: Number.isNaN(start) ? {} : { [gpu.podDeletionStart]: ago(start) } };
    const observed = snapshot({ nodes: [of], pods: [oldPod, ...pods] });
    const decision = decide(observed, gpuPolicy(drain ? { drain: { enable: true } } : {}), NOW, table);
    expect(stateAfter(decision, of, 'gpu')).toBe(to);
    expect(others(decision.actions).map((action) => 'name' in action && action.name)).toEqual(evicts);
  });

  const rowsOf = (observed: Snapshot, policy: ReturnType<typeof gpuPolicy>) =>
    patchesOf(decide(observed, policy, NOW, table))[0]?.steps.map(({ row }) => row);
  const withDrain = gpuPolicy({ drain: { enable: true } });
  const start = (seconds: number) => ({ ...deleting, annotations: { [gpu.podDeletionStart]: ago(seconds) } });

  it('reports the rows', () => {
    const stays = [oldPod, { ...holder, emptyDir: true }];
    expect(rowsOf(snapshot({ nodes: [{ ...deleting, annotations: {} }], pods: [oldPod] }), gpuPolicy())).toEqual([
      'pod-deletion-clock',
    ]);
    expect(rowsOf(snapshot({ nodes: [deleting], pods: stays }), withDrain)).toEqual(['resource-pods-kept']);
    expect(rowsOf(snapshot({ nodes: [start(301)], pods: [oldPod, holder] }), withDrain)).toEqual([
      'pod-deletion-timed-out',
    ]);
    expect(rowsOf(snapshot({ nodes: [deleting], pods: [oldPod, holder] }), withDrain)).toBeUndefined();
    const lifted = { ...deleting, unschedulable: false };
    expect(rowsOf(snapshot({ nodes: [lifted], pods: [oldPod] }), withDrain)).toEqual([
      'cordon-lifted',
      'cordon',
      'jobs-done',
    ]);
    const other = node('a', { state: 'pod-deletion-required', ...cordoned });
    expect(rowsOf(snapshot({ nodes: [other], pods: [oldPod] }), drainOn)).toEqual(['pod-deletion-off']);
  });

  it('names the pod that took too long', () => {
    const decision = decide(snapshot({ nodes: [start(301)], pods: [oldPod, holder] }), gpuPolicy(), NOW, table);
    expect(patchesOf(decision)[0]?.annotations[gpu.failure]).toBe(
      'deleting pods took too long: pod apps/h is being evicted',
    );
  });

  it('waits for jobs before it deletes resource pods', () => {
    const of = node('a', {
      prefix: 'gpu',
      state: 'wait-for-jobs-required',
      ...cordoned,
      annotations: { [gpu.waitStart]: ago(30) },
    });
    const observed = snapshot({ nodes: [of], pods: [oldPod, pod('a', 'j', { labels: { job: 'x' } })] });
    const policy = gpuPolicy({ waitForCompletion: { podSelector: 'job=x', timeoutSeconds: 60 } });
    expect(decide(observed, policy, NOW, table).actions).toEqual([]);
  });

  it('reports that drain is off', () => {
    const observed = snapshot({ nodes: [deleting], pods: [oldPod, { ...holder, emptyDir: true }] });
    expect(patchesOf(decide(observed, gpuPolicy(), NOW, table))[0]?.annotations[gpu.failure]).toMatch(
      /emptyDir.*drain is off/,
    );
  });

  it.each([
    { name: 'jobs are done', annotations: { [gpu.waitStart]: ago(30) }, job: false },
    { name: 'jobs took too long', annotations: { [gpu.waitStart]: ago(61) }, job: true },
  ])('deletes resource pods once $name', ({ annotations, job }) => {
    const of = node('a', { prefix: 'gpu', state: 'wait-for-jobs-required', ...cordoned, annotations });
    const observed = snapshot({
      nodes: [of],
      pods: [oldPod, holder, ...(job ? [pod('a', 'j', { labels: { job: 'x' } })] : [])],
    });
    const policy = gpuPolicy({ waitForCompletion: { podSelector: 'job=x', timeoutSeconds: 60 } });
    const decision = decide(observed, policy, NOW, table);
    expect(stateAfter(decision, of, 'gpu')).toBe('pod-deletion-required');
    expect(decision.actions).toHaveLength(1);
    expect(patchesOf(decision)[0]?.steps).toHaveLength(1);
  });

  it('deletes no resource pods of a driver that has no resources', () => {
    const of = node('a', { state: 'pod-deletion-required', ...cordoned });
    expect(stateAfter(decide(snapshot({ nodes: [of], pods: [oldPod] }), drainOn, NOW, table), of)).toBe(
      'drain-required',
    );
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
