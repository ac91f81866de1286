import type { SimulatedCluster } from '../simulated-cluster.js';
import { startBudgetController } from './budgets.js';
import { startDaemonSetController } from './daemon-sets.js';
import { startNodeController } from './nodes.js';
import { startScheduler } from './scheduler.js';
import { startWorkloadControllers } from './workloads.js';

/**
 * Starts the controllers and the scheduler. Each runs a moment after an object changed, and looks only at what the change concerns: a
 * cluster may have 20,000 pods.
 */
export function startControllers(cluster: SimulatedCluster): void {
  startDaemonSetController(cluster);
  startWorkloadControllers(cluster);
  startScheduler(cluster);
  startBudgetController(cluster);
  startNodeController(cluster);
}
