import { describe, expect, it } from '@jest/globals';
import { keys, node, NOW, policyOf } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import { fleet, begun, four, busy, failed } from '../../../../test/kit/decide-fleets.js';

describe('decide: budgets', () => {
  it('the pause by annotation counts like that of the policy', () => {
    expect(begun(decide(fleet(four, { paused: true }), policyOf(), NOW))).toEqual([]);
  });
});

describe('decide: many nodes together', () => {
  it('counts them as the metrics have them', () => {
    const observed = fleet({
      ...four,
      b: busy,
      c: { state: 'upgrade-done' },
      e: failed,
      f: { labels: { [keys.skip]: 'true' } },
    });
    const numbers = {
      ...{ autoUpgrade: true, total: 6, inProgress: 1, done: 1, failed: 1, available: 2, pending: 3, skipped: 1 },
    };
    expect(decide(observed, policyOf({ maxParallelUpgrades: 3 }), NOW).counts).toEqual([
      {
        driver: 'ofed',
        ...numbers,
        uncovered: 0,
        withoutSuccessor: 0,
        pools: [{ pool: 'NicClusterPolicy', ...numbers }],
      },
    ]);
  });

  it('names nodes with NICs that no DaemonSet covers', () => {
    const nic = { 'feature.node.kubernetes.io/pci-15b3.present': 'true' };
    const observed = fleet({ a: { labels: nic } });
    const others = [
      node('new-kernel', { labels: { nic: 'other', ...nic } }),
      node('no-nic', { labels: { nic: 'other' } }),
    ];
    const policy = policyOf();
    const decision = decide({ ...observed, nodes: [...observed.nodes, ...others] }, policy, NOW);
    expect(decision.counts.map(({ uncovered }) => uncovered)).toEqual([1]);
    const reason = 'DaemonSet mofed selects nic=yes, and the node has nic=other';
    const message = `1 node with NICs that no driver DaemonSet covers: new-kernel (${reason})`;
    expect(decision.findings).toContainEqual({ kind: 'node-uncovered', severity: 'warning', driver: 'ofed', message });
    // The DaemonSet that covers it may not be applied yet.
    const later = { ...observed, nodes: [...observed.nodes, ...others], daemonSets: [] };
    expect(decide(later, policy, NOW).counts.map(({ uncovered }) => uncovered)).toEqual([0]);
  });

  it('has findings for the administrator of the cluster', () => {
    const observed = fleet({
      a: failed,
      b: { state: 'x' },
      c: { state: 'upgrade-done', annotations: { [keys.requestorMode]: '' } },
    });
    const bare = { ...observed, nodes: [...observed.nodes, node('bare')] };
    const decision = decide(bare, policyOf({}, {}, { paused: true }), NOW);
    expect(decision.findings.map(({ kind }) => kind)).toEqual([
      'paused',
      'failure-budget-spent',
      'no-driver-pod',
      'node-failed',
      'unknown-state',
      'requestor-mode',
    ]);
  });
});
