import { describe, expect, it } from '@jest/globals';
import {
  after,
  ago,
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
  withoutController,
  type SnapshotInput,
} from '../../../../test/kit/snapshots.js';
import { ARCH_LABEL, NFD_LABELS } from '../../../shared/contract/labels.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { podIndexOf } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Decision } from '../model/types.js';
import { isComplete, outcomeOf } from '../../runtime/run-outcome.js';
import { decide } from './decide.js';

/** A driver is taken from a node only if a listed DaemonSet puts another one there, or if it is uninstalled. */

const FOREIGN = [{ key: 'problem', value: '', effect: 'NoSchedule' }];
const drains = policyOf({ drain: { enable: true } });
const cordoned = { unschedulable: true } as const;
const ours = { [keys.cordoned]: 'true' };
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

  it('does not hold up the other nodes, not even as the first canary', () => {
    const policy = policyOf({}, { rollout: { canary: { nodeSelector: { nic: 'yes' } } } });
    const nodes = [tainted, node('b', { state: 'upgrade-done' })];
    const { actions } = settle(snapshot({ nodes, pods: [outdated, driverPod('b', { digest: 'old' })] }), policy);
    expect(actions).toContain('deletePod b');
    expect(actions).not.toContain('deletePod a');
  });

  it('may load the driver that waits for a safe load, because none is taken', () => {
    const one = { ...tainted, annotations: { [keys.safeLoad]: 'true' } };
    const pods = [driverPod('a', { ready: false })];
    expect(stateAfter(decide(snapshot({ nodes: [one], pods }), drains, NOW), one)).not.toBe('upgrade-done');
    const [begun] = after(
      snapshot({ nodes: [one], pods }),
      decide(snapshot({ nodes: [one], pods }), drains, NOW),
    ).nodes;
    expect(begun?.labels[keys.state]).toBe('drain-required');
  });

  it('begins when the taint is gone', () => {
    const free = node('a', { state: 'upgrade-required', annotations: { [keys.outdated]: 'true' } });
    expect(stateAfter(decide(snapshot({ nodes: [free], pods: [outdated] }), drains, NOW), free)).not.toBe(
      'upgrade-required',
    );
  });
});

describe('a node whose architecture the drivers of the only DaemonSet are not for', () => {
  it('keeps its driver and its pods, and is named', () => {
    const nodes = ['amd64', 'arm64'].map((arch) =>
      node(`node-${arch}`, { state: 'upgrade-done', labels: { [ARCH_LABEL]: arch } }),
    );
    const pods = nodes.flatMap(({ name }) => [driverPod(name, { digest: 'old' }), pod(name, 'w')]);
    const policy = policyOf({ drain: { enable: true } }, { architecture: 'arm64' });
    const { last, actions } = settle(snapshot({ nodes, pods }), policy);
    expect(actions).toContain('deletePod node-arm64');
    expect(actions).toContain('patchNode node-amd64');
    expect(actions.filter((one) => one.endsWith('node-amd64'))).toEqual(['patchNode node-amd64']);
    expect(findingsOf(last, 'no-successor')).toEqual([
      '1 node keeps its driver, because no DaemonSet would put one there again: node-amd64 (no driver DaemonSet is for amd64)',
    ]);
  });
});

describe('a driver pod that waits for a safe load on a node of another architecture', () => {
  it('gets no node drained: the driver cannot run there', () => {
    const one = node('a', { labels: { [ARCH_LABEL]: 'amd64' }, annotations: { [keys.safeLoad]: 'true' } });
    const pods = [driverPod('a', { ready: false }), pod('a', 'w')];
    const policy = policyOf({ drain: { enable: true }, safeLoad: true }, { architecture: 'arm64' });
    const { last, actions } = settle(snapshot({ nodes: [one], pods }), policy);
    expect(actions).toEqual(['patchNode a']);
    expect(findingsOf(last, 'no-successor')[0]).toContain('no driver DaemonSet is for amd64');
  });
});

