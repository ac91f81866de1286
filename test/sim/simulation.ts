import type { SimulatedCluster } from '../../src/forecast/simulation/simulated-cluster.js';
import type { Git } from './scenario/git.js';

/** Effects of incidents on the companion itself. */
export interface CompanionSwitch {
  /** The document in the policy ConfigMap changed. */
  supersede(): void;
  crash(afterActions: number, backAfterMs: number): void;
  terminate(backAfterMs: number): void;
  stall(untilMs: number, compacted: boolean): void;
  jumpClock(byMs: number): void;
}

/** Git, cluster and companion of one run. */
export interface Simulation {
  readonly cluster: SimulatedCluster;
  readonly companion: CompanionSwitch;
  git: Git;
  renames: number;
  /** An administrator has ended all that lasted. */
  isRepaired: boolean;
  /** Nodes that another program cordons or uncordons again and again. */
  readonly meddledNodes: Set<string>;
  /** All rules were checked. */
  isOver: boolean;
}

/** Those of a run that begins. */
export function startSimulation(cluster: SimulatedCluster, companion: CompanionSwitch, git: Git): Simulation {
  return { cluster, companion, git, renames: 0, isRepaired: false, meddledNodes: new Set(), isOver: false };
}
