import { describe, expect, it } from '@jest/globals';
import { recorded } from '../../../../test/kit/records.js';
import { driverPod, keys, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import type { EvictionRecord } from '../../model/types.js';

const drainOn = policyOf({ drain: {} });
const cordoned = { unschedulable: true } as const;
const draining = node('a', {
  state: 'drain-required',
  ...cordoned,
  annotations: recorded({ cordon: '', since: { 'drain-required': NOW / 1000 - 10 } }),
});
const restarting = node('a', {
  state: 'pod-restart-required',
  ...cordoned,
  annotations: recorded({ cordon: '', restarts: { ofed: NOW / 1000 - 60 } }),
});
const oldPod = driverPod('a', { digest: 'old' });
const refused = (podUid: string, nextAttemptMs: number): [string, EvictionRecord] => [
  podUid,
  { podUid, attempts: 3, outcome: 'refused', message: 'no', nextAttemptMs, firstAttemptMs: NOW - 9000 },
];

describe('a node whose DaemonSet creates no driver pod', () => {
  it.each([
    { name: 'waits for it', seconds: 59, hint: false },
    { name: 'says after a minute where to look', seconds: 60, hint: true },
  ])('$name', ({ seconds, hint }) => {
    const annotations = recorded({ cordon: '', restarts: { ofed: NOW / 1000 - seconds } });
    const nodes = [node('a', { state: 'pod-restart-required', ...cordoned, annotations })];
    const { waiting, wakeMs } = decide(snapshot({ nodes }), policyOf(), NOW);
    expect(waiting).toMatchObject([{ kind: 'driver-pod' }]);
    expect(waiting[0]?.message.endsWith('`kubectl describe daemonset mofed -n nno` says why not')).toBe(hint);
    if (!hint) expect(wakeMs).toBe(NOW + 1000);
  });
});

describe('decide: evictions', () => {
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
        kind: 'refusal',
        pod: 'apps/w',
        budgets: ['none-left'],
        reason: 'was refused 3 times: no',
        refusal: 'no',
        retryMs: Math.ceil((NOW + 700) / 1000) * 1000,
      },
      { kind: 'eviction', pod: 'apps/api', budgets: [], reason: 'is being evicted' },
      { kind: 'eviction', pod: 'apps/two', budgets: ['one', 'two'], reason: 'is being evicted' },
      { kind: 'termination', pod: 'apps/s', budgets: [], reason: 'is ending, held by x/y', finalizers: ['x/y'] },
    ]);
    expect(decision.waiting[0]?.message).toContain(
      'pod apps/w was refused 3 times: no (PodDisruptionBudget none-left)',
    );
    expect(decision.waiting[0]?.message).toContain('and 1 more');
    expect(decision.waiting[0]).toMatchObject({ sinceMs: NOW - 10_000, untilMs: NOW + 290_001 });
  });
});

describe('decide: pods that say they are the operator', () => {
  const operator = { labels: { app: 'operator' }, controllerOf: 'network-operator' } as const;
  const policy = policyOf({}, { controllerPodSelector: 'app=operator' });
  it.each([
    { name: 'in its namespace it is', one: pod('a', 'o', { ...operator, namespace: 'nno' }), isOne: true },
    { name: 'in another one it is a tenant’s', one: pod('a', 'o', operator), isOne: false },
    {
      name: 'a mirror pod is of a kubelet, which may create it in any namespace',
      one: pod('a', 'o', { ...operator, namespace: 'nno', mirror: true }),
      isOne: false,
    },
  ])('$name', ({ one, isOne }) => {
    const decision = decide(snapshot({ nodes: [node('a')], pods: [oldPod, one] }), policy, NOW);
    expect(decision.findings.some(({ kind }) => kind === 'controller-runs')).toBe(isOne);
  });
});

describe('decide: pods that validate a node', () => {
  const validating = node('a', { state: 'validation-required', ...cordoned, annotations: recorded({ cordon: '' }) });
  const check = { labels: { app: 'check' } } as const;
  const stateAfter = (podNamespace: string | undefined, ...pods: readonly ReturnType<typeof pod>[]) => {
    const validation = { podSelector: 'app=check', ...(podNamespace !== undefined && { podNamespace }) };
    const policy = policyOf({}, { rollout: { validation } });
    const decision = decide(snapshot({ nodes: [validating], pods: [driverPod('a'), ...pods] }), policy, NOW);
    return patchesOf(decision)[0]?.labels[keys.state] ?? decision.waiting[0]?.message;
  };
  const lack = 'no validation pod (app=check) is there in nno, gpu-operator, nvidia-gpu-operator';

  it.each([
    {
      of: 'the namespace of the driver',
      pods: [pod('a', 'v', { ...check, namespace: 'nno' })],
      expected: 'upgrade-done',
    },
    {
      of: 'the GPU operator',
      pods: [pod('a', 'v', { ...check, namespace: 'gpu-operator' })],
      expected: 'upgrade-done',
    },
    { of: 'a tenant do not', pods: [pod('a', 'v', check)], expected: lack },
    {
      of: 'a tenant do not, also if they are not ready',
      pods: [pod('a', 'v', { ...check, namespace: 'nno' }), pod('a', 't', { ...check, ready: false })],
      expected: 'upgrade-done',
    },
  ])('those of $of', ({ pods, expected }) => {
    expect(stateAfter(undefined, ...pods)).toBe(expected);
  });

  it('may be of another namespace, which the policy names', () => {
    expect(stateAfter('apps', pod('a', 'v', check))).toBe('upgrade-done');
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
});

describe('decide: a node that was cordoned before its upgrade', () => {
  it('has a finding that it stays cordoned', () => {
    const one = node('a', { state: 'uncordon-required', ...cordoned, annotations: { [keys.initialState]: 'true' } });
    const { findings } = decide(snapshot({ nodes: [one], pods: [driverPod('a')] }), drainOn, NOW);
    expect(findings).toMatchObject([{ kind: 'cordon-kept', message: expect.stringContaining('a') }]);
  });
});
