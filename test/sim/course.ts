import { driverKeys } from '../../src/contract/labels.js';
import type { Decision } from '../../src/upgrade/model/types.js';
import { applyGit, buildWorld, markDone, STORM_START_MS } from './build.js';
import { setSilent } from '../kit/cluster/kubelet.js';
import type { World } from '../kit/cluster/world.js';
import { changeGit, happen, type Stage } from './happen.js';
import { watchInvariants, type Invariants } from './invariants.js';
import { Violation } from './rules.js';
import { checkCalm, checkRepaired } from './liveness.js';
import { STORM_MS, type Git, type Scenario } from './scenario.js';

/** Drains that time out on six nodes one after the other, inside windows that are open a third of the time. */
const CALM_MS = 4 * 3_600_000;
const STORM_END_MS = STORM_START_MS + STORM_MS;
export const END_MS = STORM_END_MS + 2 * CALM_MS;

/** The cluster of a scenario, and the invariants that are checked on it. */
export function openStage(scenario: Scenario): { readonly world: World; readonly invariants: Invariants } {
  const world = buildWorld(scenario);
  if (scenario.seed % 2 === 0) scenario.git.drivers.forEach(({ prefix }) => markDone(world, prefix));
  return { world, invariants: watchInvariants(world) };
}

/** What a run broke: a rule, or the rule that nothing throws. */
export function violationOf(error: unknown): { readonly rule: string; readonly fact: string } {
  if (error instanceof Violation) return { rule: error.rule, fact: error.fact };
  return { rule: 'no exception', fact: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

const NEW_WORK: readonly string[] = ['rollout', 'rename', 'uninstall', 'reinstall', 'lose-revisions'];

/** Puts a run's course into the queue of events: a storm, a calm, a repair; each must leave what it has to. */
export function scheduleCourse(
  stage: Stage,
  scenario: Scenario,
  invariants: Invariants,
  latest: () => Decision | undefined,
): void {
  const { world } = stage;
  for (const incident of scenario.incidents) {
    world.events.at(STORM_START_MS + incident.atMs, () => {
      if (NEW_WORK.includes(incident.kind)) invariants.forgetBegun();
      happen(stage, incident);
    });
  }
  world.events.at(STORM_END_MS, () => {
    invariants.forgetBegun();
    calm(stage);
  });
  world.events.at(STORM_END_MS + CALM_MS, () => {
    checkCalm(world, stage.git, latest(), invariants);
    repair(stage, invariants);
  });
  world.events.at(END_MS, () => checkRepaired(world, stage.git, latest()));
}

/** The storm is over: nothing is broken, paused or in the way any more. */
function calm(stage: Stage): void {
  const { world } = stage;
  world.note('! the storm is over');
  world.stormy = false;
  world.brokenDigests.clear();
  for (const name of [...world.silentNodes]) setSilent(world, name, false);
  for (const [key, budget] of [...world.store.budgets.entries()]) {
    if (budget.name.endsWith('-second')) world.store.budgets.remove(key, 'admin');
    else world.store.budgets.put(key, { ...budget, minAvailable: 0 }, 'admin');
  }
  for (const workload of world.workloads) workload.replicas = Math.min(workload.replicas, 1);
  happen(stage, { kind: 'pause-by-hand', on: false, atMs: 0 });
  const drivers = stage.git.drivers.map((driver) => ({ ...driver, autoUpgrade: true }));
  changeGit(stage, 1000, { paused: false, drivers });
  world.events.after(10_000, () => applyGit(world, stage.git));
}

/** An administrator repairs the cluster: failed nodes are tried again, under a policy that allows them to succeed. */
function repair(stage: Stage, invariants: Invariants): void {
  const { world } = stage;
  world.note('! an admin repairs');
  const drain = { enable: true, force: true, timeoutSeconds: 300 };
  const git: Git = {
    paused: false,
    drivers: stage.git.drivers.map((driver) => ({ ...driver, drain, deleteEmptyDir: true, drainPodSelector: '' })),
  };
  changeGit(stage, 0, git);
  world.events.after(60_000, () => {
    for (const { prefix } of git.drivers) requestForOrphans(world, prefix);
    retryFailed(world, git, invariants);
  });
}

/** A driver pod that lost its DaemonSet is replaced when an administrator requests an upgrade. */
function requestForOrphans(world: World, prefix: string): void {
  for (const pod of [...world.store.pods.values()]) {
    const node = world.store.nodes.get(pod.nodeName);
    if (node === undefined || pod.controller !== undefined || !(`nvidia.com/${prefix}-driver` in pod.labels)) continue;
    const annotations = { ...node.annotations, [driverKeys(prefix).requested]: 'true' };
    world.store.nodes.put(node.name, { ...node, annotations }, 'admin');
  }
}

function retryFailed(world: World, git: Git, invariants: Invariants): void {
  for (const [name, node] of [...world.store.nodes.entries()]) {
    const keys = git.drivers.map(({ prefix }) => driverKeys(prefix));
    const labels = Object.fromEntries(
      Object.entries(node.labels)
        .filter(([key]) => !keys.some(({ skip }) => skip === key))
        .map(([key, value]) => {
          const failed = value === 'upgrade-failed' && keys.some(({ state }) => state === key);
          return [key, failed ? 'upgrade-required' : value];
        }),
    );
    // A cordon that the flow found stays until its admin lifts it, which he does now.
    const busy = keys.some(({ state }) => !['', 'upgrade-done'].includes(node.labels[state] ?? ''));
    const unschedulable = node.unschedulable && busy && invariants.cordonOwner(name) === 'ours';
    world.store.nodes.put(name, { ...node, labels, unschedulable }, 'admin');
  }
}
