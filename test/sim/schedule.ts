import { driverKeys } from '../../src/contract/labels.js';
import type { Decision } from '../../src/upgrade/model/types.js';
import { applyGit, buildCluster, markDone, FAULTS_START_MS } from './build.js';
import { setUnreachable } from '../kit/cluster/kubelet.js';
import type { SimulatedCluster } from '../kit/cluster/simulated-cluster.js';
import { changeGit, applyIncident, type Simulation } from './apply-incident.js';
import { CLOSED, endTroubles } from './apply-trouble.js';
import { watchInvariants, type Invariants } from './invariants.js';
import { Violation } from './rules.js';
import { checkAfterFaults, checkRepaired } from './liveness.js';
import type { Git } from './git.js';
import { FAULTS_MS, type Scenario } from './scenario.js';

/** Time for drains of six nodes that time out one after the other, in windows that are open a third of the time. */
const FAULTLESS_MS = 4 * 3_600_000;
const FAULTS_END_MS = FAULTS_START_MS + FAULTS_MS;
/** When an administrator repairs the cluster. */
const REPAIR_MS = FAULTS_END_MS + FAULTLESS_MS;
const END_MS = REPAIR_MS + FAULTLESS_MS;
/** When the run of a scenario is over. One with a stuck node is compared as it is before the repair. */
export const endMsOf = ({ stuck }: Scenario): number => (stuck === undefined ? END_MS : REPAIR_MS - 1);

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
  if (scenario.seed % 2 === 0) scenario.git.drivers.forEach(({ prefix }) => markDone(cluster, prefix));
  return { cluster, invariants: watchInvariants(cluster), ends: watchEnds(cluster, scenario) };
}

function watchEnds(cluster: SimulatedCluster, { git }: Scenario): ReadonlyMap<string, NodeEnd> {
  const { state } = driverKeys(git.drivers[0]?.prefix ?? 'ofed');
  const ends = new Map<string, NodeEnd>();
  cluster.store.nodes.listen((name, before, after) => {
    const to = after?.labels[state] ?? '';
    if (cluster.events.now() >= REPAIR_MS || before?.labels[state] === to) return;
    ends.set(name, { state: to, atMs: cluster.events.now() - FAULTS_START_MS });
  });
  return ends;
}

/** The violation of a run. An unexpected error counts as one. */
export function violationOf(error: unknown): { readonly rule: string; readonly fact: string } {
  if (error instanceof Violation) return { rule: error.rule, fact: error.fact };
  return { rule: 'no exception', fact: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

const NEW_WORK: readonly string[] = ['rollout', 'rename', 'uninstall', 'reinstall', 'lose-revisions'];

/** Schedules the incidents of a run. A phase with faults, one without and a repair follow each other; rules are checked after each. */
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
    endFaults(simulation);
  });
  cluster.events.at(REPAIR_MS, () => {
    checkAfterFaults(simulation, latest(), invariants);
    repair(simulation, invariants);
  });
  cluster.events.at(END_MS, () => checkRepaired(cluster, simulation.git, latest()));
}

/** Ends all faults: drivers load, kubelets report, budgets allow evictions, and nothing is paused. */
function endFaults(simulation: Simulation): void {
  const { cluster } = simulation;
  cluster.note('! the faults end');
  cluster.hasFaults = false;
  cluster.brokenDigests.clear();
  for (const name of [...cluster.unreachableNodes]) setUnreachable(cluster, name, false);
  for (const [key, budget] of [...cluster.store.budgets.entries()]) {
    if (budget.name.endsWith(CLOSED)) continue;
    if (budget.name.endsWith('-second')) cluster.store.budgets.remove(key, 'admin');
    else cluster.store.budgets.put(key, { ...budget, minAvailable: 0 }, 'admin');
  }
  for (const workload of cluster.workloads) workload.replicas = Math.min(workload.replicas, 1);
  applyIncident(simulation, { kind: 'pause-by-hand', on: false, atMs: 0 });
  const drivers = simulation.git.drivers.map((driver) => ({ ...driver, autoUpgrade: true }));
  changeGit(simulation, 1000, { paused: false, drivers });
  cluster.events.after(10_000, () => applyGit(cluster, simulation.git));
}

/** An administrator repairs the cluster: failed nodes are retried, under a policy that allows them to succeed. */
function repair(simulation: Simulation, invariants: Invariants): void {
  const { cluster } = simulation;
  cluster.note('! an admin repairs');
  endTroubles(simulation);
  const drain = { enable: true, force: true, timeoutSeconds: 300 };
  const git: Git = {
    paused: false,
    drivers: simulation.git.drivers.map((driver) => ({
      ...driver,
      drain,
      deleteEmptyDir: true,
      drainPodSelector: '',
      offPolicies: [],
    })),
  };
  changeGit(simulation, 0, git);
  cluster.events.after(60_000, () => {
    for (const { prefix } of git.drivers) requestForOrphans(cluster, prefix);
    retryFailed(cluster, git, invariants);
  });
}

/** A driver pod that lost its DaemonSet is replaced when an administrator requests an upgrade. */
function requestForOrphans(cluster: SimulatedCluster, prefix: string): void {
  for (const pod of [...cluster.store.pods.values()]) {
    const node = cluster.store.nodes.get(pod.nodeName);
    if (node === undefined || pod.controller !== undefined || !(`nvidia.com/${prefix}-driver` in pod.labels)) continue;
    const annotations = { ...node.annotations, [driverKeys(prefix).requested]: 'true' };
    cluster.store.nodes.put(node.name, { ...node, annotations }, 'admin');
  }
}

function retryFailed(cluster: SimulatedCluster, git: Git, invariants: Invariants): void {
  for (const [name, node] of [...cluster.store.nodes.entries()]) {
    const keys = git.drivers.map(({ prefix }) => driverKeys(prefix));
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
    const unschedulable = node.unschedulable && busy && invariants.cordonOwner(name) === 'ours';
    cluster.store.nodes.put(name, { ...node, labels, unschedulable }, 'admin');
  }
}
