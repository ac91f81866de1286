import { driverKeys } from '../../../src/shared/contract/labels.js';
import { FAULTS_START_MS } from '../run/build.js';
import { startCompanion } from '../run/companion.js';
import { prepare } from '../run/schedule.js';
import { applyIncident } from '../run/apply-incident.js';
import { startSimulation } from '../simulation.js';
import type { Scenario } from '../scenario/scenario.js';
import { evenScenario, removeFixedPods } from './even-scenario.js';

/** A cluster that is nearly full, with one workload everywhere and a budget for it. */
export interface FullCluster {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Capacity of a node in pods. */
  readonly podCapacity: number;
  /** Share of the pods that may be unavailable, from 0 to 1. */
  readonly budget: number;
  readonly drainTimeoutSeconds: number;
  readonly seed: number;
}

interface FullClusterResult {
  /** Nodes by the value of their state label. */
  readonly states: Readonly<Record<string, number>>;
  readonly cordoned: number;
  readonly minutes: number;
  readonly log: readonly string[];
}

const LIMIT_MS = 24 * 3_600_000;

/** Upgrades all nodes of the cluster with this parallelism, and returns their final states. */
export function upgradeFullCluster(setup: FullCluster, maxParallelUpgrades: number): FullClusterResult {
  const { cluster, invariants } = prepare(scenarioOf(setup, maxParallelUpgrades));
  removeFixedPods(cluster);
  const companion = startCompanion(cluster, invariants);
  const simulation = startSimulation(cluster, companion, scenarioOf(setup, maxParallelUpgrades).git);
  cluster.events.at(FAULTS_START_MS + 1000, () =>
    applyIncident(simulation, { kind: 'rollout', prefix: 'ofed', digest: 'ofed-2', atMs: 0, applyMs: 0 }),
  );
  const { state } = driverKeys('ofed');
  const statesOf = () => [...cluster.store.nodes.values()].map(({ labels }) => labels[state] ?? '');
  let begun = false;
  const isOver = (): boolean => {
    const states = statesOf();
    begun ||= states.some((one) => one !== '' && one !== 'upgrade-done');
    return begun && states.every((one) => one === 'upgrade-done' || one === 'upgrade-failed');
  };
  let lastMs = cluster.events.now();
  while (cluster.events.step(FAULTS_START_MS + LIMIT_MS)) {
    if (cluster.events.now() - lastMs < 1000) continue;
    lastMs = cluster.events.now();
    if (isOver()) break;
  }
  const states: Record<string, number> = {};
  for (const one of statesOf()) states[one] = (states[one] ?? 0) + 1;
  return {
    states,
    cordoned: [...cluster.store.nodes.values()].filter(({ unschedulable }) => unschedulable).length,
    minutes: Math.round((cluster.events.now() - FAULTS_START_MS) / 60_000),
    log: cluster.log,
  };
}

function scenarioOf(setup: FullCluster, maxParallelUpgrades: number): Scenario {
  const { nodes, podsPerNode, podCapacity, budget, drainTimeoutSeconds, seed } = setup;
  const drain = { enable: true, force: true, timeoutSeconds: drainTimeoutSeconds };
  const driver = { maxParallelUpgrades, drain };
  const rollout = { failureBudget: '100%' };
  const minAvailable = Math.ceil(nodes * podsPerNode * (1 - budget));
  return {
    ...evenScenario({ seed, nodes, podsPerNode, podCapacity, driver, rollout }),
    budgets: [{ workload: 'app', minAvailable }],
  };
}
