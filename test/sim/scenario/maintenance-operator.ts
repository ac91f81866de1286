import { makeRandom, type Random } from '../../../src/forecast/simulation/random.js';
import type { GitDriver } from './git.js';
import type { Incident } from './incidents.js';
import type { Scenario } from './scenario.js';

/** What happens to the Maintenance Operator and to NodeMaintenances. */
export type MaintenanceIncident =
  | { readonly kind: 'maintenance-operator-restarts'; readonly awayMs: number }
  /** Somebody deletes the object of the node; `isForced`: with its finalizer, so that nobody lifts the cordon. */
  | { readonly kind: 'node-maintenance-deleted'; readonly node: string; readonly isForced: boolean }
  /** Another requestor needs the node for this time, `Infinity`: until the repair, and has a drain of its own if it asks first. */
  | {
      readonly kind: 'other-requestor';
      readonly node: string;
      readonly id: string;
      readonly forMs: number;
      readonly drains: boolean;
    };

/** The requestor IDs of other programs that ask the Maintenance Operator for nodes. */
export const OTHERS = ['nvidia.gpu-operator', 'example.com.firmware'];
const MINUTE_MS = 60_000;

/** Not drawn: an operator's flow beside the companion, and cordons that others set or lift in a maintenance. */
const NOT_DRAWN: ReadonlySet<string> = new Set(['foreign-flow', 'uncordon', 'cordon-again']);

/** A scenario in which the Maintenance Operator drains: it does so without an end, so that each pod may be evicted. */
export function withMaintenanceOperator(scenario: Scenario): Scenario {
  const random = makeRandom(scenario.seed, 'maintenance-operator');
  const troubles = Array.from({ length: random.pick([0, 1, 1, 2, 4]) }, () => drawIncident(random, scenario.nodes));
  const incidents = scenario.incidents.filter(({ kind }) => !NOT_DRAWN.has(kind));
  return {
    ...scenario,
    maintenanceOperator: { maxParallel: random.pick([0, 1, 1, 2]) },
    git: { ...scenario.git, isMaintained: true, drivers: scenario.git.drivers.map(movable) },
    workloads: scenario.workloads.map((one) => ({ ...one, toleratesUnschedulable: false })),
    nodes: scenario.nodes.map((one) => ({ ...one, cordoned: false })),
    incidents: [...incidents, ...troubles].sort((a, b) => a.atMs - b.atMs),
  };
}

function movable(driver: GitDriver): GitDriver {
  return { ...driver, drain: { ...driver.drain, force: true }, deleteEmptyDir: true };
}

function drawIncident(random: Random, nodes: Scenario['nodes']): Incident {
  const atMs = random.int(1000, 8 * MINUTE_MS);
  const node = random.pick(nodes).name;
  switch (random.pick(['restarts', 'deleted', 'other', 'other'] as const)) {
    case 'restarts':
      return { atMs, kind: 'maintenance-operator-restarts', awayMs: random.pick([1000, 20_000, 4 * MINUTE_MS]) };
    case 'deleted':
      return { atMs, kind: 'node-maintenance-deleted', node, isForced: random.chance(0.3) };
    case 'other': {
      const forMs = random.chance(0.1) ? Infinity : random.int(MINUTE_MS, 4 * MINUTE_MS);
      const id = random.pick(OTHERS);
      return { atMs, kind: 'other-requestor', node, id, forMs, drains: random.chance(0.5) };
    }
  }
}
