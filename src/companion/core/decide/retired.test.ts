import { describe, expect, it } from '@jest/globals';
import {
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  patchesOf,
  policyOf,
  orphan,
  snapshot,
  type SnapshotInput,
} from '../../../../test/kit/snapshots.js';
import { recorded } from '../../../../test/kit/records.js';
import { decide } from '../../decide.js';
import { runContinues } from '../../model/wait-kinds.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotDaemonSet, SnapshotPod } from '../../model/types.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';

describe('decide: retired DaemonSets', () => {
  const retired = daemonSet({ name: 'gone', digest: 'x', renderedDigest: 'x' });
  const both = [daemonSet(), retired];
  const marked = { state: 'upgrade-required', annotations: recorded({ due: ['ofed'] }) };
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
      name: 'is deleted, and its node is to be upgraded',
      input: { nodes: [node('a', { state: 'upgrade-done' })], pods },
      deletes: true,
      rows: ['due'],
    },
    {
      name: 'is deleted if its node is skipped',
      input: { nodes: [node('a', { state: 'upgrade-done', labels: skipped })], pods },
      deletes: true,
    },
    {
      name: 'is deleted if the maintenance operator has its node',
      input: { nodes: [node('a', { annotations: { [keys.requestorMode]: 'true' } })], pods },
      deletes: true,
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
});

describe('decide: a DaemonSet that the policy does not list', () => {
  type PolicyFacts = Pick<Snapshot, 'policyWrittenMs' | 'listedBefore'>;
  const rendered = daemonSet({
    name: 'other',
    uid: 'uid-other',
    digest: 'x',
    renderedDigest: 'x',
    createdMs: NOW - 1000,
  });
  const decideOn = (other: SnapshotDaemonSet, facts: PolicyFacts, state = 'upgrade-done') => {
    const pods = [driverPod('a'), driverPod('b', { owner: 'other' })];
    const nodes = [node('a', { state: 'upgrade-done' }), node('b', { state, unschedulable: state !== 'upgrade-done' })];
    return decide(snapshot({ nodes, pods, daemonSets: [daemonSet(), other], ...facts }), policyOf(), NOW);
  };

  const newer: PolicyFacts = { policyWrittenMs: NOW - 2000, listedBefore: new Set(['uid-of-another']) };

  it('is kept if it is newer than the policy, with a message for the user', () => {
    const { actions, findings, waiting } = decideOn(rendered, newer);
    expect([actions, waiting]).toEqual([[], []]);
    const message = expect.stringContaining('apply the policy that does, or delete it');
    expect(findings).toEqual([expect.objectContaining({ kind: 'daemon-set-unlisted', severity: 'warning', message })]);
  });

  it.each(['upgrade-required', 'pod-restart-required', 'validation-required'])(
    'and is newer than the policy keeps its node waiting in %s, and no run',
    (state) => {
      const { actions, waiting } = decideOn(rendered, newer, state);
      expect(actions.filter(({ kind }) => kind !== 'patchNode')).toEqual([]);
      expect(waiting).toMatchObject([{ node: 'b', kind: 'policy' }]);
      expect(runContinues('policy', 'job')).toBe(false);
    },
  );
});
