import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { Decision } from '../../../src/companion/model/types.js';
import { applyGit, buildCluster, markDone, FAULTS_START_MS } from './build.js';
import { setUnreachable } from '../../../src/forecast/simulation/kubelet.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { changeGit, applyIncident } from './apply-incident.js';
import type { Simulation } from '../simulation.js';
import { endTroubles } from './apply-trouble.js';
import { CLOSED } from '../scenario/troubles.js';
import { watchInvariants, type Invariants } from '../rules/invariants.js';
import { Violation } from '../rules/rules.js';
import { watchSriov } from '../rules/sriov.js';
import { watchGpuOperator } from '../rules/gpu-operator.js';
import { watchMaintenance } from '../rules/maintenance-operator.js';
import { checkAfterFaults, checkLength, checkRepaired } from '../rules/liveness.js';
import { prefixesOf, type Git } from '../scenario/git.js';
import { FAULTS_MS, type Scenario } from '../scenario/scenario.js';

/** Time for drains of six nodes that time out one after the other, in windows that are open a third of the time. */
const FAULTLESS_MS = 4 * 3_600_000;
/**
 * Longer than each time-out, window and soak that is drawn: a cluster without a change for so long stays as it is. The longest wait is
 * the hour for a pod without a node, and takes two by a clock that was set back by an hour.
 */
const QUIET_MS = 150 * 60_000;
const FAULTS_END_MS = FAULTS_START_MS + FAULTS_MS;
/** When a run is over at the latest. */
export const LATEST_END_MS = FAULTS_END_MS + 2 * FAULTLESS_MS;

/** How often the CronJob starts a run, if none is under way. */
export const CRON_EVERY_MS = 600_000;

/** The state of a node, and since when it has it. */
export interface NodeEnd {
  readonly state: string;
  /** From the first fault on. */
  readonly atMs: number;
}

/** The cluster of a scenario, the invariants that are checked on it, and the states of its nodes before the repair. */
export function prepare(scenario: Scenario): {
  readonly cluster: SimulatedCluster;
  readonly invariants: Invariants;
  readonly ends: ReadonlyMap<string, NodeEnd>;
} {
  const cluster = buildCluster(scenario);
  if (scenario.seed % 2 === 0) for (const prefix of prefixesOf(scenario.git)) markDone(cluster, prefix);
  return { cluster, invariants: watchInvariants(cluster), ends: watchEnds(cluster, scenario) };
}

function watchEnds(cluster: SimulatedCluster, { git }: Scenario): ReadonlyMap<string, NodeEnd> {
  const { state } = driverKeys(git.drivers[0]?.prefix ?? 'ofed');
  const ends = new Map<string, NodeEnd>();
  cluster.store.nodes.listen((name, before, after) => {
    const to = after?.labels[state] ?? '';
    if (before?.labels[state] === to) return;
    ends.set(name, { state: to, atMs: cluster.events.now() - FAULTS_START_MS });
  });
  return ends;
}