describe('a taint that comes while a node is in progress', () => {
  interface ProgressCase {
    readonly state: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly pods: SnapshotInput['pods'];
  }
  const outdated = driverPod('a', { digest: 'old' });

  it.each<ProgressCase>([
    { state: 'wait-for-jobs-required', pods: [outdated] },
    { state: 'pod-deletion-required', annotations: { [keys.podDeletionStart]: ago(5) }, pods: [outdated, workload] },
    { state: 'drain-required', annotations: { [keys.drainStart]: ago(5) }, pods: [outdated, workload] },
    { state: 'pod-restart-required', annotations: { [keys.restartStart]: ago(5) }, pods: [outdated] },
    { state: 'pod-restart-required', annotations: { [keys.restartStart]: ago(5) }, pods: [] },
  ])('keeps it as it is in $state, and names it', ({ state, annotations, pods = [] }) => {
    const one = node('a', { state, ...cordoned, taints: FOREIGN, annotations: { ...ours, ...annotations } });
    const decision = decide(snapshot({ nodes: [one], pods }), drains, NOW);
    expect(decision.actions.filter(({ kind }) => kind !== 'patchNode')).toEqual([]);
    expect(stateAfter(decision, one)).toBe(state);
    expect(patchesOf(decision).every(({ unschedulable }) => unschedulable === undefined)).toBe(true);
    expect(waitsOf(decision)).toEqual([expect.stringMatching(/^a successor: .*taint problem:NoSchedule$/)]);
  });

  it('fails it after the time-out of the driver, and the reason names the taint', () => {
    const annotations = { ...ours, [keys.restartStart]: ago(3600) };
    const one = node('a', { state: 'pod-restart-required', ...cordoned, taints: FOREIGN, annotations });
    const decision = decide(snapshot({ nodes: [one] }), drains, NOW);
    expect(stateAfter(decision, one)).toBe('upgrade-failed');
    expect(patchesOf(decision)[0]?.annotations[keys.failure]).toMatch(/does not tolerate the taint problem:NoSchedule/);
  });

  it('does not end its drain with a loss of the cordon', () => {
    const annotations = { ...ours, [keys.restartStart]: ago(5) };
    const one = node('a', { state: 'pod-restart-required', ...cordoned, labels: { nic: 'flickers' }, annotations });
    const decision = decide(snapshot({ nodes: [one] }), drains, NOW);
    expect(stateAfter(decision, one)).toBe('pod-restart-required');
    expect(patchesOf(decision)).toEqual([]);
  });

  it('lets it finish if the new driver is there already', () => {
    const annotations = { ...ours, [keys.validationStart]: ago(5) };
    const one = node('a', { state: 'validation-required', ...cordoned, taints: FOREIGN, annotations });
    expect(stateAfter(decide(snapshot({ nodes: [one], pods: [driverPod('a')] }), drains, NOW), one)).toBe(
      'upgrade-done',
    );
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

  it('of a kernel that was replaced, and that all nodes still run, stays', () => {
    const old = { ...gone, nodeSelector: labels('24.04', 'k0') };
    const nodes = [done('a', '24.04', 'k0'), done('b', '24.04', 'k0')];
    const pods = [driverPod('a', { owner: 'gone' }), driverPod('b', { owner: 'gone' })];
    const { last, actions } = settle(snapshot({ nodes, pods, daemonSets: [kept, old] }), drains);
    expect(actions).toEqual([]);
    expect(waitsOf(last)).toHaveLength(2);
    expect(waitsOf(last).join()).toMatch(/no driver DaemonSet is for kernel k0/);
  });

  it('of a pool whose OS or taint changed in the input stays', () => {
    const listed = daemonSet({ nodeSelector: labels('24.04', 'k1') });
    const nodes = [done('a', '22.04', 'k0'), done('b', '22.04', 'k0', FOREIGN)];
    const pods = [driverPod('a', { owner: 'gone' }), driverPod('b', { owner: 'gone' })];
    const { last, actions } = settle(snapshot({ nodes, pods, daemonSets: [listed, gone] }), drains);
    expect(actions).toEqual([]);
    expect(last.waiting.map(({ node: name, kind }) => [name, kind])).toEqual([
      ['a', 'no-successor'],
      ['b', 'no-successor'],
    ]);
  });

  it('stays while one node needs it, and the nodes that could move wait', () => {
    const wide = { ...gone, nodeSelector: {} };
    const nodes = [done('a', '24.04', 'k1'), done('b', '22.04', 'k0')];
    const pods = [driverPod('a', { owner: 'gone' }), driverPod('b', { owner: 'gone' })];
    const { last, actions } = settle(snapshot({ nodes, pods, daemonSets: [kept, wide] }), drains);
    expect(actions).toEqual([]);
    expect(waitsOf(last)).toEqual([
      'a held: DaemonSet gone is retired, but kept for b (no driver DaemonSet is for 22.04)',
      'b no-successor: it keeps its driver: no driver DaemonSet is for 22.04',
    ]);
  });

  it('goes if only a taint keeps the next driver away that it does not tolerate either', () => {
    const renamed = { ...gone, nodeSelector: labels('24.04', 'k1') };
    const nodes = [done('a', '24.04', 'k1'), done('b', '24.04', 'k1', FOREIGN)];
    const pods = [driverPod('a', { owner: 'gone' }), driverPod('b', { owner: 'gone' }), pod('b', 'w')];
    const { last, actions } = settle(snapshot({ nodes, pods, daemonSets: [kept, renamed] }), drains);
    expect(actions).toContain('deleteDaemonSet gone');
    expect(actions).toContain('deletePod a');
    expect(actions.filter((one) => one !== 'patchNode b' && one.endsWith(' b'))).toEqual([]);
    expect(waitsOf(last).filter((one) => one.startsWith('b '))).toEqual([
      'b no-successor: it keeps its driver: DaemonSet mofed does not tolerate the taint problem:NoSchedule',
    ]);
  });

  it('that tolerates the taint stays, because it would start the driver again', () => {
    const renamed = { ...gone, nodeSelector: labels('24.04', 'k1'), tolerations: [{ operator: 'Exists' }] };
    const nodes = [done('a', '24.04', 'k1', FOREIGN)];
    const pods = [driverPod('a', { owner: 'gone' })];
    expect(settle(snapshot({ nodes, pods, daemonSets: [kept, renamed] }), drains).actions).toEqual([]);
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

  it.each([true, false])('one is uninstalled by the labels of its nodes, with autoUpgrade: %s', (autoUpgrade) => {
    const policy = policyOf(
      {},
      {
        policies: [
          { name: 'x', upgradePolicy: { autoUpgrade: true }, daemonSets: [{ name: nameOf('x'), digest: 'new' }] },
          {
            name: 'y',
            upgradePolicy: { autoUpgrade, drain: { enable: true } },
            daemonSets: [],
            uninstall: [{ nodeSelector: { pool: 'y' } }],
          },
        ],
      },
    );
    const { last, actions } = settle(snapshot({ nodes, pods, daemonSets }), policy);
    expect(new Set(actions)).toEqual(
      new Set(['patchNode node-y', 'deleteDaemonSet mofed-y', 'evictPod node-y', 'deletePod node-y']),
    );
    expect(last.waiting).toEqual([]);
    expect(findingsOf(last, 'no-successor')).toEqual([]);
  });

  it('the DaemonSet of both is retired, and one has no autoUpgrade: the nodes of both keep it, and the run ends', () => {
    const policy = policyOf(
      {},
      {
        policies: ['x', 'y'].map((pool) => ({
          name: pool,
          upgradePolicy: { autoUpgrade: pool === 'x' },
          daemonSets: [{ name: nameOf(pool), digest: 'new' }],
        })),
      },
    );
    const gone = daemonSet({ name: 'gone', digest: 'old' });
    const retired = ['x', 'y'].map((pool) => driverPod(`node-${pool}`, { owner: 'gone' }));
    const { last, actions } = settle(snapshot({ nodes, pods: retired, daemonSets: [...daemonSets, gone] }), policy);
    expect(actions).toEqual([]);
    expect(waitsOf(last)).toEqual([
      'node-x held: DaemonSet gone is retired, but kept for node-y (policy y has no autoUpgrade)',
    ]);
    expect(findingsOf(last, 'daemon-set-kept')).toEqual([
      'DaemonSet gone is to be retired, but nodes keep it: node-y (policy y has no autoUpgrade)',
    ]);
    expect(isComplete(last, 'job')).toBe(true);
    expect(outcomeOf(last, { failedInRun: [], inProgress: [] }, 'job').message).toBe(
      '1 node with a retired driver, whose DaemonSet other nodes keep',
    );
  });

  it('a node in progress gets a taint, and its driver pod is of the policy without autoUpgrade: it waits for the taint', () => {
    const policy = policyOf(
      {},
      {
        policies: ['x', 'y'].map((pool) => ({
          name: pool,
          upgradePolicy: { autoUpgrade: pool === 'x', drain: { enable: true } },
          daemonSets: [{ name: nameOf(pool), digest: 'new' }],
        })),
      },
    );
    const draining = { state: 'drain-required', ...cordoned, annotations: ours } as const;
    const one = node('node-x', { ...draining, labels: { pool: 'x' }, taints: FOREIGN });
    const before = [
      orphan('node-x', { labels: { 'nvidia.com/ofed-driver': '', 'ds-owner': 'y' } }),
      pod('node-x', 'w'),
    ];
    const { last, actions } = settle(snapshot({ nodes: [one], pods: before, daemonSets }), policy);
    expect(actions).not.toContain('evictPod node-x');
    expect(waitsOf(last)).toEqual([
      'node-x successor: its driver is not restarted while DaemonSet mofed-x does not tolerate the taint problem:NoSchedule',
    ]);
  });

  it('one without autoUpgrade gets another name and another kernel, and its nodes stay as they are', () => {
    const renamed = { ...setOf('z'), renderedDigest: setOf('z').digest };
    const policy = policyOf(
      {},
      {
        policies: [
          { name: 'x', upgradePolicy: { autoUpgrade: true }, daemonSets: [{ name: nameOf('x'), digest: 'new' }] },
          { name: 'z', upgradePolicy: { autoUpgrade: false }, daemonSets: [{ name: nameOf('z'), digest: 'new' }] },
        ],
      },
    );
    const { last, actions } = settle(snapshot({ nodes, pods, daemonSets: [...daemonSets, renamed] }), policy);
    expect(actions).toEqual([]);
    expect(last.waiting.map(({ node: name, kind }) => [name, kind])).toEqual([['node-y', 'no-successor']]);
  });
});
