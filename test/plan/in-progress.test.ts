import { describe, expect, it } from '@jest/globals';
import { driverKeys } from '../../src/shared/contract/labels.js';
import { planText } from '../../src/forecast/plan/render/text.js';
import { planTimeline } from '../../src/forecast/plan/render/timeline.js';
import { changed, planOf, withMetadata, withSpec } from './changed.js';
import { fleetOf, type Fleet } from './fleet.js';

const { state } = driverKeys('ofed');

/** The fleet with some of its nodes in a state of the flow, cordoned. */
function inState(fleet: Fleet, name: RegExp, from: string): Fleet {
  return changed(fleet, 'Node', name, (node) =>
    withSpec(withMetadata(node, { labels: { nic: 'yes', [state]: from } }), { unschedulable: true }),
  );
}

describe('nodes that are in progress at the start of a plan', () => {
  it.each(['cordon-required', 'drain-required', 'pod-restart-required'])(
    'are listed, counted and begin then: %s',
    (from) => {
      const plan = planOf(inState(fleetOf({ nodes: 3 }), /-000[01]$/, from));
      expect([plan.nodes, plan.upgraded]).toEqual([3, 3]);
      const begun = plan.nodePlans.filter(({ beginsAt }) => beginsAt === plan.startsAt);
      expect(begun.map(({ node, outcome, wave, evicted }) => [node, outcome, wave, evicted.length])).toEqual([
        ['node-0000', 'upgraded', 1, 2],
        ['node-0001', 'upgraded', 1, 2],
      ]);
      expect(planText(plan)).toMatch(/node-0000 .* upgraded +in progress at the start +apps/);
      expect(planTimeline(plan, 'east').rows[0]?.reason).toBe('in progress at the start');
    },
  );

  it('are stuck where somebody must help them', () => {
    const plan = planOf(inState(fleetOf({ nodes: 2, budget: { maxUnavailable: 0 } }), /-0000$/, 'drain-required'));
    expect(plan.obstacles).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'budget' })]));
    expect(plan.nodePlans[0]).toMatchObject({ node: 'node-0000', outcome: 'failed', beginsAt: plan.startsAt });
  });

  it('go on at once where they end an earlier upgrade: they are out of service, and need no window', () => {
    const maintenanceWindows = [{ schedule: '0 22 * * *', duration: '1h' }];
    const fleet = fleetOf({ nodes: 2, rollout: { maintenanceWindows } });
    const plan = planOf(inState(fleet, /-0000$/, 'uncordon-required'));
    expect(plan.nodePlans[0]).toMatchObject({ node: 'node-0000', beginsAt: plan.startsAt, outcome: 'upgraded' });
    expect(plan.nodePlans[1]).toMatchObject({ beginsAt: '2026-12-01T22:00:00Z', after: { kind: 'window' } });
    expect(plan.obstacles).toEqual([]);
  });

  it('are not part of a window that is too short for the others', () => {
    const maintenanceWindows = [{ schedule: '0 22 * * *', duration: '2m' }];
    const fleet = fleetOf({ nodes: 4, rollout: { maintenanceWindows } });
    const { obstacles } = planOf(inState(fleet, /-0000$/, 'drain-required'));
    expect(obstacles).toMatchObject([{ kind: 'window', nodes: ['node-0003'] }]);
  });
});
