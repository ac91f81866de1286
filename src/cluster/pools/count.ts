import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { ARCH_LABEL, NFD_LABELS } from '../../shared/contract/labels.js';
import { taintFrom, taintText } from '../../shared/kubernetes/selection/taints.js';
import { isNicNode, lastingTaints, type ClusterNode } from './nodes.js';

/** How many nodes of an inventory are in a pool at the kernel of a driver; at any kernel if the driver serves all. */
export type NodeCounter = (driver: DriverCoverage) => number;

/**
 * Counts the nodes with an NVIDIA NIC. A node is in each pool whose system, labels and taints it has; if several match,
 * in those with the most requirements.
 *
 * @param coverage the drivers of both sides
 */
export function countNodes(nodes: readonly ClusterNode[], coverage: readonly DriverCoverage[]): NodeCounter {
  const rowsOf = nearestRows(coverage);
  const members = nodes.filter(isNicNode).map((node) => {
    return { node, pools: new Set(rowsOf(node).map(({ pool }) => pool)) };
  });
  return (driver) =>
    members.filter(({ node, pools }) => {
      const isAtKernel = driver.kernel === '' || node.labels.get(NFD_LABELS.kernel) === driver.kernel;
      return isAtKernel && pools.has(driver.pool) && fits(node, driver);
    }).length;
}

/** The drivers of the pools that a node is in, at any kernel: of those whose system, labels and taints it has, the ones with most. */
export function nearestRows<Row extends DriverCoverage>(
  coverage: readonly Row[],
): (node: ClusterNode) => readonly Row[] {
  return (node) => {
    const fitting = coverage.filter((driver) => fits(node, driver));
    const most = Math.max(...fitting.map(requirements));
    return fitting.filter((one) => requirements(one) === most);
  };
}

function requirements({ labels, taints }: DriverCoverage): number {
  return labels.length + taints.length;
}

function fits({ labels, taints }: ClusterNode, pool: DriverCoverage): boolean {
  const own = new Set([...labels].map(([key, value]) => `${key}=${value}`));
  const tainted = new Set(taints.map(taintText));
  return (
    labels.get(NFD_LABELS.osName) === pool.osName &&
    labels.get(NFD_LABELS.osVersion) === pool.osVersion &&
    labels.get(ARCH_LABEL) === pool.arch &&
    (pool.rhcosVersion === '' || labels.get(NFD_LABELS.rhcosVersion) === pool.rhcosVersion) &&
    pool.labels.every((label) => own.has(label)) &&
    // Nodes have only the taints that keep driver pods away.
    lastingTaints(pool.taints.map(taintFrom)).every((taint) => tainted.has(taintText(taint)))
  );
}
