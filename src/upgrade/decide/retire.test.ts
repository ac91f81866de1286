import { describe, expect, it } from '@jest/globals';
import { daemonSet, driverPod, keys, node, NOW, patchesOf, policyOf, snapshot } from '../../../test/kit/snapshots.js';
import { decide } from './decide.js';
import { KEEPS_RUNNING } from '../model/node-states.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Decision, SnapshotDaemonSet } from '../model/types.js';

describe('decide: a retired DaemonSet with a pod on a node of the maintenance operator', () => {
  const gone = daemonSet({ name: 'gone', digest: 'x', renderedDigest: 'x' });
  const decideOn = (annotations: Readonly<Record<string, string>>) => {
    const nodes = [node('a', { state: 'upgrade-done', annotations: { [keys.requestorMode]: 'true', ...annotations } })];
    return decide(
      snapshot({ nodes, pods: [driverPod('a', { owner: 'gone' })], daemonSets: [daemonSet(), gone] }),
      policyOf(),
      NOW,
    );
  };

  it('asks for the upgrade of the node first, and then lets the DaemonSet go', () => {
    expect(patchesOf(decideOn({})).map(({ annotations }) => annotations)).toEqual([{ [keys.requested]: 'true' }]);
    expect(decideOn({}).actions.map(({ kind }) => kind)).not.toContain('deleteDaemonSet');
    expect(decideOn({ [keys.requested]: 'true' }).actions.map(({ kind }) => kind)).toEqual(['deleteDaemonSet']);
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
  const fields = Object.entries(rendered).filter(([key]) => key !== 'renderedDigest');
  const ofOperator = Object.fromEntries(fields) as unknown as SnapshotDaemonSet;
  const decideOn = (other: SnapshotDaemonSet, facts: PolicyFacts, state = 'upgrade-done') => {
    const pods = [driverPod('a'), driverPod('b', { owner: 'other' })];
    const nodes = [node('a', { state: 'upgrade-done' }), node('b', { state, unschedulable: state !== 'upgrade-done' })];
    return decide(snapshot({ nodes, pods, daemonSets: [daemonSet(), other], ...facts }), policyOf(), NOW);
  };
  const marked = (decision: Decision) => patchesOf(decision).map(({ node: name }) => name);

  it.each<{ readonly name: string; readonly other: SnapshotDaemonSet; readonly facts: PolicyFacts }>([
    { name: 'is older than the policy', other: rendered, facts: { policyWrittenMs: NOW } },
    { name: 'is as old as the policy', other: rendered, facts: { policyWrittenMs: NOW - 1000 } },
    { name: 'was listed before', other: rendered, facts: { policyWrittenMs: 0, listedBefore: new Set(['uid-other']) } },
    { name: "is the operator's", other: ofOperator, facts: { policyWrittenMs: 0 } },
    { name: 'and the age of the policy is not known', other: rendered, facts: {} },
  ])('is retired when it $name', ({ other, facts }) => {
    const decision = decideOn(other, facts);
    expect(marked(decision)).toEqual(['b']);
    expect(decision.findings.map(({ kind }) => kind)).toContain('daemon-set-retired');
  });

  const newer: PolicyFacts = { policyWrittenMs: NOW - 2000, listedBefore: new Set(['uid-of-another']) };

  it('is kept if it is newer than the policy, with a message for the user', () => {
    const { actions, findings, waiting } = decideOn(rendered, newer);
    expect([actions, waiting]).toEqual([[], []]);
    const message = expect.stringContaining('apply the policy that does, or delete it');
    expect(findings).toEqual([expect.objectContaining({ kind: 'daemon-set-kept', severity: 'warning', message })]);
  });

  it.each(['upgrade-required', 'pod-restart-required', 'validation-required'])(
    'and is newer than the policy keeps its node waiting in %s, and no run',
    (state) => {
      const { actions, waiting } = decideOn(rendered, newer, state);
      expect(actions.filter(({ kind }) => kind !== 'patchNode')).toEqual([]);
      expect(waiting).toMatchObject([{ node: 'b', kind: 'policy' }]);
      expect(KEEPS_RUNNING.policy).toBe(false);
    },
  );
});
