import type { Cluster, NodePool, Policy, PolicyOwner } from './config.js';

/** `driver.uninstall` of the Cluster document. */

type Uninstalling = Pick<Cluster, 'spec'>;

/** Whether the drivers of all nodes are uninstalled. */
export function uninstallsAll({ spec }: Uninstalling): boolean {
  return spec.driver.uninstall === true;
}

/** Whether any driver is uninstalled. */
export function uninstallsAny({ spec }: Uninstalling): boolean {
  const { uninstall } = spec.driver;
  return typeof uninstall === 'boolean' ? uninstall : uninstall.nodePools.length + uninstall.policies.length > 0;
}

/** Whether the driver of a policy is uninstalled on a pool. */
export function isUninstalled({ spec }: Uninstalling, owner: PolicyOwner, pool: Pick<NodePool, 'name'>): boolean {
  const { uninstall } = spec.driver;
  if (typeof uninstall === 'boolean') return uninstall;
  return uninstall.policies.includes(owner.name) || uninstall.nodePools.includes(pool.name);
}

/** The pools of a policy, also those whose taints it does not tolerate, on which its driver is uninstalled. */
export function uninstalledPools(cluster: Uninstalling, { owner, pools }: Policy): readonly NodePool[] {
  return pools.filter((pool) => isUninstalled(cluster, owner, pool));
}
