import { describe, expect, it } from '@jest/globals';
import {
  ago,
  barePod,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  patchesOf,
  pod,
  policyOf,
  orphan,
  snapshot,
  withoutController,
  type SnapshotInput,
} from '../../../test/kit/snapshots.js';
import { OFED_GATE_LABEL } from '../../contract/labels.js';
import { decide } from './decide.js';
import type { SnapshotPod } from '../model/types.js';
import type { UpgradePolicy } from '../../contract/upgrade-policy.js';

const gateOf = (kind: 'label' | 'ready-file') => ({
  gate: { kind, label: OFED_GATE_LABEL, podSelectors: ['app=rdma-shared-dp'] },
});
const label = policyOf({}, gateOf('label'));
const readyFile = policyOf({}, gateOf('ready-file'));
const done = (gate?: string) =>
  node('a', { state: 'upgrade-done', labels: gate === undefined ? {} : { [OFED_GATE_LABEL]: gate } });

describe('decide: the gate label', () => {
  it.each([
    { name: 'opens when the driver is ready', node: done('true'), pods: [driverPod('a')], expected: 'false' },
    { name: 'opens on a new node', node: done(), pods: [driverPod('a')], expected: 'false' },
    { name: 'stays open', node: done('false'), pods: [driverPod('a')], expected: undefined },
    {
      name: 'closes when the driver is not ready',
      node: done('false'),
      pods: [driverPod('a', { ready: false })],
      expected: 'true',
    },
    {
      name: 'follows the driver container, not a sidecar',
      node: done('true'),
      pods: [
        driverPod('a', {
          ready: false,
          containers: [
            { name: 'mofed-container', ready: true, restarts: 0 },
            { name: 'dtk', ready: false, restarts: 0 },
          ],
        }),
      ],
      expected: 'false',
    },
    { name: 'closes where the driver pod is missing', node: done('false'), pods: [], expected: 'true' },
    {
      name: 'closes while the driver pod is ending',
      node: done('false'),
      pods: [driverPod('a', { deletionMs: NOW })],
      expected: 'true',
    },
    {
      name: 'closes before the driver is unloaded',
      node: node('a', { state: 'pod-restart-required', unschedulable: true, labels: { [OFED_GATE_LABEL]: 'false' } }),
      pods: [driverPod('a', { digest: 'old' })],
      expected: 'true',
    },
    {
      name: 'stays open while the node is drained',
      node: node('a', {
        state: 'drain-required',
        unschedulable: true,
        labels: { [OFED_GATE_LABEL]: 'false' },
        annotations: { [keys.drainStart]: ago(9) },
      }),
      pods: [driverPod('a', { digest: 'old' }), pod('a', 'w', { deletionMs: NOW })],
      policy: policyOf({ drain: {} }, gateOf('label')),
      expected: undefined,
    },
    {
      name: 'opens where the driver was uninstalled',
      node: node('a', { labels: { [OFED_GATE_LABEL]: 'true' } }),
      pods: [],
      input: { daemonSets: [] },
      policy: policyOf(
        {},
        {
          ...gateOf('label'),
          uninstall: true,
          policies: [{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, daemonSets: [] }],
        },
      ),
      expected: 'false',
    },
    {
      name: 'stays shut where the labels of the node changed, and its driver left',
      node: node('a', { labels: { nic: 'no', [OFED_GATE_LABEL]: 'true' } }),
      pods: [],
      expected: undefined,
    },
    {
      name: 'is not touched where no driver ever was',
      node: node('a', { labels: { nic: 'no' } }),
      pods: [],
      expected: undefined,
    },
    {
      name: 'is not opened while a DaemonSet is missing',
      node: node('a', { labels: { nic: 'no', [OFED_GATE_LABEL]: 'true' } }),
      pods: [],
      input: { daemonSets: [] },
      expected: undefined,
    },
    {
      name: 'is kept while the companion is paused',
      node: done('true'),
      pods: [driverPod('a')],
      input: { paused: true },
      expected: 'false',
    },
    {
      name: 'is kept without autoUpgrade',
      node: done('true'),
      pods: [driverPod('a')],
      policy: policyOf({ autoUpgrade: false }, gateOf('label')),
      expected: 'false',
    },
    {
      name: 'is not kept with the other gate',
      node: done('true'),
      pods: [driverPod('a')],
      policy: readyFile,
      expected: undefined,
    },
  ])('$name', ({ node: one, pods, policy = label, input = {}, expected }: GateCase) => {
    const patches = patchesOf(decide(snapshot({ nodes: [one], pods, ...input }), policy, NOW));
    expect(patches.length).toBeLessThanOrEqual(1);
    expect(patches[0]?.labels[OFED_GATE_LABEL]).toBe(expected);
  });

  it('is part of the one patch', () => {
    const one = node('a', {
      state: 'pod-restart-required',
      unschedulable: true,
      labels: { [OFED_GATE_LABEL]: 'true' },
    });
    const patches = patchesOf(decide(snapshot({ nodes: [one], pods: [driverPod('a')] }), label, NOW));
    expect(patches).toHaveLength(1);
    expect(patches[0]).toMatchObject({
      labels: { [keys.state]: 'upgrade-done', [OFED_GATE_LABEL]: 'false' },
      unschedulable: false,
    });
  });
});

