import { expect, it } from '@jest/globals';
import { digestOf } from '../../test/kit/digests.js';
import { asked, cluster, objectOf, policy as maintenancePolicy, ready, settle } from '../../test/kit/maintenances.js';
import {
  asking,
  GPU,
  gpuPod,
  minutes,
  nodeStateOf,
  ofed,
  OFED,
  ownGpu,
  policyFor,
  sharedCluster,
  sriovDriver,
  WEFT_GPU,
  weftGpu,
} from '../../test/kit/shared-nodes.js';
import { after, allKeys, driverPod, node, NOW, patchesOf, pod } from '../../test/kit/snapshots.js';
import { legacyKeys, type LegacyKeys } from '../shared/contract/legacy-keys.js';
import { GPU_UPGRADE_ENABLED_ANNOTATION, SRIOV_DRAIN_KEYS } from '../shared/contract/labels.js';
import {
  MAINTENANCE_ANNOTATION,
  readMaintenanceRecord,
  type MaintenanceRecord,
} from '../shared/contract/maintenance-record.js';
import { phaseOf, type NodeState } from '../shared/contract/node-states.js';
import type { UpgradePolicy } from '../shared/contract/upgrade-policy.js';
import { decide } from './decide.js';
import { podIndexOf } from './model/pod-index.js';
import type { Snapshot } from './model/snapshot.js';
import type { SriovNodeState } from './model/sriov.js';
import type { Action, SnapshotNode, SnapshotPod } from './model/types.js';

/** A companion of this version goes on with nodes that have the annotations of an older one. */

const CORDON_TIME = '2026-11-20T11:50:00Z';
const STARTED = NOW / 1000 - 90;
const SELECTORS = { waitForCompletion: { podSelector: 'app=job' } };
const ROLLOUT = { validation: { podSelector: 'app=check', podNamespace: 'nno', timeoutSeconds: 600 } };
const DRAIN = { drain: { enable: true }, ...SELECTORS };

/** What an older version left on a node in a state, beside its cordon; what the first patch makes of the state. */
const STATES: readonly {
  readonly state: NodeState;
  readonly has: readonly (keyof LegacyKeys)[];
  readonly then?: NodeState;
}[] = [
  { state: 'upgrade-required', has: ['outdated', 'prePullStart'] },
  { state: 'cordon-required', has: ['wanted', 'before'], then: 'wait-for-jobs-required' },
  { state: 'wait-for-jobs-required', has: ['wanted', 'before', 'restartsBefore', 'cordonLifted', 'waitStart'] },
  { state: 'pod-deletion-required', has: ['wanted', 'before', 'podDeletionStart'] },
  { state: 'drain-required', has: ['wanted', 'before', 'podDeletionStart', 'drainStart'] },
  { state: 'pod-restart-required', has: ['wanted', 'before', 'podDeletionStart', 'drainStart', 'restartStart'] },
  { state: 'validation-required', has: ['wanted', 'before', 'drainStart', 'validationStart'] },
  { state: 'uncordon-required', has: ['wanted', 'before', 'drainStart'], then: 'upgrade-done' },
  { state: 'upgrade-failed', has: ['wanted', 'before', 'failure'] },
];

/** The state whose time each start has; the restart is a time of the driver. */
const STARTS: Readonly<Partial<Record<keyof LegacyKeys, string>>> = {
  waitStart: 'wait-for-jobs-required',
  podDeletionStart: 'pod-deletion-required',
  drainStart: 'drain-required',
  validationStart: 'validation-required',
};

/** Which states have a node whose pods have left it, and one whose driver was restarted. */
const EMPTIED: readonly string[] = [
  'pod-restart-required',
  'validation-required',
  'uncordon-required',
  'upgrade-failed',
];
const RESTARTED: readonly string[] = ['validation-required', 'uncordon-required', 'upgrade-failed'];

interface Driver {
  readonly prefix: string;
  readonly driver: Parameters<typeof policyFor>[0][number];
  /** Its pods on the node, restarted or not, ready or not. */
  readonly pods: (isRestarted: boolean, isReady: boolean) => readonly SnapshotPod[];
  readonly labels?: (state: NodeState) => Record<string, string>;
  readonly nodeState?: (state: NodeState) => SriovNodeState;
}

const digest = (isRestarted: boolean) => (isRestarted ? 'new' : 'old');
const DRIVERS: readonly Driver[] = [
  {
    prefix: 'ofed',
    driver: ofed(DRAIN),
    pods: (isRestarted, ready) => [driverPod('a', { digest: digest(isRestarted), ready })],
  },
  {
    prefix: 'gpu',
    driver: ownGpu(DRAIN),
    pods: (isRestarted, ready) => [{ ...gpuPod('a', digest(isRestarted)), ready }],
  },
  {
    prefix: 'weft-gpu',
    driver: weftGpu(DRAIN),
    pods: (isRestarted) => [gpuPod('a', digest(isRestarted))],
    labels: (state) => ({ [GPU.state]: operatorState(state) }),
  },
  {
    prefix: 'weft-sriov',
    driver: sriovDriver(SELECTORS),
    pods: () => [],
    nodeState: (state) => {
      if (state === 'upgrade-failed')
        return asking('a', { current: 'DrainComplete', desired: 'Idle', syncStatus: 'Failed' });
      if (RESTARTED.includes(state)) return nodeStateOf('a');
      return asking('a', { current: state === 'pod-restart-required' ? 'DrainComplete' : 'Draining' });
    },
  },
];

