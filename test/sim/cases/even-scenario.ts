import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { type Git, type GitDriver, PLAIN_DRIVER } from '../scenario/git.js';
import type { Scenario } from '../scenario/scenario.js';

/** Nodes with one driver, and one ReplicaSet with as many pods for each node. */
export interface EvenCluster {
  /** Of the random durations. Default 1. */
  readonly seed?: number;
  readonly nodes: number;
  /** Default: no pods. */
  readonly podsPerNode?: number;
  /** Capacity of a node in pods. Default 10. */
  readonly podCapacity?: number;
  readonly driver?: Partial<GitDriver>;
  readonly rollout?: Git['rollout'];
  /** A GPU driver beside the first. Default: none. */
  readonly gpu?: Partial<GitDriver>;
  /** Value of the label `group` of a node; the groups have different policies. Default: one group. */
  readonly groupOf?: (node: number) => 'a' | 'b';
}

/** The scenario of such a cluster, without faults and incidents. */
export function evenScenario(cluster: EvenCluster): Scenario {
  const {
    seed = 1,
    nodes,
    podsPerNode = 0,
    podCapacity = 10,
    driver = {},
    rollout = {},
    gpu,
    groupOf = () => 'a',
  } = cluster;
  const app = {
    ...{ namespace: 'work', name: 'app', kind: 'ReplicaSet' as const, replicas: nodes * podsPerNode, labels: {} },
    ...{ resourceNames: [], emptyDir: false, toleratesUnschedulable: false, finalizer: 'none' as const },
    ...{ graceMs: 1000, runsMs: Infinity },
  };
  const numbers = Array.from({ length: nodes }, (_, index) => index + 1);
  const setsOf = (prefix: string) =>
    [...new Set(numbers.map(groupOf))].map((group) => ({
      ...{ name: `${prefix}-${group}`, policy: group, digest: `${prefix}-1`, group },
    }));
  const drivers = [
    { ...PLAIN_DRIVER, sets: setsOf('ofed'), ...driver },
    ...(gpu === undefined
      ? []
      : [{ ...PLAIN_DRIVER, prefix: 'gpu' as const, management: 'selected' as const, sets: setsOf('gpu'), ...gpu }]),
  ];
  return {
    seed,
    conditions: { faultRate: 0, lagMs: 50, podCapacity },
    git: { paused: false, rollout, drivers },
    safeLoad: false,
    nodes: numbers.map((at) => ({ name: `n${at}`, labels: { group: groupOf(at) }, cordoned: false })),
    workloads: podsPerNode === 0 ? [] : [app],
    budgets: [],
    incidents: [],
  };
}

/** Pods that are fixed to a node would use up capacity. */
export function removeFixedPods({ store }: SimulatedCluster): void {
  for (const [key, pod] of [...store.pods.entries()])
    if (['foreign-ds', 'mirror', 'bare'].includes(pod.lifecycle.kind)) store.pods.remove(key, 'admin');
}
