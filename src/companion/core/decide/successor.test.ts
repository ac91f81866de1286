import { describe, expect, it } from '@jest/globals';
import {
  after,
  daemonSet,
  driverPod,
  node,
  NOW,
  patchesOf,
  pod,
  policyOf,
  snapshot,
  stateAfter,
  withoutController,
  type SnapshotInput,
} from '../../../../test/kit/snapshots.js';
import { recorded } from '../../../../test/kit/records.js';
import type { MaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import { NFD_LABELS } from '../../../shared/contract/labels.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Decision } from '../../model/types.js';
import { isComplete, outcomeOf } from '../../runtime/run-outcome.js';
import { decide } from '../../decide.js';

/** A driver is taken from a node only if a listed DaemonSet puts another one there, or if it is uninstalled. */

const FOREIGN = [{ key: 'problem', value: '', effect: 'NoSchedule' }];
const drains = policyOf({ drain: { enable: true } });
const cordoned = { unschedulable: true } as const;
const workload = pod('a', 'w');

/** Decides and carries out until nothing happens any more; names every action. */
function settle(
  from: Snapshot,
  policy: UpgradePolicy,
): { readonly last: Decision; readonly actions: readonly string[] } {
  const actions: string[] = [];
  let state = from;
  for (let round = 0; round < 20; round += 1) {
    const last = decide(state, policy, NOW + round * 10_000);
    if (last.actions.length === 0) return { last, actions };
    for (const one of last.actions) actions.push(`${one.kind} ${one.kind === 'deleteDaemonSet' ? one.name : one.node}`);
    state = after(state, last);
    const gone = last.actions.flatMap((one) => (one.kind === 'deleteDaemonSet' ? [one.uid] : []));
    const isLeft = (uid: string | undefined): boolean => uid !== undefined && gone.includes(uid);
    state = {
      ...state,
      daemonSets: state.daemonSets.filter(({ uid }) => !isLeft(uid)),
      pods: podIndexOf([...state.pods].map((one) => (isLeft(one.controller?.uid) ? withoutController(one) : one))),
    };
  }
  throw new Error('it never settles');
}

const waitsOf = ({ waiting }: Decision) =>
  waiting.map(({ node: name, kind, message }) => `${name} ${kind}: ${message}`);
const findingsOf = ({ findings }: Decision, kind: string) =>
  findings.filter((one) => one.kind === kind).map(({ message }) => message);

describe('a node with a taint that its driver does not tolerate', () => {
  const tainted = node('a', { state: 'upgrade-done', taints: FOREIGN });
  const outdated = driverPod('a', { digest: 'old' });

  it('keeps its driver and its pods, and is named', () => {
    const { last, actions } = settle(snapshot({ nodes: [tainted], pods: [outdated, workload] }), drains);
    expect(actions).toEqual(['patchNode a']);
    const reason = 'DaemonSet mofed does not tolerate the taint problem:NoSchedule';
    expect(waitsOf(last)).toEqual([`a no-successor: it keeps its driver: ${reason}`]);
    expect(findingsOf(last, 'no-successor')).toEqual([
      `1 node keeps its driver, because no DaemonSet would put one there again: a (${reason})`,
    ]);
    expect(last.counts.map(({ withoutSuccessor }) => withoutSuccessor)).toEqual([1]);
    expect(isComplete(last, 'job')).toBe(true);
    expect(outcomeOf(last, { failedInRun: [], inProgress: [] }, 'job').message).toBe(
      '1 node kept, because no DaemonSet would put a driver on them',
    );
  });
});

describe('a taint that comes while a node is in progress', () => {
  interface ProgressCase {
    readonly state: string;
    /** Default: the state. */
    readonly becomes?: string;
    readonly record?: MaintenanceRecord;
    readonly pods: SnapshotInput['pods'];
  }
  const outdated = driverPod('a', { digest: 'old' });
  const since = (state: string): MaintenanceRecord => ({ since: { [state]: NOW / 1000 - 5 } });

  it.each<ProgressCase>([
    { state: 'wait-for-jobs-required', pods: [outdated] },
    {
      state: 'pod-deletion-required',
      becomes: 'drain-required',
      record: since('drain-required'),
      pods: [outdated, workload],
    },
    { state: 'drain-required', record: since('drain-required'), pods: [outdated, workload] },
    { state: 'pod-restart-required', record: { restarts: { ofed: NOW / 1000 - 5 } }, pods: [outdated] },
    { state: 'pod-restart-required', record: { restarts: { ofed: NOW / 1000 - 5 } }, pods: [] },
  ])('keeps it as it is in $state, and names it', ({ state, becomes = state, record, pods = [] }) => {
    const one = node('a', { state, ...cordoned, taints: FOREIGN, annotations: recorded({ cordon: '', ...record }) });
    const decision = decide(snapshot({ nodes: [one], pods }), drains, NOW);
    expect(decision.actions.filter(({ kind }) => kind !== 'patchNode')).toEqual([]);
    expect(stateAfter(decision, one)).toBe(becomes);
    expect(patchesOf(decision).every(({ unschedulable }) => unschedulable === undefined)).toBe(true);
    expect(waitsOf(decision)).toEqual([expect.stringMatching(/^a successor: .*taint problem:NoSchedule$/)]);
  });
});

describe('a retired DaemonSet', () => {
  const labels = (os: string, kernel: string) => ({
    [NFD_LABELS.nicPresent]: 'true',
    [NFD_LABELS.osVersion]: os,
    [NFD_LABELS.kernel]: kernel,
  });
  const kept = daemonSet({ nodeSelector: labels('24.04', 'k1') });
  const gone = daemonSet({ name: 'gone', nodeSelector: labels('22.04', 'k0') });
  const done = (name: string, os: string, kernel: string, taints: typeof FOREIGN = []) =>
    node(name, { state: 'upgrade-done', labels: labels(os, kernel), taints });

  it('of a pool that was deleted stays with its pods, and nothing is drained', () => {
    const nodes = [done('a', '24.04', 'k1'), done('b', '22.04', 'k0')];
    const pods = [driverPod('a'), driverPod('b', { owner: 'gone' }), pod('b', 'w')];
    const { last, actions } = settle(snapshot({ nodes, pods, daemonSets: [kept, gone] }), drains);
    expect(actions).toEqual([]);
    expect(waitsOf(last)).toEqual(['b no-successor: it keeps its driver: no driver DaemonSet is for 22.04']);
    expect(findingsOf(last, 'daemon-set-kept')).toEqual([
      'DaemonSet gone is to be retired, but nodes keep it: b (no driver DaemonSet is for 22.04)',
    ]);
  });
});

describe('two policies', () => {
  const nameOf = (pool: string) => `mofed-${pool}`;
  const setOf = (pool: string, digest = 'new') =>
    daemonSet({
      name: nameOf(pool),
      nodeSelector: { pool },
      labels: { 'nvidia.com/ofed-driver': '', 'ds-owner': pool },
      digest,
    });
  const policies = (names: readonly string[], autoUpgrade = true, drain = true) =>
    policyOf(
      {},
      {
        policies: names.map((pool) => ({
          name: pool,
          upgradePolicy: { autoUpgrade, drain: { enable: drain } },
          daemonSets: [{ name: nameOf(pool), digest: 'new' }],
        })),
      },
    );
  const nodes = ['x', 'y'].map((pool) => node(`node-${pool}`, { state: 'upgrade-done', labels: { pool } }));
  const pods = ['x', 'y'].flatMap((pool) => [
    driverPod(`node-${pool}`, { owner: nameOf(pool) }),
    pod(`node-${pool}`, `w-${pool}`),
  ]);
  const daemonSets = ['x', 'y'].map((pool) => ({ ...setOf(pool), renderedDigest: setOf(pool).digest }));

  it.each([
    { name: 'that drains', drain: true },
    { name: 'that does not drain', drain: false },
  ])('one goes, and the other one $name leaves its nodes alone', ({ drain }) => {
    const { last, actions } = settle(snapshot({ nodes, pods, daemonSets }), policies(['x'], true, drain));
    expect(actions).toEqual([]);
    expect(waitsOf(last)).toEqual([
      'node-y no-successor: it keeps its driver: DaemonSet mofed-x selects pool=x, and the node has pool=y',
    ]);
  });
});