interface GateCase {
  readonly name: string;
  readonly node: ReturnType<typeof node>;
  readonly pods: readonly SnapshotPod[];
  readonly policy?: ReturnType<typeof policyOf>;
  readonly input?: SnapshotInput;
  readonly expected: string | undefined;
}

describe('decide: gated pods', () => {
  const STARTED = NOW - 600_000;
  const READY = NOW - 60_000;
  const driver = (input: Partial<SnapshotPod> = {}) =>
    driverPod('a', {
      createdMs: STARTED - 1000,
      readyChangedMs: READY,
      containers: [{ name: 'mofed-container', ready: true, restarts: 1, startedMs: STARTED }],
      ...input,
    });
  const gated = (input: Partial<SnapshotPod> = {}) =>
    pod('a', 'dp', {
      namespace: 'nno',
      labels: { app: 'rdma-shared-dp' },
      controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'rdma-shared-dp-ds', uid: 'u' },
      containers: [{ name: 'dp', ready: true, restarts: 0, startedMs: READY + 1000 }],
      ...input,
    });
  const ran = (startedMs: number) => ({ containers: [{ name: 'dp', ready: true, restarts: 0, startedMs }] });
  const mounting = {
    phase: 'Pending',
    createdMs: STARTED,
    containers: [{ name: 'dp', ready: false, restarts: 0, waitingReason: 'ContainerCreating' }],
  } as const;

  it.each([
    { name: 'younger than the driver', pod: gated(), expected: undefined },
    { name: 'older than the driver', pod: gated(ran(STARTED - 1)), expected: 'gated-pod-stale' },
    { name: 'started with the driver', pod: gated(ran(STARTED)), expected: undefined },
    {
      name: 'created before, started after: after a reboot',
      pod: gated({ createdMs: STARTED - 99_999_999 }),
      expected: undefined,
    },
    {
      name: 'older, but the driver is not ready',
      pod: gated(ran(STARTED - 1)),
      driver: driver({
        ready: false,
        containers: [{ name: 'mofed-container', ready: false, restarts: 1, startedMs: STARTED }],
      }),
      expected: undefined,
    },
    { name: 'older, and ending', pod: gated({ ...ran(STARTED - 1), deletionMs: NOW }), expected: undefined },
    {
      name: 'older, but no controller would replace it',
      pod: withoutController(gated(ran(STARTED - 1))),
      expected: undefined,
    },
    {
      name: 'older, in another namespace',
      pod: gated({ ...ran(STARTED - 1), namespace: 'apps' }),
      expected: undefined,
    },
    {
      name: 'older, on a node whose kubelet does not report',
      pod: gated(ran(STARTED - 1)),
      ready: 'Unknown' as const,
      expected: undefined,
    },
    { name: 'waiting for its mount', pod: gated(mounting), expected: 'gated-pod-stuck' },
    {
      name: 'waiting for its mount, the driver is ready for a moment only',
      pod: gated(mounting),
      driver: driver({ readyChangedMs: NOW - 14_999 }),
      expected: undefined,
      wakeMs: NOW + 1,
    },
    {
      name: 'waiting, but created after the driver was ready',
      pod: gated({ ...mounting, createdMs: READY }),
      expected: undefined,
    },
    {
      name: 'waiting for something else',
      pod: gated({
        ...mounting,
        containers: [{ name: 'dp', ready: false, restarts: 0, waitingReason: 'ImagePullBackOff' }],
      }),
      expected: undefined,
    },
    { name: 'waiting, with the other gate', pod: gated(mounting), policy: label, expected: undefined },
    { name: 'older, with the other gate', pod: gated(ran(STARTED - 1)), policy: label, expected: 'gated-pod-stale' },
  ])(
    '$name',
    ({ pod: one, policy = readyFile, driver: of = driver(), ready = 'True', expected, wakeMs }: GatedCase) => {
      const nodes = [node('a', { state: 'upgrade-done', ready, labels: { [OFED_GATE_LABEL]: 'false' } })];
      const decision = decide(snapshot({ nodes, pods: [of, one] }), policy, NOW);
      expect(decision.actions.flatMap((action) => (action.kind === 'deletePod' ? [action.reason] : []))).toEqual(
        expected === undefined ? [] : [expected],
      );
      expect(decision.wakeMs).toBe(wakeMs);
    },
  );

  it('are not the business of the drain', () => {
    const nodes = [
      node('a', { state: 'drain-required', unschedulable: true, annotations: { [keys.drainStart]: ago(10) } }),
    ];
    const bare = barePod('a', 'dp', { namespace: 'nno', labels: { app: 'rdma-shared-dp' } });
    const decision = decide(
      snapshot({ nodes, pods: [driver(), bare] }),
      policyOf({ drain: {} }, gateOf('ready-file')),
      NOW,
    );
    expect(patchesOf(decision)[0]?.steps[0]?.row).toBe('drained');
  });
});

