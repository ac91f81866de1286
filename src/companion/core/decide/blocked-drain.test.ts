import { describe, expect, it } from '@jest/globals';
import { cordoned } from '../../../../test/kit/decide-fleets.js';
import { oldDriverPod } from '../../../../test/kit/drains.js';
import { recorded } from '../../../../test/kit/records.js';
import {
  MAINTENANCE_ANNOTATION,
  readMaintenanceRecord,
  type MaintenanceRecord,
} from '../../../shared/contract/maintenance-record.js';
import { after, barePod, keys, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import type { SnapshotBudget, SnapshotNode, SnapshotPod } from '../../model/types.js';

const policy = policyOf({ drain: { timeoutSeconds: 300 } });
const since = { 'drain-required': NOW / 1000 - 400 };
const db = pod('a', 'db-0', { labels: { app: 'db' } });
const budget = (disruptionsAllowed: number, change: Partial<SnapshotBudget> = {}): SnapshotBudget => ({
  ...{ namespace: 'apps', name: 'db', selector: { matchLabels: { app: 'db' } }, disruptionsAllowed },
  ...change,
});

const blockedIn = (one: SnapshotNode | undefined) =>
  readMaintenanceRecord(one?.annotations[MAINTENANCE_ANNOTATION])?.blocked;

describe('a drain that is blocked', () => {
  const draining = (change: object = {}) =>
    node('a', { state: 'drain-required', ...cordoned, annotations: recorded({ cordon: '', since, ...change }) });
  const failed = (pods: readonly SnapshotPod[], change: object) => {
    const before = snapshot({ nodes: [draining(change)], pods: [oldDriverPod('a'), ...pods], budgets: [budget(0)] });
    return after(before, decide(before, policy, NOW)).nodes[0];
  };

  it('gives the node back, and its record has the pods that stayed for another reason than a budget', () => {
    const ending = pod('a', 'ending', { deletionMs: NOW });
    const left = failed([db, ending], {});
    expect(left).toMatchObject({ unschedulable: false, labels: { [keys.state]: 'upgrade-failed' } });
    expect(blockedIn(left)).toEqual({ retries: 0, pods: [ending.uid] });
  });

  it('counts on', () => {
    expect(blockedIn(failed([db], { blocked: { retries: 2, pods: [] } }))).toEqual({ retries: 2, pods: [] });
  });

  it.each([
    { name: 'stays cordoned', change: {}, rollout: { onDrainFailure: 'keep' as const } },
    { name: 'is uncordoned by another program', change: { lifted: 3 }, unschedulable: false },
  ])('does not begin again by itself where the node $name', ({ change, rollout = {}, unschedulable = true }) => {
    const nodes = [{ ...draining({ ...change, blocked: { retries: 1, pods: [] } }), unschedulable }];
    const before = snapshot({ nodes, pods: [oldDriverPod('a'), db], budgets: [budget(0)] });
    const left = after(before, decide(before, policyOf({ drain: { timeoutSeconds: 300 } }, {}, { rollout }), NOW))
      .nodes[0];
    expect(left?.labels[keys.state]).toBe('upgrade-failed');
    expect(blockedIn(left)).toBeUndefined();
  });
});

interface RetryCase {
  readonly name: string;
  readonly pods: readonly SnapshotPod[];
  readonly budgets?: readonly SnapshotBudget[];
  readonly blocked: MaintenanceRecord['blocked'];
  readonly isBegun: boolean;
}

const none = { retries: 0, pods: [] };

const cases: readonly RetryCase[] = [
  { name: 'its pods are gone', pods: [], blocked: none, isBegun: true },
  { name: 'its budget allows the eviction', pods: [db], budgets: [budget(1)], blocked: none, isBegun: true },
  {
    name: 'its budget allows none',
    pods: [{ ...db, ready: false }],
    budgets: [budget(0)],
    blocked: none,
    isBegun: false,
  },
  {
    name: 'its budget never allows one',
    pods: [db],
    budgets: [budget(0, { neverAllows: true })],
    blocked: none,
    isBegun: false,
  },
  { name: 'a pod may not be evicted', pods: [barePod('a', 'p')], blocked: none, isBegun: false },
  { name: 'a pod that stayed is there', pods: [db], blocked: { retries: 0, pods: [db.uid] }, isBegun: false },
  { name: 'a pod that stayed has left', pods: [db], blocked: { retries: 0, pods: ['before'] }, isBegun: true },
  { name: 'it was begun twice', pods: [], blocked: { retries: 2, pods: [] }, isBegun: true },
  { name: 'it was begun three times', pods: [], blocked: { retries: 3, pods: [] }, isBegun: false },
  { name: 'it failed for another reason', pods: [], blocked: undefined, isBegun: false },
];

it.each(cases)('a node that was given back, and $name', ({ pods, budgets = [], blocked, isBegun }) => {
  const annotations = recorded({ failure: 'draining took too long', blocked });
  const nodes = [node('a', { state: 'upgrade-failed', annotations })];
  const decision = decide(snapshot({ nodes, pods: [oldDriverPod('a'), ...pods], budgets }), policy, NOW);
  const rows = patchesOf(decision).flatMap(({ steps }) => steps.map(({ row }) => row));
  expect(rows.slice(0, 2)).toEqual(isBegun ? ['unblocked', 'begin'] : []);
  if (!isBegun || blocked === undefined) return;
  const [begun] = after(snapshot({ nodes, pods: [oldDriverPod('a'), ...pods], budgets }), decision).nodes;
  expect(blockedIn(begun)).toEqual({ retries: blocked.retries + 1, pods: [] });
});
