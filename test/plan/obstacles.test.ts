import { describe, expect, it } from '@jest/globals';
import { driverKeys } from '../../src/shared/contract/labels.js';
import { upgradePolicySchema } from '../../src/shared/contract/upgrade-policy.js';
import { NOT_SIMULATED } from '../../src/forecast/plan/notes.js';
import { desiredOf } from '../../src/forecast/plan/desired.js';
import { makePlan } from '../../src/forecast/plan/plan.js';
import type { Obstacle, UpgradePlan } from '../../src/forecast/plan/types.js';
import { sriovDriver, weftGpu } from '../kit/shared-nodes.js';
import { changed, planOf, withMetadata, withSpec, type Item } from './changed.js';
import { AT, fleetOf, podOf, type Fleet } from './fleet.js';

const withPod = ({ objects, snapshot }: Fleet, pod: Item): Fleet => ({
  objects,
  snapshot: { items: [...snapshot.items, pod] },
});

function withoutOwner(pod: Item): Item {
  const metadata = { ...(pod['metadata'] as Item), uid: 'uid-bare', name: 'bare', labels: {}, ownerReferences: [] };
  return { ...pod, metadata };
}

function found(plan: UpgradePlan, kind: Obstacle['kind']): Obstacle | undefined {
  return plan.obstacles.find((one) => one.kind === kind);
}

describe('a plan names what is in the way', () => {
  it('nothing: every node comes through', () => {
    const plan = planOf(fleetOf({ nodes: 6 }));
    expect(plan.obstacles).toEqual([]);
    expect([plan.nodes, plan.upgraded]).toEqual([6, 6]);
  });

  it('a budget that allows nothing', () => {
    const plan = planOf(fleetOf({ nodes: 3, budget: { maxUnavailable: 0 } }));
    expect(found(plan, 'budget')).toMatchObject({ isStuck: true, budget: 'apps/app-0' });
    expect(plan.upgraded).toBe(0);
  });

  it('a budget that allows one at a time is not in the way', () => {
    const plan = planOf(fleetOf({ nodes: 3, budget: { maxUnavailable: 1 } }));
    expect([plan.upgraded, plan.obstacles]).toEqual([3, []]);
  });

  it('a pod without a controller', () => {
    const plan = planOf(withPod(fleetOf({ nodes: 3 }), withoutOwner(podOf('app-0', 99, 'node-0001'))));
    expect(found(plan, 'no-controller')).toMatchObject({ isStuck: true, pod: 'apps/bare', nodes: ['node-0001'] });
  });

  it('no room: an evicted pod fits no other node', () => {
    const plan = planOf(
      changed(fleetOf({ nodes: 3 }), 'Pod', /^app-0-/, (pod) => withSpec(pod, { nodeSelector: { disk: 'none' } })),
    );
    expect(found(plan, 'unschedulable-pods')).toMatchObject({ pod: 'apps/app-0' });
    expect(found(plan, 'unschedulable-pods')?.message).toContain('its node selector or affinity does not allow');
  });

  it('a node that is unreachable', () => {
    const plan = planOf(
      changed(fleetOf({ nodes: 3 }), 'Node', /-0002$/, (node) => ({
        ...node,
        status: { conditions: [{ type: 'Ready', status: 'Unknown' }], allocatable: { cpu: '64', pods: '20' } },
      })),
    );
    expect(found(plan, 'unreachable')).toMatchObject({ isStuck: true, nodes: ['node-0002'] });
    expect(plan.upgraded).toBe(2);
  });

  it.each(['true', ''])('a pause by hand: weft.dev/paused=%j', (paused) => {
    const metadata = { name: 'weft-companion-status', annotations: { 'weft.dev/paused': paused } };
    const plan = planOf(withPod(fleetOf({ nodes: 3 }), { apiVersion: 'v1', kind: 'ConfigMap', metadata }));
    expect([plan.nodes, plan.upgraded]).toEqual([3, 0]);
    const nodes = ['node-0000', 'node-0001', 'node-0002'];
    const message = 'the companion is paused by hand: no node begins until `weft upgrade resume`';
    expect(plan.obstacles).toEqual([{ kind: 'pause', isStuck: true, nodes, message, help: '`weft upgrade resume`' }]);
  });

  it.each([
    {
      until: '2100-01-01T00:00:00Z',
      upgraded: 3,
      message: /^maintenance windows are ignored until 2100-01-01T00:00:00Z/,
    },
    { until: 'soon', upgraded: 0, message: /^maintenance windows hold: .* is "soon"/ },
  ])('windows are ignored until $until', ({ until, upgraded, message }) => {
    const maintenanceWindows = [{ schedule: '0 3 1 7 *', duration: '1m' }];
    const metadata = { name: 'weft-companion-status', annotations: { 'weft.dev/ignore-windows-until': until } };
    const fleet = fleetOf({ nodes: 3, rollout: { maintenanceWindows } });
    const plan = planOf(withPod(fleet, { apiVersion: 'v1', kind: 'ConfigMap', metadata }));
    expect(plan.upgraded).toBe(upgraded);
    const said = plan.obstacles.filter(({ kind }) => kind === 'window').map((one) => one.message);
    expect(said).toContainEqual(expect.stringMatching(message));
  });

  it('a finalizer is not in the way: its pod has ended', () => {
    const plan = planOf(
      changed(fleetOf({ nodes: 3 }), 'Pod', /^app-0-pod-0$/, (pod) =>
        withMetadata(pod, { finalizers: ['example.com/hold'] }),
      ),
    );
    expect([plan.upgraded, plan.obstacles]).toEqual([3, []]);
  });

  it('another driver that its operator upgrades there, which a plan does not simulate', () => {
    const labels = { nic: 'yes', [driverKeys('gpu').state]: 'pod-restart-required' };
    const plan = planOf(changed(fleetOf({ nodes: 3 }), 'Node', /-0001$/, (node) => withMetadata(node, { labels })));
    const message = 'the gpu driver is being upgraded there by its operator';
    expect(plan.obstacles).toMatchObject([{ kind: 'foreign-driver', isStuck: true, nodes: ['node-0001'], message }]);
    expect(plan.obstacles[0]?.help).toContain('plan again when the upgrade of the driver that is named has ended');
    expect([plan.nodes, plan.upgraded]).toEqual([3, 2]);
  });

  it('a window that is too short', () => {
    const maintenanceWindows = [{ schedule: '0 22 * * *', duration: '10m' }];
    const plan = planOf(fleetOf({ nodes: 8, rollout: { maintenanceWindows } }));
    const obstacle = found(plan, 'window');
    expect(obstacle).toMatchObject({ isStuck: false });
    expect(obstacle?.message).toContain('`0 22 * * *` (10m) closes at 2026-12-01T22:10Z');
    expect(plan.upgraded).toBe(8);
    expect(plan.nodePlans[0]).toMatchObject({ after: { kind: 'window' } });
  });

  it('windows in which so few nodes begin that the last ones are further away than a plan looks', () => {
    const maintenanceWindows = [{ schedule: '0 22 1 * *', duration: '2m' }];
    const plan = planOf(fleetOf({ nodes: 10, rollout: { maintenanceWindows } }));
    const later = plan.nodePlans.filter(({ outcome }) => outcome !== 'upgraded').map(({ node }) => node);
    expect(later).not.toEqual([]);
    expect(found(plan, 'horizon')).toMatchObject({ isStuck: true, nodes: later });
    const begun = plan.nodePlans.filter(({ beginsAt }) => beginsAt?.startsWith('2026-12-01')).map(({ node }) => node);
    expect([...begun, ...(found(plan, 'window')?.nodes ?? [])].sort()).toEqual(
      plan.nodePlans.map(({ node }) => node).sort(),
    );
    expect(plan.obstacles).toHaveLength(2);
  });
});