interface GatedCase {
  readonly name: string;
  readonly pod: SnapshotPod;
  readonly driver?: SnapshotPod;
  readonly policy?: ReturnType<typeof policyOf>;
  readonly ready?: 'True' | 'Unknown';
  readonly expected: string | undefined;
  readonly wakeMs?: number;
}

describe('decide: retired DaemonSets', () => {
  const retired = daemonSet({ name: 'gone', digest: 'x', renderedDigest: 'x' });
  const both = [daemonSet(), retired];
  const marked = { state: 'upgrade-required', annotations: { [keys.requested]: 'true' } };
  const deletion = {
    kind: 'deleteDaemonSet',
    driver: 'ofed',
    namespace: 'nno',
    name: 'gone',
    uid: 'uid-gone',
    resourceVersion: '7',
  };
  const pods = [driverPod('a', { owner: 'gone' })];
  const skipped = { [keys.skip]: 'true' };

  it.each<{
    name: string;
    input: SnapshotInput;
    policy?: ReturnType<typeof policyOf>;
    deletes: boolean;
    rows?: readonly string[];
  }>([
    {
      name: 'marks its nodes first',
      input: { nodes: [node('a', { state: 'upgrade-done' })], pods },
      deletes: false,
      rows: ['retired'],
    },
    { name: 'is deleted after they are marked', input: { nodes: [node('a', marked)], pods }, deletes: true },
    {
      name: 'is deleted when a skipped node is marked',
      input: { nodes: [node('a', { ...marked, labels: skipped })], pods },
      deletes: true,
    },
    {
      name: 'waits for the node that is not marked',
      input: { nodes: [node('a', marked), node('b')], pods: [...pods, driverPod('b', { owner: 'gone' })] },
      deletes: false,
    },
    { name: 'is deleted at once without pods', input: { nodes: [] }, deletes: true },
    {
      name: 'is not deleted twice',
      input: { nodes: [], daemonSets: [daemonSet(), { ...retired, deletionMs: NOW }] },
      deletes: false,
    },
    {
      name: 'is kept until its successor is applied',
      input: { nodes: [node('a', marked)], pods, daemonSets: [daemonSet({ renderedDigest: 'old' }), retired] },
      deletes: false,
    },
    { name: 'is kept while paused', input: { nodes: [node('a', marked)], pods, paused: true }, deletes: false },
    {
      name: 'is kept without autoUpgrade',
      input: { nodes: [node('a', marked)], pods },
      policy: policyOf({ autoUpgrade: false }),
      deletes: false,
    },
    {
      name: 'of another driver is kept',
      input: { nodes: [], daemonSets: [daemonSet(), { ...retired, labels: {} }] },
      deletes: false,
    },
    {
      name: 'in another namespace is kept',
      input: { nodes: [], daemonSets: [daemonSet(), { ...retired, namespace: 'x' }] },
      deletes: false,
    },
  ])('$name', ({ input, policy = policyOf(), deletes, rows }) => {
    const decision = decide(snapshot({ daemonSets: both, ...input }), policy, NOW);
    expect(decision.actions.filter(({ kind }) => kind === 'deleteDaemonSet')).toEqual(deletes ? [deletion] : []);
    if (rows !== undefined) expect(patchesOf(decision)[0]?.steps.map(({ row }) => row)).toEqual(rows);
  });

  it('begins no node whose retired DaemonSet would create the old pod again', () => {
    const decision = decide(snapshot({ nodes: [node('a', marked)], pods, daemonSets: both }), policyOf(), NOW);
    expect(patchesOf(decision)).toEqual([]);
    expect(decision.waiting).toMatchObject([{ kind: 'daemon-set', node: 'a' }]);
  });

  const unbound = orphan('', { owner: 'gone', phase: 'Pending', ready: false, containers: [] });
  const leftOver = {
    kind: 'deletePod',
    driver: 'ofed',
    node: '',
    namespace: 'nno',
    name: unbound.name,
    uid: unbound.uid,
    reason: 'driver-leftover',
  };

  it.each<{ name: string; pod: SnapshotPod; policy?: UpgradePolicy; deletes: boolean }>([
    { name: 'an unbound pod that it left is deleted', pod: unbound, deletes: true },
    { name: 'also while paused', pod: unbound, policy: policyOf({}, {}, { paused: true }), deletes: true },
    {
      name: 'one that its DaemonSet would replace is kept',
      pod: driverPod('', { owner: 'gone', phase: 'Pending' }),
      deletes: false,
    },
    { name: 'a terminating one is not deleted again', pod: { ...unbound, deletionMs: NOW }, deletes: false },
    { name: 'one that a node has is taken node by node', pod: { ...unbound, nodeName: 'b' }, deletes: false },
    { name: 'one of another application is kept', pod: { ...unbound, labels: {} }, deletes: false },
    { name: 'one of another namespace is kept', pod: { ...unbound, namespace: 'x' }, deletes: false },
    { name: 'one is kept without autoUpgrade', pod: unbound, policy: policyOf({ autoUpgrade: false }), deletes: false },
  ])('$name', ({ pod: one, policy = policyOf(), deletes }) => {
    const decision = decide(snapshot({ nodes: [node('a'), node('b')], pods: [one] }), policy, NOW);
    expect(decision.actions.filter(({ kind }) => kind === 'deletePod')).toEqual(deletes ? [leftOver] : []);
  });

  it('is waited for while its pod is there beside one that it left', () => {
    const policies = [{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, daemonSets: [] }];
    const beside = orphan('a', { name: 'left', uid: 'uid-left' });
    const input = { nodes: [node('a', marked)], pods: [beside, ...pods], daemonSets: [retired] };
    const decision = decide(snapshot(input), policyOf({}, { uninstall: true, policies }), NOW);
    expect(patchesOf(decision)).toEqual([]);
    expect(decision.waiting).toMatchObject([{ kind: 'daemon-set', node: 'a' }]);
  });

  it('continues with the orphaned pod that it left', () => {
    const left = orphan('a', { owner: 'gone' });
    const decision = decide(snapshot({ nodes: [node('a', marked)], pods: [left] }), policyOf(), NOW);
    expect(patchesOf(decision)[0]?.steps.map(({ row }) => row)[0]).toBe('begin');
  });
});