function operatorState(state: NodeState): NodeState {
  if (state === 'upgrade-failed') return 'upgrade-failed';
  if (RESTARTED.includes(state)) return 'upgrade-done';
  return state === 'pod-restart-required' ? 'pod-restart-required' : 'upgrade-required';
}

const BEFORE = { resources: { 'rdma/a': '2' }, gatedPods: 0 };
const VALUES: Readonly<Partial<Record<keyof LegacyKeys, string>>> = {
  outdated: 'true',
  before: JSON.stringify(BEFORE),
  restartsBefore: 'uid-x 2',
  cordonLifted: '1',
  failure: 'no image',
};

function clusterOf({ prefix, pods, labels, nodeState }: Driver, state: NodeState, desired: string): Snapshot {
  const own = legacyKeys(prefix);
  const { has = [] } = STATES.find((one) => one.state === state) ?? {};
  const isOut = state !== 'upgrade-required' && state !== 'cordon-required';
  const value = (key: keyof LegacyKeys) => VALUES[key] ?? (key === 'wanted' ? desired : String(STARTED));
  const annotations = Object.fromEntries(has.map((key) => [own[key], value(key)]));
  const there = node('a', {
    ...{ prefix, state, unschedulable: isOut, ...(isOut && { cordonTime: CORDON_TIME }) },
    labels: labels?.(state) ?? {},
    annotations: { ...annotations, ...(isOut && { [own.cordoned]: CORDON_TIME }) },
  });
  const work = [pod('a', 'work', { resourceNames: ['nvidia.com/gpu', 'nvidia.com/vf'] })];
  const jobs = [pod('a', 'job', { labels: { app: 'job' }, resourceNames: ['nvidia.com/gpu', 'nvidia.com/vf'] })];
  const isJobs = state === 'cordon-required' || state === 'wait-for-jobs-required';
  return sharedCluster(
    {
      nodes: [there],
      pods: [
        ...pods(RESTARTED.includes(state), state !== 'upgrade-failed'),
        ...(EMPTIED.includes(state) ? [] : work),
        ...(isJobs ? jobs : []),
        pod('a', 'check', {
          namespace: 'nno',
          labels: { app: 'check' },
          ready: state !== 'validation-required',
          controller: DAEMON,
        }),
      ],
      paused: state === 'upgrade-required',
    },
    ...(nodeState === undefined ? [] : [nodeState(state)]),
  );
}

const DAEMON = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'mofed', uid: 'uid-mofed' };

/** Jobs end, pods get ready, the DaemonSet or the GPU operator replaces driver pods, and the config daemon works on a drained node. */
function others({ pods }: Driver) {
  return (state: Snapshot, actions: readonly Action[]): Snapshot => {
    const [there, ...more] = state.nodes;
    const replacement = pods(true, true);
    const names = new Set(replacement.map(({ name }) => name));
    const operator = there?.labels[GPU.state];
    const isOperating = there?.labels[WEFT_GPU.state] === 'pod-restart-required' || operator === 'upgrade-failed';
    const isByOperator = operator !== undefined && operator !== 'upgrade-done' && isOperating;
    const isGone = names.size > 0 && ![...state.pods].some(({ name }) => names.has(name));
    const kept = [...state.pods].filter(
      ({ name, labels }) => labels['app'] !== 'job' && !(isByOperator && names.has(name)),
    );
    const answer = actions.find((one) => one.kind === 'patchSriovNodeState')?.annotations[SRIOV_DRAIN_KEYS.current];
    return {
      ...state,
      nodes: there === undefined ? [] : [isByOperator ? ofOperator(there) : there, ...more],
      pods: podIndexOf(
        [...kept, ...(isGone || isByOperator ? replacement : [])].map((one) => ({ ...one, ready: true })),
      ),
      ...(state.sriovNodeStates && {
        sriovNodeStates: new Map([...state.sriovNodeStates].map(([name, one]) => [name, afterDaemon(one, answer)])),
      }),
    };
  };
}

/** The GPU operator is done, and removes its annotation. */
function ofOperator(there: SnapshotNode): SnapshotNode {
  const annotations = Object.fromEntries(Object.entries(there.annotations).filter(([key]) => key !== GPU.initialState));
  return { ...there, labels: { ...there.labels, [GPU.state]: 'upgrade-done' }, annotations };
}

function afterDaemon(one: SriovNodeState, answer: string | undefined): SriovNodeState {
  const current = answer ?? one.current;
  const isDone = current === 'DrainComplete' || one.syncStatus === 'Failed';
  return { ...one, current, ...(isDone && { desired: 'Idle', syncStatus: 'Succeeded' }) };
}