/** The violation of a run. An unexpected error counts as one. */
export function violationOf(error: unknown): { readonly rule: string; readonly fact: string } {
  if (error instanceof Violation) return { rule: error.rule, fact: error.fact };
  return { rule: 'no exception', fact: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

const NEW_WORK: readonly string[] = [
  'rollout',
  'rename',
  'uninstall',
  'uninstall-group',
  'reinstall',
  'lose-revisions',
  // A driver whose section comes back is begun anew.
  'section',
  // A failed node is tried again for all that is due on it.
  'sriov-change',
];

/**
 * Schedules the incidents of a run. A phase with faults, one without and a repair follow each other; rules are checked after each. A
 * run with a stuck node is over before the repair.
 */
export function scheduleIncidents(
  simulation: Simulation,
  scenario: Scenario,
  invariants: Invariants,
  latest: () => Decision | undefined,
): void {
  const { cluster } = simulation;
  for (const incident of scenario.incidents) {
    cluster.events.at(FAULTS_START_MS + incident.atMs, () => {
      if (NEW_WORK.includes(incident.kind)) invariants.clearBegun();
      applyIncident(simulation, incident);
    });
  }
  cluster.events.at(FAULTS_END_MS, () => {
    invariants.clearBegun();
    endFaults(simulation, scenario.stuck?.node);
  });
  const checkGpuOperator = watchGpuOperator(simulation, scenario, invariants);
  const sriovChecks = watchSriov(simulation, scenario, invariants);
  const checkMaintenance = watchMaintenance(simulation, scenario);
  const quiet = watchQuiet(cluster);
  const progress = watchProgress(cluster, scenario);
  whenQuiet(cluster, quiet, FAULTS_END_MS, () => {
    if (scenario.stuck !== undefined) return void (simulation.isOver = true);
    const { lastStepMs, withoutNodeMs } = progress;
    checkLength(simulation, lastStepMs - FAULTS_END_MS, { withoutNodeMs, clockBehindMs: clockBehindMs(scenario) });
    checkAfterFaults(simulation, latest(), invariants);
    checkGpuOperator();
    sriovChecks.afterFaults(latest());
    checkMaintenance();
    repair(simulation, invariants);
    whenQuiet(cluster, quiet, cluster.events.now(), () => {
      checkRepaired(cluster, simulation.git, latest());
      checkGpuOperator();
      sriovChecks.repaired(latest());
      checkMaintenance();
      simulation.isOver = true;
    });
  });
}

/** When the companion last wrote a state, and the longest time that a pod of a workload had no node before that. */
function watchProgress({ store, events }: SimulatedCluster, { git }: Scenario) {
  const keys = prefixesOf(git).map((prefix) => driverKeys(prefix).state);
  const progress = { lastStepMs: 0, withoutNodeMs: 0 };
  store.nodes.listen((_name, before, after, actor) => {
    const isStep = keys.some((key) => before?.labels[key] !== after?.labels[key]);
    if (actor !== 'ours' || !isStep) return;
    progress.lastStepMs = events.now();
    const waiting = [...store.pods.values()].filter((pod) => pod.unschedulable && pod.lifecycle.owner !== undefined);
    progress.withoutNodeMs = Math.max(
      progress.withoutNodeMs,
      ...waiting.map(({ createdMs }) => events.now() - Math.max(createdMs, FAULTS_END_MS)),
    );
  });
  return progress;
}

/** When a node or a pod last changed. */
function watchQuiet({ store, events }: SimulatedCluster): { sinceMs: number } {
  const quiet = { sinceMs: events.now() };
  const note = (): void => void (quiet.sinceMs = events.now());
  store.nodes.listen(note);
  store.pods.listen(note);
  return quiet;
}

/** Calls `then` once the cluster has been quiet after this time, or some hours later. */
function whenQuiet(
  cluster: SimulatedCluster,
  quiet: { readonly sinceMs: number },
  fromMs: number,
  then: () => void,
): void {
  const look = (): void => {
    const dueMs = Math.min(Math.max(fromMs, quiet.sinceMs) + QUIET_MS, fromMs + FAULTLESS_MS);
    if (cluster.events.now() >= dueMs) then();
    else cluster.events.at(dueMs, look);
  };
  cluster.events.at(fromMs, look);
}

/** Ends all faults: drivers load, kubelets report, budgets allow evictions, and nothing is paused. A stuck node stays as it is. */
function endFaults(simulation: Simulation, stuckNode: string | undefined): void {
  const { cluster } = simulation;
  cluster.note('! the faults end');
  cluster.hasFaults = false;
  if (cluster.gpuOperator !== undefined) cluster.gpuOperator.writeMs = 20;
  if (cluster.sriov !== undefined) cluster.sriov.options = { ...cluster.sriov.options, workMs: 20_000 };
  for (const key of [...cluster.brokenDigests.keys()])
    if (stuckNode === undefined || !key.endsWith(`/${stuckNode}`)) cluster.brokenDigests.delete(key);
  for (const name of [...cluster.unreachableNodes]) if (name !== stuckNode) setUnreachable(cluster, name, false);
  for (const [key, budget] of [...cluster.store.budgets.entries()]) {
    if (budget.name.endsWith(CLOSED)) continue;
    if (budget.name.endsWith('-second')) cluster.store.budgets.remove(key, 'admin');
    else cluster.store.budgets.put(key, { ...budget, minAvailable: 0 }, 'admin');
  }
  for (const workload of cluster.workloads) workload.replicas = Math.min(workload.replicas, 1);
  applyIncident(simulation, { kind: 'pause-by-hand', on: false, atMs: 0 });
  const drivers = simulation.git.drivers.map((driver) => ({ ...driver, autoUpgrade: true }));
  // Edits in the middle are taken back.
  const document = { removed: [], ...(cluster.maintenanceOperator !== undefined && { isMaintained: true }) };
  changeGit(simulation, 1000, { ...simulation.git, ...document, paused: false, drivers });
  cluster.events.after(10_000, () => applyGit(cluster, simulation.git));
}

/** An administrator repairs the cluster: failed nodes are retried, under a policy that allows them to succeed. */
function repair(simulation: Simulation, invariants: Invariants): void {
  const { cluster } = simulation;
  cluster.note('! an admin repairs');
  endTroubles(simulation);
  const drain = { force: true, timeoutSeconds: 300 };
  const git: Git = {
    ...simulation.git,
    paused: false,
    ...(simulation.git.sriov && {
      sriov: { ...simulation.git.sriov, drain: { ...drain, deleteEmptyDir: true }, pools: [] },
    }),
    drivers: simulation.git.drivers.map((driver) => ({
      ...driver,
      drain: { ...drain, enable: true },
      deleteEmptyDir: true,
      drainPodSelector: '',
      offPolicies: [],
    })),
  };
  changeGit(simulation, 0, git);
  cluster.events.after(60_000, () => retryFailed(cluster, git, invariants));
  // A config daemon may boot the node while OFED is repaired. Both have failed then, and wait for each other. A cordon from before a maintenance is
  // lifted when that is over.
  if (git.sriov !== undefined || git.isMaintained === true)
    for (const afterMs of LATER_RETRIES_MS) cluster.events.after(afterMs, () => retryFailed(cluster, git, invariants));
}

/** Each longer than the time of a driver. SR-IOV may have waited for its canaries in the meantime. */
const LATER_RETRIES_MS = [45 * 60_000, 120 * 60_000];

/** The keys of the drivers, and those of the GPU operator where it restarts one. */
function keysFor(git: Git) {
  const operators = git.drivers.flatMap(({ prefix, management }) => (management === 'operator' ? [prefix] : []));
  return [...prefixesOf(git), ...operators].map(driverKeys);
}

function retryFailed(cluster: SimulatedCluster, git: Git, invariants: Invariants): void {
  for (const [name, node] of [...cluster.store.nodes.entries()]) {
    const keys = keysFor(git);
    const labels = Object.fromEntries(
      Object.entries(node.labels)
        .filter(([key]) => !keys.some(({ skip }) => skip === key))
        .map(([key, value]) => {
          const failed = value === 'upgrade-failed' && keys.some(({ state }) => state === key);
          return [key, failed ? 'upgrade-required' : value];
        }),
    );
    // An administrator lifts the cordons from before the upgrades.
    const busy = keys.some(({ state }) => !['', 'upgrade-done'].includes(node.labels[state] ?? ''));
    const owner = invariants.cordonOwner(name);
    const maintenances = [...cluster.store.nodeMaintenances.values()].filter((one) => one.node === name);
    const isKept = owner === 'ours' || maintenances.length > 0;
    // And sets the one that the Maintenance Operator lifted for the first of two objects.
    const unschedulable = (node.unschedulable && busy && isKept) || maintenances.some(({ isReady }) => isReady);
    cluster.store.nodes.put(name, { ...node, labels, unschedulable }, 'admin');
  }
}

/** How far the companion's clock is behind when the faults end. */
function clockBehindMs({ incidents }: Scenario): number {
  const jumps = incidents.flatMap((incident) => (incident.kind === 'clock-jump' ? [incident.byMs] : []));
  return Math.max(0, -jumps.reduce((sum, byMs) => sum + byMs, 0));
}
