import { describe, expect, it } from '@jest/globals';
import { begun, cordoned, failed, fleet, waitsOf } from '../../../../test/kit/decide-fleets.js';
import { NOW, policyOf } from '../../../../test/kit/snapshots.js';
import type { UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import { decide } from '../../decide.js';

type RolloutInput = NonNullable<UpgradePolicyInput['rollout']>;
type PoolInput = Omit<NonNullable<RolloutInput['pools']>[number], 'name' | 'nodeSelector'>;

const OPEN = { schedule: '0 12 * * *', duration: '1h' };
const SHUT = { schedule: '0 22 * * *', duration: '1h' };
const labels = { pool: 'gb200' };
const inPool = { labels };

/** What the companion decides with a pool `gb200`, which has these limits. */
function decideFor(nodes: Parameters<typeof fleet>[0], pool: PoolInput, rollout: RolloutInput = {}) {
  const pools = [{ name: 'gb200', nodeSelector: labels, ...pool }];
  return decide(fleet(nodes), policyOf({ maxParallelUpgrades: 0 }, { rollout: { ...rollout, pools } }), NOW);
}

const messageFor = (decision: ReturnType<typeof decide>, node: string) =>
  decision.waiting.find((one) => one.node === node)?.message;

describe('decide: what an upgrade pool sets holds for its nodes, else what the cluster sets', () => {
  const nodes = { a: inPool, b: inPool, x: {}, y: {} };

  it.each([
    { name: 'the window of the pool is shut', pool: { maintenanceWindows: [SHUT] }, expected: ['x', 'y'] },
    {
      name: 'the window of the cluster is shut',
      ...{ pool: { maintenanceWindows: [OPEN] }, rollout: { maintenanceWindows: [SHUT] }, expected: ['a', 'b'] },
    },
    {
      name: 'the pool has no windows',
      ...{ pool: { maintenanceWindows: [] }, rollout: { maintenanceWindows: [SHUT] }, expected: ['a', 'b'] },
    },
    {
      name: 'the pool says nothing of windows',
      ...{ pool: {}, rollout: { maintenanceWindows: [SHUT] }, expected: [] },
    },
    { name: 'the pool has a canary', pool: { canary: { nodes: 1 } }, expected: ['a', 'x', 'y'] },
    { name: 'the cluster has one', pool: {}, rollout: { canary: { nodes: 1 } }, expected: ['a'] },
    {
      name: 'both have one',
      ...{ pool: { canary: { nodes: 1 } }, rollout: { canary: { nodes: 1 } }, expected: ['a', 'x'] },
    },
  ])('$name', ({ pool, rollout, expected }) => {
    expect(begun(decideFor(nodes, pool, rollout))).toEqual(expected);
  });

  it.each([
    {
      name: 'a failure in the pool stops the pool alone',
      ...{ nodes: { a: { ...failed, ...inPool }, b: inPool, x: {} }, pool: { failureBudget: 1 }, expected: ['x'] },
    },
    {
      name: 'a failure elsewhere does not stop the pool',
      ...{ nodes: { a: inPool, x: failed, y: {} }, pool: { failureBudget: 1 }, expected: ['a'] },
    },
    {
      name: 'a failure stops all where the pool says nothing',
      ...{ nodes: { a: { ...failed, ...inPool }, b: inPool, x: {} }, pool: {}, expected: [] },
    },
    {
      name: 'a percentage is that of the pool',
      nodes: { a: { ...failed, ...inPool }, b: inPool, c: inPool, d: inPool, ...{ u: {}, v: {}, w: {}, x: {} } },
      ...{ pool: { failureBudget: '50%' }, expected: ['b', 'c', 'd', 'u', 'v', 'w', 'x'] },
    },
  ])('$name', ({ nodes: own, pool, expected }) => {
    expect(begun(decideFor(own, pool))).toEqual(expected);
  });

  it('says which pool it is that waits', () => {
    const decision = decideFor(
      { a: { ...failed, ...inPool }, b: inPool, x: { ...failed, ...cordoned }, y: {} },
      { failureBudget: 1 },
    );
    expect(messageFor(decision, 'b')).toBe('1 failed (a) of at most 1 in upgrade pool gb200');
    expect(messageFor(decision, 'y')).toBe('1 failed (x) of at most 1 outside of upgrade pool gb200');
    expect(
      decision.findings.filter(({ kind }) => kind === 'failure-budget-spent').map(({ message }) => message),
    ).toEqual([
      'no node outside of upgrade pool gb200 begins: 1 failed (x) of at most 1',
      'no node in upgrade pool gb200 begins: 1 failed (a) of at most 1',
    ]);
    const shut = decideFor(nodes, { maintenanceWindows: [SHUT], canary: { nodes: 1 } });
    expect(waitsOf(shut)).toMatchObject({ a: 'window', b: 'window' });
    expect(messageFor(shut, 'a')).toBe(
      'the next maintenance window of upgrade pool gb200 opens at 2026-11-20T22:00:00Z',
    );
    const canary = decideFor(nodes, { canary: { nodes: 1 } });
    expect(messageFor(canary, 'b')).toBe('0 of 1 canaries of upgrade pool gb200 are done');
  });
});
