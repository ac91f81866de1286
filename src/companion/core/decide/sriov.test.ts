import { describe, expect, it } from '@jest/globals';
import { nodeStateOf as stateOf } from '../../../../test/kit/shared-nodes.js';
import {
  after,
  ago,
  daemonSet,
  driverPod,
  node,
  NOW,
  ofedDriver,
  pod,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { driverKeys, SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import type { UpgradePolicy, UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import type { Snapshot } from '../model/snapshot.js';
import type { SriovNodeState } from '../model/sriov.js';
import type { Decision } from '../model/types.js';
import { isComplete, outcomeOf } from '../../runtime/run-outcome.js';
import { decide } from './decide.js';

/** Drains for the SR-IOV operator, whose config daemons ask for them and say when they are done. */

type SriovInput = Extract<UpgradePolicyInput['drivers'][number], { api: 'sriov' }>;

const KEYS = driverKeys('weft-sriov');
const OFED = driverKeys('ofed');

const sriovDriver = (policies: SriovInput['policies'] = [], change = 'one'): SriovInput => ({
  ...{ api: 'sriov', labelPrefix: 'weft-sriov', namespace: 'sriov', daemonSets: 'selected' },
  ...{ daemonSetSelector: 'app=none', podSelector: 'app=none', containerName: 'none' },
  ...{ restartedBy: 'sriov-config-daemon', change, resourcePrefixes: ['nvidia.com/'] },
  policies: [...policies, { name: 'other nodes', upgradePolicy: {}, daemonSets: [] }],
});
const policyFor = (...drivers: UpgradePolicyInput['drivers']): UpgradePolicy =>
  policyOf({}, {}, { drivers, sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' } });

const asking = (name: string, desired = 'Drain_Required') => stateOf(name, { desired, syncStatus: 'InProgress' });
const user = (on: string) => pod(on, `user-${on}`, { resourceNames: ['nvidia.com/vf'] });
const other = (on: string) => pod(on, `other-${on}`);

function cluster(states: readonly SriovNodeState[], input: Parameters<typeof snapshot>[0] = {}): Snapshot {
  const names = states.map(({ name }) => name);
  return {
    ...snapshot({
      nodes: [...names, 'spare'].map((name) => node(name)),
      pods: names.flatMap((name) => [user(name), other(name)]),
      daemonSets: [],
      ...input,
    }),
    sriovNodeStates: new Map(states.map((state) => [state.name, state])),
  };
}

/** Applies the answers to the config daemons. */
function answered(before: Snapshot, { actions }: Decision): Snapshot {
  const sriovNodeStates = new Map(before.sriovNodeStates);
  for (const action of actions) {
    const state = sriovNodeStates.get(action.kind === 'patchSriovNodeState' ? action.node : '');
    if (action.kind !== 'patchSriovNodeState' || state === undefined) continue;
    const { [SRIOV_DRAIN_KEYS.current]: current = state.current, [SRIOV_DRAIN_KEYS.desired]: desired = state.desired } =
      action.annotations;
    sriovNodeStates.set(action.node, { ...state, current, desired });
  }
  return { ...before, sriovNodeStates };
}

type Daemon = (state: SriovNodeState) => SriovNodeState;

/** It configures a node as soon as that is drained, and is idle again: sriov-network-operator 249e20012, `pkg/daemon/daemon.go`. */
const configures: Daemon = (state) =>
  state.current === 'DrainComplete' && state.desired !== 'Idle'
    ? { ...state, desired: 'Idle', syncStatus: 'Succeeded' }
    : state;

interface Run {
  readonly last: Decision;
  readonly state: Snapshot;
  readonly actions: readonly string[];
  /** The most nodes that were cordoned at once. */
  readonly most: number;
}

function settle(from: Snapshot, policy: UpgradePolicy, daemon: Daemon = configures): Run {
  const actions: string[] = [];
  let state = from;
  let most = 0;
  for (let round = 0; round < 99; round += 1) {
    const last = decide(state, policy, NOW + round * 10_000);
    for (const one of last.actions) {
      if (one.kind === 'patchSriovNodeState') actions.push(`${one.node} ${Object.values(one.annotations).join(' ')}`);
      else if (one.kind === 'evictPod' || one.kind === 'deletePod') actions.push(`${one.kind} ${one.name}`);
      else if (one.kind === 'patchNode' && one.unschedulable !== undefined)
        actions.push(`${one.unschedulable ? 'cordon' : 'uncordon'} ${one.node}`);
    }
    const applied = answered(after(state, last), last);
    const next = {
      ...applied,
      sriovNodeStates: new Map([...(applied.sriovNodeStates ?? [])].map(([name, one]) => [name, daemon(one)])),
    };
    most = Math.max(most, next.nodes.filter(({ unschedulable }) => unschedulable).length);
    if (last.actions.length === 0 && round > 3) return { last, state, actions, most };
    state = next;
  }
  throw new Error('it never settles');
}

const policy = policyFor(sriovDriver());

describe('a node whose config daemon asks for a drain', () => {
  it('is cordoned, loses its pods with virtual functions, is configured and comes back', () => {
    const { actions, last, state } = settle(cluster([asking('a')]), policy);
    expect(actions).toEqual(['cordon a', 'evictPod user-a', 'a Draining', 'a DrainComplete', 'a Idle', 'uncordon a']);
    expect(state.nodes[0]?.labels[KEYS.state]).toBe('upgrade-done');
    expect(Object.keys(state.nodes[0]?.annotations ?? {})).toEqual([KEYS.done]);
    expect(isComplete(last, 'job')).toBe(true);
  });

  it('loses all pods where it asks for a reboot', () => {
    const { actions } = settle(cluster([asking('a', 'Reboot_Required')]), policy);
    expect(actions.filter((one) => one.startsWith('evict')).sort()).toEqual(['evictPod other-a', 'evictPod user-a']);
  });

  it('is rebooted without a drain where it is the only node of the cluster', () => {
    const only = cluster([asking('a', 'Reboot_Required')], { nodes: [node('a')] });
    expect(settle(only, policy).actions).toEqual(['cordon a', 'a DrainComplete', 'a Idle', 'uncordon a']);
  });

  it('keeps pods of DaemonSets with virtual functions, as the operator does', () => {
    const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'uid-agent' };
    const pods = [pod('a', 'agent', { controller, resourceNames: ['nvidia.com/vf'] })];
    const agents = daemonSet({ name: 'agent', namespace: pods[0]?.namespace ?? '' });
    const { actions } = settle(cluster([asking('a')], { pods, daemonSets: [agents] }), policy);
    expect(actions).toEqual(['cordon a', 'a Draining', 'a DrainComplete', 'a Idle', 'uncordon a']);
  });

  it('returns when the request is withdrawn during its drain', () => {
    let hasWithdrawn = false;
    const withdraws: Daemon = (state) => {
      if (state.current !== 'Draining' || hasWithdrawn) return state;
      hasWithdrawn = true;
      return { ...state, desired: 'Idle', syncStatus: 'InProgress' };
    };
    const blocked = cluster([asking('a')], { pods: [{ ...user('a'), finalizers: ['x'], deletionMs: NOW - 1 }] });
    const { actions } = settle({ ...blocked }, policy, (state) =>
      state.current === 'Idle' ? { ...withdraws(state), syncStatus: 'Succeeded' } : withdraws(state),
    );
    expect(actions.slice(0, 2)).toEqual(['cordon a', 'a Draining']);
    expect(actions.slice(-2)).toEqual(['uncordon a', 'a Idle']);
    expect(actions).not.toContain('a DrainComplete');
  });

  it('stays cordoned after its daemon failed, and comes back when that succeeds', () => {
    const fails: Daemon = (state) =>
      state.current === 'DrainComplete' && state.desired !== 'Idle'
        ? { ...state, desired: 'Idle', syncStatus: 'Failed', lastSyncError: 'no such device' }
        : state;
    const { state, last } = settle(cluster([asking('a')]), policy, fails);
    expect(state.nodes[0]).toMatchObject({ unschedulable: true, labels: { [KEYS.state]: 'upgrade-failed' } });
    expect(last.waiting.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      'failed: its SR-IOV config daemon is Failed: no such device',
    ]);
    const mended = settle(state, policy, (one) => ({ ...one, syncStatus: 'Succeeded' }));
    expect(mended.actions).toEqual(['a Idle', 'uncordon a']);
  });

  it('fails with what the daemon says where it does not end', () => {
    const waiting = node('a', {
      unschedulable: true,
      labels: { [KEYS.state]: 'pod-restart-required' },
      annotations: { [KEYS.cordoned]: 'true', [KEYS.restartStart]: ago(7200), [KEYS.wanted]: '1' },
    });
    const before = cluster([{ ...asking('a'), current: 'DrainComplete' }], {
      nodes: [waiting, node('spare')],
      pods: [],
    });
    const [failed] = after(before, decide(before, policy, NOW)).nodes;
    expect(failed?.labels[KEYS.state]).toBe('upgrade-failed');
    expect(failed?.annotations[KEYS.failure]).toBe(
      'its driver took too long: its SR-IOV config daemon is InProgress and asks for Drain_Required',
    );
  });

  it('gets an answer again from a companion that was killed before it', () => {
    const drained = node('a', {
      state: '',
      unschedulable: true,
      labels: { [KEYS.state]: 'pod-restart-required' },
      annotations: { [KEYS.cordoned]: 'true', [KEYS.wanted]: '1' },
    });
    const before = cluster([{ ...asking('a'), current: 'Draining' }], { nodes: [drained, node('spare')], pods: [] });
    expect(settle(before, policy).actions).toEqual(['a DrainComplete', 'a Idle', 'uncordon a']);
  });

  it('is drained where a drained state is left from another drainer', () => {
    const before = cluster([{ ...asking('a'), current: 'DrainComplete' }]);
    expect(settle(before, policy, (one) => one).actions).toEqual(['cordon a', 'evictPod user-a']);
  });
});

describe('a node whose config daemon asks again', () => {
  it('is drained of the other pods where the daemon finds during a drain that it needs a reboot', () => {
    const reboots: Daemon = (state) => {
      if (state.desired === 'Drain_Required' && state.current === 'DrainComplete') return { ...state, desired: 'Idle' };
      const isReset = state.desired === 'Idle' && state.current === 'Idle' && state.syncStatus === 'InProgress';
      return isReset ? { ...state, desired: 'Reboot_Required' } : configures(state);
    };
    const { actions } = settle(cluster([asking('a')]), policy, reboots);
    expect(actions).toEqual([
      ...['cordon a', 'evictPod user-a', 'a Draining', 'a DrainComplete', 'a Idle'],
      ...['evictPod other-a', 'a Draining', 'a DrainComplete', 'a Idle', 'uncordon a'],
    ]);
  });

  it.each(['validation-required', 'uncordon-required'])('in %s goes back to work on it', (state) => {
    const annotations = { [KEYS.cordoned]: 'true', [KEYS.wanted]: '1' };
    const out = node('a', { state: '', unschedulable: true, labels: { [KEYS.state]: state }, annotations });
    const before = cluster([asking('a')], { nodes: [out, node('spare')], pods: [other('a')] });
    const [next] = after(before, decide(before, policy, NOW)).nodes;
    expect(next).toMatchObject({ unschedulable: true, labels: { [KEYS.state]: 'pod-restart-required' } });
  });
});

describe('canaries', () => {
  const CANARY = { canary: { nodeSelector: { canary: 'yes' }, soak: '10m' } };
  const withCanary = policyOf(
    {},
    {},
    {
      ...{ drivers: [sriovDriver()], sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' } },
      rollout: CANARY,
    },
  );

  it.each([
    { name: 'that need no drain let the others begin', canary: stateOf('a'), begins: ['b'] },
    {
      name: 'that are not configured yet hold them back',
      canary: stateOf('a', { syncStatus: 'InProgress' }),
      begins: [],
    },
    { name: 'that ask for a drain go first', canary: asking('a'), begins: ['a'] },
    { name: 'that come back just now soak', canary: stateOf('a'), state: 'uncordon-required', begins: [] },
  ])('$name', ({ canary, state = 'upgrade-done', begins }) => {
    const labels = { canary: 'yes', [KEYS.state]: state };
    const nodes = [node('a', { labels }), node('b'), node('spare')];
    const { actions } = decide(cluster([canary, asking('b')], { nodes, pods: [] }), withCanary, NOW);
    const begun = actions.flatMap((one) => (one.kind === 'patchNode' && one.unschedulable === true ? [one.node] : []));
    expect(begun).toEqual(begins);
  });
});

describe('SriovNetworkNodeStates', () => {
  it('get the annotations that a drainer creates', () => {
    const fresh = stateOf('a', { desired: undefined, current: undefined });
    expect(settle(cluster([fresh]), policy).actions).toEqual(['a Idle Idle']);
  });

  it('are left alone where the operator drains', () => {
    const { actions, last } = settle(cluster([{ ...asking('a'), isExternal: false }]), policy);
    expect(actions).toEqual([]);
    expect(last.findings.map(({ kind }) => kind)).toEqual(['sriov-not-external']);
  });

  it('keep a run going while a daemon works without a drain, and end it where one failed', () => {
    const works = decide(cluster([stateOf('a', { syncStatus: 'InProgress' })]), policy, NOW);
    expect(works.waiting.map(({ kind }) => kind)).toEqual(['config-daemon']);
    const { last } = settle(cluster([stateOf('a', { syncStatus: 'Failed', lastSyncError: 'x' })]), policy);
    expect(isComplete(last, 'job')).toBe(true);
    expect(outcomeOf(last, { failedInRun: [], inProgress: [] }, 'job').message).toBe(
      '1 node whose virtual functions could not be configured',
    );
  });

  it.each([
    { name: 'within the time of a driver', minutes: 29, ends: false },
    { name: 'no longer than that', minutes: 31, ends: true },
  ])('keep a run going while a daemon does not get on: $name', ({ minutes, ends }) => {
    const policyWrittenMs = NOW - minutes * 60_000;
    const { last } = settle({ ...cluster([stateOf('a', { syncStatus: 'InProgress' })]), policyWrittenMs }, policy);
    expect(isComplete(last, 'job')).toBe(ends);
    expect(last.waiting.map(({ kind }) => kind)).toEqual([ends ? 'config-failed' : 'config-daemon']);
  });

  it.each([
    { name: 'after a success' },
    { name: 'after a daemon failed', more: { syncStatus: 'Failed' } },
    { name: 'after the upgrade of the node failed', more: { syncStatus: 'Failed' }, state: 'upgrade-failed' },
  ])('keep a run going until the operator has seen new policies: $name', ({ more = {}, state = 'upgrade-done' }) => {
    const nodes = [
      node('a', { labels: { [KEYS.state]: state }, annotations: { [KEYS.failure]: 'x', [KEYS.wanted]: '1' } }),
    ];
    const fresh = { ...cluster([stateOf('a', more)], { nodes }), policyWrittenMs: NOW - 30_000 };
    const first = after(fresh, decide(fresh, policy, NOW));
    const { waiting, wakeMs } = decide(first, policy, NOW);
    expect(waiting.map(({ kind }) => kind)).toEqual(['config-daemon']);
    expect(wakeMs).toBe(NOW + 90_000);
  });
});

describe('pools', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const all = () => cluster(names.map((name) => asking(name)));

  it('do not limit nodes without `maxUnavailable`, and limit nodes of no pool to one', () => {
    expect(settle(all(), policy).most).toBe(5);
    const single = policyFor({
      ...sriovDriver(),
      policies: [{ name: 'other nodes', upgradePolicy: { maxUnavailable: 1 }, daemonSets: [] }],
    });
    expect(settle(all(), single).most).toBe(1);
  });

  it.each([
    { maxUnavailable: '40%', most: 2 },
    { maxUnavailable: '50%', most: 2 },
    { maxUnavailable: 3, most: 3 },
    { maxUnavailable: '10%', most: 0 },
    { maxUnavailable: 0, most: 0 },
  ])('of $maxUnavailable let $most of five nodes out', ({ maxUnavailable, most }) => {
    const pool = { name: 'p', nodeSelector: 'nic=yes', upgradePolicy: { maxUnavailable }, daemonSets: [] };
    expect(settle(all(), policyFor(sriovDriver([pool]))).most).toBe(most);
  });

  it.each(['10%', 0])('of %s end a run', (maxUnavailable) => {
    const pool = { name: 'p', nodeSelector: 'nic=yes', upgradePolicy: { maxUnavailable }, daemonSets: [] };
    const { last } = settle(all(), policyFor(sriovDriver([pool])));
    expect(isComplete(last, 'job')).toBe(true);
    expect(last.waiting[0]?.message).toBe('policy p lets no node out: at most 0 may be in progress');
  });

  it('that share a node let it not begin', () => {
    const pools = ['p', 'q'].map((name) => ({ name, nodeSelector: 'nic', upgradePolicy: {}, daemonSets: [] }));
    const { last, actions } = settle(cluster([asking('a')]), policyFor(sriovDriver(pools)));
    expect(actions).toEqual([]);
    expect(last.waiting.map(({ message }) => message)).toEqual([
      'it is in the SR-IOV pools p and q, and may be in one',
    ]);
    expect(isComplete(last, 'job')).toBe(true);
  });
});

describe('a node that is due for OFED and for SR-IOV', () => {
  const both = policyFor(ofedDriver({ drain: { enable: true } }), sriovDriver());

  it('is cordoned and drained once', () => {
    const before = cluster([asking('a')], {
      daemonSets: [daemonSet()],
      pods: [driverPod('a', { digest: 'old' }), user('a'), other('a')],
    });
    const run = settle(before, both, configures);
    expect(run.actions.filter((one) => one === 'cordon a')).toHaveLength(1);
    expect(run.actions.filter((one) => one.startsWith('evict')).sort()).toEqual([
      'evictPod other-a',
      'evictPod user-a',
    ]);
    expect(run.actions).toContain('a DrainComplete');
  });

  it.each([
    {
      name: 'does not fail for OFED while its config daemon works',
      current: 'DrainComplete',
      state: 'validation-required',
    },
    { name: 'fails for OFED where it does not work', current: 'Draining', state: 'upgrade-failed' },
  ])('$name', ({ current, state }) => {
    const out = node('a', {
      state: 'validation-required',
      unschedulable: true,
      labels: { [KEYS.state]: 'pod-restart-required' },
      annotations: {
        [OFED.cordoned]: 'true',
        [OFED.validationStart]: String(NOW / 1000 - 7200),
        [OFED.before]: JSON.stringify({ resources: { 'nvidia.com/vf': '4' }, gatedPods: 0, functions: true }),
        [KEYS.cordoned]: 'true',
        [KEYS.wanted]: '1',
      },
      allocatable: { 'nvidia.com/vf': '0' },
    });
    const before = cluster([{ ...asking('a'), current }], {
      ...{ nodes: [out, node('spare')], pods: [driverPod('a')], daemonSets: [daemonSet()] },
    });
    expect(after(before, decide(before, both, NOW)).nodes[0]?.labels[OFED.state]).toBe(state);
  });

  it.each([
    {
      name: 'stays cordoned while the config daemon works on it after its time',
      desired: 'Drain_Required',
      unschedulable: true,
    },
    {
      name: 'is uncordoned for OFED when the failed config daemon asks no more',
      desired: 'Idle',
      unschedulable: false,
    },
  ])('$name', ({ desired, unschedulable }) => {
    const out = node('a', {
      state: 'uncordon-required',
      unschedulable: true,
      labels: { [KEYS.state]: 'upgrade-failed' },
      annotations: {
        [OFED.cordoned]: 'true',
        [KEYS.failure]: 'too long',
        [KEYS.initialState]: 'true',
        [KEYS.wanted]: '1',
      },
    });
    const before = cluster([{ ...asking('a'), desired, current: 'DrainComplete' }], {
      ...{ nodes: [out, node('spare')], pods: [driverPod('a')], daemonSets: [daemonSet()] },
    });
    const decision = decide(before, both, NOW);
    expect(after(before, decision).nodes[0]).toMatchObject({ unschedulable });
    const waits = decision.waiting.filter(({ driver }) => driver === 'ofed').map(({ kind }) => kind);
    expect(waits).toEqual(unschedulable ? ['config-failed'] : []);
    expect(isComplete(decision, 'job')).toBe(unschedulable);
  });

  it('loads OFED again where the config daemon booted it, and waits for OFED', () => {
    const out = node('a', {
      state: 'uncordon-required',
      unschedulable: true,
      labels: { [KEYS.state]: 'pod-restart-required' },
      annotations: {
        [OFED.cordoned]: 'true',
        [OFED.safeLoad]: 'true',
        [KEYS.initialState]: 'true',
        [KEYS.wanted]: '1',
      },
    });
    const before = cluster([{ ...asking('a', 'Reboot_Required'), current: 'DrainComplete' }], {
      ...{ nodes: [out, node('spare')], pods: [driverPod('a', { ready: false })], daemonSets: [daemonSet()] },
    });
    const [next] = after(before, decide(before, both, NOW)).nodes;
    expect(next).toMatchObject({ unschedulable: true, labels: { [OFED.state]: 'pod-restart-required' } });
    expect(next?.annotations[OFED.safeLoad]).toBeUndefined();
  });

  it('has OFED restarted again where another one is wanted while the config daemon works', () => {
    const out = node('a', {
      state: 'uncordon-required',
      unschedulable: true,
      labels: { [KEYS.state]: 'pod-restart-required' },
      annotations: { [OFED.cordoned]: 'true', [KEYS.initialState]: 'true', [KEYS.wanted]: '1' },
    });
    const before = cluster([{ ...asking('a', 'Reboot_Required'), current: 'DrainComplete' }], {
      ...{ nodes: [out, node('spare')], pods: [driverPod('a', { digest: 'old' })], daemonSets: [daemonSet()] },
    });
    const [next] = after(before, decide(before, both, NOW)).nodes;
    expect(next).toMatchObject({ unschedulable: true, labels: { [OFED.state]: 'pod-restart-required' } });
  });

  it('comes back from a restart of OFED only with its virtual functions', () => {
    const drained = node('a', {
      state: 'validation-required',
      unschedulable: true,
      annotations: {
        [OFED.cordoned]: 'true',
        [OFED.before]: JSON.stringify({ resources: { 'nvidia.com/vf': '4' }, gatedPods: 0, functions: true }),
      },
      allocatable: { 'nvidia.com/vf': '0' },
    });
    const pods = [driverPod('a')];
    const at = (state: SriovNodeState, vf: string) =>
      decide(
        cluster([state], {
          nodes: [{ ...drained, allocatable: { 'nvidia.com/vf': vf } }, node('spare')],
          pods,
          daemonSets: [daemonSet()],
        }),
        both,
        NOW,
      );
    const waits = (decision: Decision) =>
      decision.waiting.filter(({ driver }) => driver === 'ofed').map(({ message }) => message);
    expect(waits(at(stateOf('a', { syncStatus: 'InProgress' }), '0'))).toEqual([
      'its virtual functions are not back: its SR-IOV config daemon is InProgress',
    ]);
    expect(waits(at(stateOf('a'), '0'))).toEqual(['the node offers 0 nvidia.com/vf, and offered 4 before its upgrade']);
    expect(waits(at(stateOf('a'), '4'))).toEqual([]);
  });
});
