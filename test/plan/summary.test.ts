import { expect, it } from '@jest/globals';
import { desiredOf } from '../../src/forecast/plan/desired.js';
import { makePlan, planSteps } from '../../src/forecast/plan/plan.js';
import { headlines, planText } from '../../src/forecast/plan/render/text.js';
import { planTimeline } from '../../src/forecast/plan/render/timeline.js';
import type { UpgradePlan } from '../../src/forecast/plan/types.js';
import { changed, withHeldPods, withMetadata } from './changed.js';
import { AT, fleetOf, type Fleet } from './fleet.js';

const exactly = (seconds: number) => ({ from: seconds, to: seconds });

/** A plan in which every duration is known. */
function planOf({ objects, snapshot }: Fleet, runs = 1): UpgradePlan {
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  const durations = { driver: exactly(600), workload: exactly(5), termination: exactly(1) };
  return makePlan(desired, snapshot, { at: AT, durations, runs });
}

/** The first of its nodes has a pod that no drain may delete. */
const withBarePod = (fleet: Fleet): Fleet =>
  changed(fleet, 'Pod', /^app-0-pod-0$/, (pod) => withMetadata(pod, { ownerReferences: [] }));

it('a plan tells work from waiting', () => {
  const maintenanceWindows = [{ schedule: '0 22 * * *', duration: '2h' }];
  const plan = planOf(fleetOf({ nodes: 3, rollout: { maintenanceWindows, canary: { nodes: 1, soak: '30m' } } }));
  const { work, window, soak, other } = plan.time;
  expect(work + window + soak + other).toBe(plan.duration.half);
  // The window opens ten hours after the start.
  expect([Math.round(window / 3600), Math.round(soak / 60)]).toEqual([10, 30]);
  expect(headlines(plan)).toEqual([
    expect.stringMatching(
      /^2\dm of work in 10h5\dm; 10h waiting for a window, [23]\dm waiting for the soak of the canaries; from 2026-12-01 12:00Z to 2026-12-01 22:5\dZ$/,
    ),
    expect.stringContaining('3 nodes in 2 waves, '),
  ]);
});

it.each([
  [1, undefined],
  [2, /^half of 2 runs take at most 2\dm, the longest 2\dm$/],
])('%d runs are not nine of ten', (runs, says) => {
  const [first, second] = headlines(planOf(fleetOf({ nodes: 4 }), runs));
  expect(first).toMatch(/^takes 2\dm; from /);
  if (says === undefined) expect(second).toContain('4 nodes in 2 waves');
  else expect(second).toMatch(says);
});

it('nodes that never begin are not counted in waves, and a failure budget is spent', () => {
  const plan = planOf(withHeldPods(fleetOf({ nodes: 4, upgradePolicy: { maxParallelUpgrades: 1 } }), /^app-0-pod-0$/));
  expect(headlines(plan)).toContainEqual(expect.stringMatching(/^1 of 4 nodes begin in 1 wave, /));
  const text = planText(plan);
  expect(text).toContain('stuck: halt: the failure budget is spent: 1 failed (node-0000) of at most 1');
  expect(text).toContain('waits: the failure budget is spent: 1 failed');
});

it('a plan names what is behind a halt, and counts it apart', () => {
  const fleet = fleetOf({ nodes: 6, podsPerNode: 1, upgradePolicy: { maxParallelUpgrades: 1 } });
  const plan = planOf(withHeldPods(fleet, /^app-0-pod-[135]$/));
  const shown = plan.obstacles.map(({ kind, isNext = false, nodes }) => [kind, isNext, nodes.length]);
  expect(shown).toEqual([
    ['budget', false, 1],
    ['halt', false, 4],
    ['budget', true, 1],
    ['budget', true, 1],
  ]);
  const text = planText(plan);
  expect(text).toContain('5 nodes do not come through: 2 obstacles below, and 2 behind\n');
  expect(text).toContain(
    '  next, if the others were solved: budget: pod apps/app-0-pod-5, PodDisruptionBudget apps/of-app-0-pod-5: ',
  );
  // The page marks those that are in the way now.
  expect(planTimeline(plan, 'east').obstacles.map(({ isStuck }) => isStuck)).toEqual([true, true, false, false]);
});

it('a plan names what is behind a pause by hand', () => {
  const metadata = { name: 'weft-companion-status', annotations: { 'weft.dev/paused': 'true' } };
  const fleet = withBarePod(fleetOf({ nodes: 3 }));
  const items = [...fleet.snapshot.items, { apiVersion: 'v1', kind: 'ConfigMap', metadata }];
  const { obstacles } = planOf({ ...fleet, snapshot: { items } });
  expect(obstacles.map(({ kind, isNext = false }) => [kind, isNext])).toEqual([
    ['pause', false],
    ['no-controller', true],
  ]);
});

it('a plan whose nodes are all explained is not simulated again', () => {
  let steps = 0;
  const { objects, snapshot } = withBarePod(fleetOf({ nodes: 3, rollout: { failureBudget: 2 } }));
  const desired = desiredOf(objects);
  const runs = desired && planSteps(desired, snapshot, { at: AT, runs: 1, onRun: () => (steps = 0) });
  while (runs?.next().done === false) steps += 1;
  expect(steps).toBe(0);
});
