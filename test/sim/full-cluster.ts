import { driverKeys } from '../../src/contract/labels.js';
import { FAULTS_START_MS } from './build.js';
import { startCompanion } from './companion.js';
import { prepare } from './schedule.js';
import { applyIncident } from './apply-incident.js';
import type { Scenario } from './scenario.js';

/** A cluster that is nearly full, with one workload everywhere and a budget for it. */
export interface FullCluster {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Capacity of a node in pods. */
  readonly room: number;
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
  // Pods that are fixed to a node would use up capacity.
  for (const [key, pod] of [...cluster.store.pods.entries()])
    if (['foreign-ds', 'mirror', 'bare'].includes(pod.lifecycle.kind)) cluster.store.pods.remove(key, 'admin');
  const companion = startCompanion(cluster, invariants);
  const simulation = {
    cluster,
    companion,
    git: scenarioOf(setup, maxParallelUpgrades).git,
    renames: 0,
    isRepaired: false,
    meddledNodes: new Set<string>(),
  };
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
  const { nodes, podsPerNode, room, budget, drainTimeoutSeconds, seed } = setup;
  const replicas = nodes * podsPerNode;
  return {
    seed,
    conditions: { faultRate: 0, lagMs: 50, room },
    git: {
      paused: false,
      drivers: [
        {
          prefix: 'ofed',
          autoUpgrade: true,
          offPolicies: [],
          uninstall: false,
          tolerates: true,
          startupSeconds: 0,
          sets: [{ name: 'ofed-a', policy: 'main', digest: 'ofed-1', group: 'a' }],
          maxParallelUpgrades,
          maxUnavailable: '100%',
          drain: { enable: true, force: true, timeoutSeconds: drainTimeoutSeconds },
          deleteEmptyDir: true,
          drainPodSelector: '',
          podDeletionTimeoutSeconds: 300,
          jobsSelector: '',
          jobsTimeoutSeconds: 0,
          rollout: { failureBudget: '100%' },
        },
      ],
    },
    safeLoad: false,
    nodes: Array.from({ length: nodes }, (_, index) => ({
      name: `node-${index + 1}`,
      labels: { group: 'a' },
      cordoned: false,
    })),
    workloads: [
      {
        namespace: 'work',
        name: 'app',
        kind: 'ReplicaSet',
        replicas,
        labels: {},
        resourceNames: [],
        emptyDir: false,
        toleratesUnschedulable: false,
        graceMs: 1000,
        runsMs: Infinity,
        finalizer: 'none',
      },
    ],
    budgets: [{ workload: 'app', minAvailable: Math.ceil(replicas * (1 - budget)) }],
    incidents: [],
  };
}
