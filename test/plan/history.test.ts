import { expect, it } from '@jest/globals';
import { planUpgrade } from '../../src/forecast/plan/plan-upgrade.js';
import { timelinePage } from '../../src/forecast/page/page.js';
import { planTimeline } from '../../src/forecast/plan/render/timeline.js';
import { AT, fleetOf } from './fleet.js';

const rollout = {
  pools: [{ name: 'first', nodeSelector: { rack: 'rack-0' } }],
  canary: { nodes: 1, soak: '30m' },
  topologyKey: 'rack',
  maintenanceWindows: [{ schedule: '0 13 * * *', duration: '1h' }],
};

it('a plan has what happens to each node, where it belongs, windows and soaks', () => {
  const { objects, snapshot } = fleetOf({ nodes: 4, rollout });
  const plan = planUpgrade(objects, snapshot, { at: AT, runs: 1, durations: { driver: { from: 300, to: 300 } } });
  const [canary] = plan.nodePlans;
  expect(canary).toMatchObject({ outcome: 'upgraded', wave: 1, beginsAt: '2026-12-01T13:00:00Z' });
  expect(canary?.history.map(({ state }) => state)).toEqual(expect.arrayContaining(['drain-required', 'upgrade-done']));
  expect(canary?.history.filter(({ message }) => message.startsWith('pod evicted: apps/'))).toHaveLength(2);
  expect(canary?.history.at(-1)).toMatchObject({ at: canary?.endsAt, state: 'upgrade-done' });
  const places = plan.nodePlans.map(({ node, pool, topologyDomain }) => [node, pool, topologyDomain]);
  expect(places.sort()).toEqual([
    ['node-0000', 'first', 'rack-0'],
    ['node-0001', 'NicClusterPolicy', 'rack-1'],
    ['node-0002', 'NicClusterPolicy', 'rack-2'],
    ['node-0003', 'NicClusterPolicy', 'rack-3'],
  ]);
  expect(plan.windows[0]).toEqual({ from: '2026-12-01T13:00:00Z', to: '2026-12-01T14:00:00Z' });
  const [soak] = plan.soaks;
  expect(Date.parse(soak?.to ?? '') - Date.parse(canary?.endsAt ?? '')).toBe(1_800_000);
  expect([plan.soaks.length, plan.nodesAtOnce]).toEqual([1, 2]);
});

it('a plan counts the pods that find no node, and ends with none where there is room again', () => {
  const { objects, snapshot } = fleetOf({ nodes: 2, places: 3 });
  const { podsWithoutNode } = planUpgrade(objects, snapshot, { at: AT, runs: 1 });
  expect(Math.max(...podsWithoutNode.map(({ pods }) => pods))).toBeGreaterThan(0);
  expect(podsWithoutNode.at(-1)?.pods).toBe(0);
});

it('a node of 20 pods with names of a Deployment takes less than 2 KB of the page', () => {
  const length = (nodes: number): number => {
    const { objects, snapshot } = fleetOf({ nodes, podsPerNode: 20, upgradePolicy: { maxParallelUpgrades: 4 } });
    const named = JSON.parse(
      JSON.stringify(snapshot).replace(/(app-\d+)-pod-/g, '$1-7d9c6f5b8-x2kq'),
    ) as typeof snapshot;
    return timelinePage(planTimeline(planUpgrade(objects, named, { at: AT, runs: 1 }), 'east')).length;
  };
  expect((length(16) - length(4)) / 12).toBeLessThan(2048);
});

it('the page says which limit held how many nodes', () => {
  const { objects, snapshot } = fleetOf({ nodes: 4, upgradePolicy: { maxParallelUpgrades: 1 } });
  const { notes } = planTimeline(planUpgrade(objects, snapshot, { at: AT, runs: 1 }), 'east');
  expect(notes.find(({ heading }) => heading === 'What nodes waited for last')?.lines).toEqual([
    '3 nodes (slot: 1 node of policy NicClusterPolicy is in progress, at most 1 may be)',
  ]);
});