const CASES = DRIVERS.flatMap((driver) => STATES.map((one) => ({ ...one, driver, prefix: driver.prefix })));

it.each(CASES)('goes on with $prefix in $state', ({ driver, prefix, state, has, then = state }) => {
  const label = allKeys(prefix).state;
  const policy = policyFor([driver.driver], ROLLOUT);
  const from = clusterOf(driver, state, desiredBy(driver, policy));
  const [before] = from.nodes;
  const first = decide(from, policy, NOW);
  // No old annotation is left, and nothing else is done before the record is there.
  const old: Record<string, null> = Object.fromEntries(
    Object.keys(before?.annotations ?? {}).map((key) => [key, null]),
  );
  expect(patchesOf(first)[0]?.annotations).toMatchObject(old);
  expect(first.actions.filter(({ kind }) => kind === 'evictPod' || kind === 'deletePod')).toEqual([]);
  const next = after(from, first);
  expect(phaseOf(next.nodes[0]?.labels[label] ?? '')).toBe(phaseOf(then));
  if (then !== 'upgrade-done') {
    const cordon = before?.unschedulable === true ? CORDON_TIME : '';
    expect(recordOf(next)).toMatchObject(expectedOf(has, prefix, state === 'upgrade-required' ? undefined : cordon));
  }

  const { state: end, log } = minutes(20, { ...next, paused: false }, policy, others(driver));
  expect(end.nodes[0]).toMatchObject({ unschedulable: false, labels: { [label]: 'upgrade-done' } });
  const left = Object.keys(end.nodes[0]?.annotations ?? {}).filter((key) => key !== GPU_UPGRADE_ENABLED_ANNOTATION);
  expect(left).toEqual([allKeys(prefix).done]);
  expect(log.filter((entry) => entry === 'cordon')).toHaveLength(state === 'upgrade-required' ? 1 : 0);
});

const recordOf = ({ nodes }: Snapshot) => readMaintenanceRecord(nodes[0]?.annotations[MAINTENANCE_ANNOTATION]);

/** What the driver of a node is to get, as the record has it. */
function desiredBy(driver: Driver, policy: UpgradePolicy): string {
  const from = clusterOf(driver, 'drain-required', '');
  return recordOf(after(from, decide(from, policy, NOW)))?.wants?.[driver.prefix] ?? '';
}

/** The record has what these annotations said. */
function expectedOf(has: readonly (keyof LegacyKeys)[], prefix: string, cordon: string | undefined): MaintenanceRecord {
  const since = has.flatMap((key) => (STARTS[key] === undefined ? [] : [[STARTS[key], STARTED] as const]));
  return {
    ...(cordon !== undefined && { cordon }),
    ...(since.length > 0 && { since: Object.fromEntries(since) }),
    ...(has.includes('restartStart') && { restarts: { [prefix]: STARTED } }),
    ...(has.includes('restartsBefore') && { restartsBefore: { [prefix]: 'uid-x 2' } }),
    ...(has.includes('failure') && { failure: 'no image' }),
    ...(has.includes('before') && { before: BEFORE }),
    ...(has.includes('cordonLifted') && { lifted: 1 }),
    ...(has.includes('outdated') && { due: [prefix], prePull: STARTED }),
  };
}

it.each([
  { state: 'node-maintenance-required', digest: 'old', object: objectOf('a'), isKept: true },
  { state: 'pod-restart-required', digest: 'old', object: ready('a'), isKept: true },
  { state: 'post-maintenance-required', digest: 'new', object: ready('a', { isDeleting: true }), isKept: true },
  { state: 'post-maintenance-required', digest: 'new', object: undefined, isKept: false },
])('goes on where the Maintenance Operator drains, in $state', ({ state, digest: installed, object, isKept }) => {
  const { maintenanceStart, wanted } = legacyKeys('ofed');
  const annotations = { [maintenanceStart]: String(STARTED), [wanted]: digestOf('new') };
  const there = asked('a', state, { annotations, unschedulable: object?.hasCordon === true });
  const from = cluster(['a'], object === undefined ? [] : [object], {
    nodes: [there, node('spare', { labels: { nic: 'no' } })],
    pods: [driverPod('a', { digest: installed })],
  });
  const first = decide(from, maintenancePolicy, NOW);
  expect(patchesOf(first)[0]?.annotations).toMatchObject({ [maintenanceStart]: null, [wanted]: null });
  expect(patchesOf(first)[0]?.unschedulable).toBeUndefined();
  const next = after(from, first);
  expect(next.nodes[0]?.labels[OFED.state]).toBe(isKept ? state : 'upgrade-done');
  if (state === 'node-maintenance-required') expect(recordOf(next)).toMatchObject({ since: { [state]: STARTED } });
  expect(recordOf(next)?.cordon).toBeUndefined();

  const { state: end } = settle(next);
  expect(end.nodes[0]).toMatchObject({ unschedulable: false, labels: { [OFED.state]: 'upgrade-done' } });
  expect(Object.keys(end.nodes[0]?.annotations ?? {})).toEqual([OFED.done]);
});
