import { describe, expect, it } from '@jest/globals';
import { nodeStateOf as stateOf } from '../../../../test/kit/shared-nodes.js';
import {
  after,
  ago,
  allKeys,
  daemonSet,
  driverPod,
  node,
  NOW,
  ofedDriver,
  pod,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import type { UpgradePolicy, UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SriovNodeState } from '../../model/sriov.js';
import type { Decision } from '../../model/types.js';
import { isComplete, outcomeOf } from '../../runtime/run-outcome.js';
import { rolloutName } from '../../participants/driver/driver-view.js';
import { decide } from '../../decide.js';

/** Drains for the SR-IOV operator, whose config daemons ask for them and say when they are done. */

type SriovInput = Extract<UpgradePolicyInput['drivers'][number], { kind: 'sriov' }>;

const KEYS = allKeys('weft-sriov');
const OFED = allKeys('ofed');

const sriovDriver = (policies: SriovInput['policies'] = [], change = 'one'): SriovInput => ({
  ...{ kind: 'sriov', namespace: 'sriov', change, resourcePrefixes: ['nvidia.com/'] },
  policies: [...policies, { name: 'other nodes', upgradePolicy: {} }],
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

  it('is rebooted without a drain where it is the only node of the cluster', () => {
    const only = cluster([asking('a', 'Reboot_Required')], { nodes: [node('a')] });
    expect(settle(only, policy).actions).toEqual(['cordon a', 'a DrainComplete', 'a Idle', 'uncordon a']);
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

  it('has the label of a drain before its other pods are evicted, where a reboot is needed while pods are being deleted', () => {
    const out = node('a', {
      ...{ state: '', unschedulable: true },
      labels: { [KEYS.state]: 'pod-deletion-required' },
      annotations: { [KEYS.wanted]: '1' },
    });
    const before = cluster([asking('a', 'Reboot_Required')], { nodes: [out, node('spare')] });
    const first = decide(before, policy, NOW);
    expect(first.actions.filter(({ kind }) => kind === 'evictPod')).toEqual([]);
    expect(after(before, first).nodes[0]?.labels[KEYS.state]).toBe('drain-required');
    expect(settle(before, policy).actions.slice(0, 3)).toEqual(['a Draining', 'evictPod user-a', 'evictPod other-a']);
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

  const DONE = { [KEYS.done]: `${rolloutName([['', sriovDriver().change]])} ${ago(9999)}` };

  it.each([
    { name: 'that need no drain let the others begin', canary: stateOf('a'), begins: ['b'] },
    {
      name: 'that are not configured yet hold them back',
      canary: stateOf('a', { syncStatus: 'InProgress' }),
      begins: [],
    },
    { name: 'that ask for a drain go first', canary: asking('a'), begins: ['a'] },
    { name: 'that ask for a drain again prove nothing', canary: asking('a'), done: DONE, begins: [] },
    { name: 'that come back just now soak', canary: stateOf('a'), state: 'uncordon-required', begins: [] },
  ])('$name', ({ canary, state = 'upgrade-done', done = {}, begins }) => {
    const labels = { canary: 'yes', [KEYS.state]: state };
    const nodes = [node('a', { labels, annotations: done }), node('b'), node('spare')];
    const { actions } = decide(cluster([canary, asking('b')], { nodes, pods: [] }), withCanary, NOW);
    const begun = actions.flatMap((one) => (one.kind === 'patchNode' && one.unschedulable === true ? [one.node] : []));
    expect(begun).toEqual(begins);
  });
});

describe('SriovNetworkNodeStates', () => {
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
});

describe('a node that is due for OFED and for SR-IOV', () => {
  const both = policyFor(ofedDriver({ drain: { enable: true } }), sriovDriver());

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
    for (const amount of ['-4', '4e999', '0x10', 'NaN'])
      expect(waits(at(stateOf('a'), amount))[0]).toMatch(/^the node offers \S+ nvidia.com\/vf, and offered 4 before/);
    for (const amount of ['4', '1k']) expect(waits(at(stateOf('a'), amount))).toEqual([]);
  });
});
