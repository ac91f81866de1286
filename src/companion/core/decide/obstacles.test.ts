import { expect, it } from '@jest/globals';
import { oldDriverPod } from '../../../../test/kit/drains.js';
import { recorded } from '../../../../test/kit/records.js';
import { barePod, node, NOW, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import type { SnapshotBudget, SnapshotPod } from '../../model/types.js';

const db = pod('a', 'db-0', { labels: { app: 'db' } });
const budget = (name: string, change: Partial<SnapshotBudget> = {}): SnapshotBudget => ({
  ...{ namespace: 'apps', name, selector: { matchLabels: { app: 'db' } }, disruptionsAllowed: 0 },
  ...change,
});
const ofVirtualMachine = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'vm', uid: 'vm' };

interface ObstacleCase {
  readonly name: string;
  readonly pods: readonly SnapshotPod[];
  readonly budgets?: readonly SnapshotBudget[];
  /** What the node waits for; undefined: it begins. */
  readonly expected: string | undefined;
}

const cases: readonly ObstacleCase[] = [
  { name: 'a pod without a controller', pods: [barePod('a', 'p')], expected: 'pods' },
  { name: 'a pod with emptyDir data', pods: [pod('a', 'p', { emptyDir: true })], expected: 'pods' },
  { name: 'one that is waited for', pods: [barePod('a', 'p', { labels: { job: 'x' } })], expected: undefined },
  { name: 'a budget that allows none now', pods: [db], budgets: [budget('one')], expected: 'budget' },
  {
    name: 'two budgets',
    pods: [db],
    budgets: [budget('one', { disruptionsAllowed: 1 }), budget('two', { disruptionsAllowed: 1 })],
    expected: 'budget',
  },
  {
    name: 'a budget that allows one',
    pods: [db],
    budgets: [budget('one', { disruptionsAllowed: 1 })],
    expected: undefined,
  },
  {
    name: 'a budget that never allows one',
    pods: [db],
    budgets: [budget('one', { neverAllows: true })],
    expected: 'pods',
  },
  {
    name: 'a budget that never allows one, of a pod that its operator moves',
    pods: [{ ...db, controller: { ...ofVirtualMachine, apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster' } }],
    budgets: [budget('one', { neverAllows: true })],
    expected: undefined,
  },
  {
    name: 'a virtual machine that migrates',
    pods: [{ ...db, controller: ofVirtualMachine }],
    budgets: [budget('one', { neverAllows: true })],
    expected: undefined,
  },
  { name: 'a pod that is not Ready', pods: [{ ...db, ready: false }], budgets: [budget('one')], expected: undefined },
  {
    name: 'a virtual machine',
    pods: [{ ...db, controller: ofVirtualMachine }],
    budgets: [budget('one')],
    expected: undefined,
  },
];

it.each([
  { name: 'is not known', exists: undefined, expected: 'cache-sync' },
  { name: 'cannot be looked up', exists: 'unknown', expected: 'cache-sync' },
  { name: 'is gone', exists: 'absent', expected: 'pods' },
  { name: 'is there', exists: 'present', expected: undefined },
] as const)('a pod whose DaemonSet $name, before its node is cordoned', ({ exists, expected }) => {
  const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'mofed', uid: 'any' };
  const nodes = [node('a', { state: 'upgrade-required', annotations: recorded({ due: ['ofed'] }) })];
  const pods = [oldDriverPod('a'), pod('a', 'p', { controller })];
  const foreignDaemonSets = new Map(exists === undefined ? [] : [['apps/mofed', exists]]);
  const seen = snapshot({ nodes, pods, foreignDaemonSets });
  const { actions, waiting, daemonSetLookups } = decide(seen, policyOf({ drain: {} }), NOW);
  const isBegun = actions.some((action) => action.kind === 'patchNode' && action.unschedulable === true);
  expect([isBegun, isBegun ? undefined : waiting[0]?.kind]).toEqual([expected === undefined, expected]);
  expect(daemonSetLookups).toEqual(expected === 'cache-sync' ? [{ namespace: 'apps', name: 'mofed' }] : []);
});

it.each(cases)('pods that could not leave a node now: $name', ({ pods, budgets = [], expected }) => {
  const nodes = [node('a', { state: 'upgrade-required', annotations: recorded({ due: ['ofed'] }) })];
  const policy = policyOf({ drain: {}, waitForCompletion: { podSelector: 'job=x' } });
  const { actions, waiting } = decide(snapshot({ nodes, pods: [oldDriverPod('a'), ...pods], budgets }), policy, NOW);
  const isBegun = actions.some((action) => action.kind === 'patchNode' && action.unschedulable === true);
  expect([isBegun, isBegun ? undefined : waiting[0]?.kind]).toEqual([expected === undefined, expected]);
});