describe('a plan', () => {
  it('is the same for the same seed, and has the budget of the policy', () => {
    const fleet = fleetOf({ nodes: 8, podsPerNode: 4 });
    const plan = planOf(fleet, 2);
    expect(JSON.stringify(planOf(fleet, 2))).toBe(JSON.stringify(plan));
    expect(plan.waves).toBe(4);
    // Four waves of two nodes, each with a driver that takes four to five minutes.
    expect(plan.duration.half).toBeGreaterThan(4 * 240);
    expect(plan.duration.nineOfTen).toBeLessThan(4 * 400);
  });

  it('says which durations were measured', () => {
    const { objects, snapshot } = fleetOf({ nodes: 4 });
    const desired = desiredOf(objects);
    const plan = desired && makePlan(desired, snapshot, { at: AT, runs: 1 });
    const driver = plan?.durations.find(({ name }) => name === 'driver');
    expect(driver).toMatchObject({ from: 240, to: 240 });
    expect(driver?.source).toContain('4 pods of this cluster');
  });

  it.each([weftGpu(), sriovDriver()])(
    'is of the other drivers where the snapshot does not say what $restartedBy does, and says so',
    (other) => {
      const { objects, snapshot } = fleetOf({ nodes: 2 });
      const desired = desiredOf(objects);
      if (desired === undefined) throw new Error('the fleet has no policy');
      const policy = upgradePolicySchema.parse({
        ...desired.policy,
        drivers: [...desired.policy.drivers, other],
        sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' },
      });
      const plan = makePlan({ ...desired, policy }, snapshot, { at: AT, runs: 1 });
      expect(plan.nodePlans.map(({ driver, outcome }) => `${driver} ${outcome}`)).toEqual([
        'ofed upgraded',
        'ofed upgraded',
      ]);
      const missing = other.kind === 'gpu-operator' ? 'gpu-operator' : 'sriov';
      expect(plan.notes.filter((note) => note !== NOT_SIMULATED.pause)).toEqual([NOT_SIMULATED[missing]]);
    },
  );

  it('says which pods have more requirements than are read', () => {
    const topologySpreadConstraints = Array.from({ length: 1_000 }, (_, at) => ({
      ...{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
      labelSelector: { matchLabels: { x: String(at) } },
    }));
    const fleet = changed(fleetOf({ nodes: 3 }), 'Pod', /^app-0-/, (pod) =>
      withSpec(pod, { topologySpreadConstraints }),
    );
    const plan = planOf(fleet);
    expect([plan.upgraded, plan.notes[0]]).toEqual([3, `6 pods: ${NOT_SIMULATED.requirements}`]);
  });

  it('goes canary first, and waits for the soak', () => {
    const plan = planOf(fleetOf({ nodes: 4, rollout: { canary: { nodes: 1, soak: '30m' } } }));
    const [canary, next] = plan.nodePlans;
    const soakedMs = Date.parse(canary?.endsAt ?? '') + 30 * 60_000;
    expect(next?.after.kind).toBe('soak');
    expect(Date.parse(next?.beginsAt ?? '')).toBeGreaterThanOrEqual(soakedMs);
  });
});
