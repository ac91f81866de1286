import type { DriverCoverage } from '../../contract/driver-coverage.js';
import { ARCH_LABEL, NFD_LABELS } from '../../contract/labels.js';
import { isNicNode, taintText, type ClusterNode } from './nodes.js';

/** How many nodes of an inventory are in a pool at the kernel of a driver; at any kernel if the driver serves all. */
export type NodeCounter = (driver: DriverCoverage) => number;

/**
 * Counts the nodes with an NVIDIA NIC. A node is in each pool whose system, labels and taints it has; if several match,
 * in those with the most requirements.
 *
 * @param coverage the drivers of both sides
 */
export function countNodes(nodes: readonly ClusterNode[], coverage: readonly DriverCoverage[]): NodeCounter {
  const members = nodes.filter(isNicNode).map((node) => {
    const fitting = coverage.filter((driver) => fits(node, driver));
    const most = Math.max(...fitting.map(requirements));
    return { node, pools: new Set(fitting.filter((one) => requirements(one) === most).map(({ pool }) => pool)) };
  });
  return (driver) =>
    members.filter(({ node, pools }) => {
      const isAtKernel = driver.kernel === '' || node.labels.get(NFD_LABELS.kernel) === driver.kernel;
      return isAtKernel && pools.has(driver.pool) && fits(node, driver);
    }).length;
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
    pool.taints.every((taint) => tainted.has(taint))
  );
}
