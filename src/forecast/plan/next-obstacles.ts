import { driverKeys } from '../../shared/contract/labels.js';
import type { StoredNode } from '../simulation/store.js';
import { startCluster, type PlannedCluster } from './cluster/planned-cluster.js';
import { obstaclesOf } from './obstacles.js';
import { recordRun } from './run/record.js';
import type { Obstacle, UpgradePlan } from './types.js';

/** Obstacles that end with those of other nodes: a run without those nodes, budget, canaries and pause does not have them. */
const OF_OTHERS: ReadonlySet<Obstacle['kind']> = new Set(['halt', 'canary-missing', 'pause', 'unavailable']);

/** Nodes that fail take others out of service in such a run, too, so that there may be more behind them. */
const RUNS_MAX = 3;

/**
 * What is in the way of the nodes that no obstacle of a plan explains, if all of them are solved: runs go on without the nodes that
 * obstacles name, and without failure budget, canaries and a pause. A plan whose nodes all come through, or are all explained, needs none.
 */
export function* nextObstacles(
  { obstacles, nodePlans }: Pick<UpgradePlan, 'obstacles' | 'nodePlans'>,
  planned: PlannedCluster,
  seed: number,
): Generator<undefined, readonly Obstacle[]> {
  const stuck = obstacles.filter(({ isStuck }) => isStuck);
  const solved = new Set(causesOf(stuck).flatMap(({ nodes }) => nodes));
  if (solved.size === 0 && !stuck.some(({ kind }) => kind === 'pause')) return [];
  let isExplained = nodePlans.every(({ node, outcome }) => outcome === 'upgraded' || solved.has(node));
  const next: Obstacle[] = [];
  for (let index = 0; index < RUNS_MAX && !isExplained; index += 1) {
    const without = withoutNodes(planned, solved);
    const run = yield* recordRun(startCluster(without, seed), planned.desired.schedule);
    const nodes = run.nodes.filter(({ node }) => !solved.has(node));
    const found = causesOf(obstaclesOf({ ...run, nodes }));
    next.push(...found.map((one): Obstacle => ({ ...one, isNext: true })));
    for (const { nodes: named } of found) for (const node of named) solved.add(node);
    isExplained = found.length === 0 || nodes.every(({ node, endMs }) => endMs !== undefined || solved.has(node));
  }
  return next;
}

/** Obstacles that are of the nodes which they name. */
function causesOf(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  return obstacles.filter(
    ({ kind, isStuck, nodes }) => isStuck && nodes.length > 0 && kind !== 'horizon' && !OF_OTHERS.has(kind),
  );
}

/** The cluster as if the upgrades of these nodes were over, and nothing held other nodes back. */
function withoutNodes(planned: PlannedCluster, names: ReadonlySet<string>): PlannedCluster {
  const { desired, status, nodes } = planned;
  const unheld = { canary: undefined, failureBudget: '100%' };
  const pools = desired.policy.rollout.pools.map((pool) => ({ ...pool, ...unheld }));
  const rollout = { ...desired.policy.rollout, ...unheld, pools };
  const policy = { ...desired.policy, paused: false, rollout };
  const keys = policy.drivers.map(({ labelPrefix }) => driverKeys(labelPrefix));
  const isOver = Object.fromEntries(keys.flatMap(({ state, skip }) => [[state, ''] as const, [skip, 'true'] as const]));
  const over = (node: StoredNode): StoredNode => ({
    ...node,
    labels: { ...node.labels, ...isOver },
    annotations: {},
    unschedulable: false,
    ready: 'True',
  });
  return {
    ...planned,
    desired: { ...desired, policy },
    nodes: nodes.map((node) => (names.has(node.name) ? over(node) : node)),
    ...(status && { status: { ...status, annotations: {} } }),
  };
}
