import { hasEntries } from '../lib/has-entries.js';
import type { Rollout } from './upgrade-settings.js';

/** What an upgrade pool may set for its nodes, in the place of what holds for all others. */
type PoolLimit = 'maintenanceWindows' | 'canary' | 'failureBudget';
type UpgradePool = Rollout['pools'][number];

/** Where a limit is set: an upgrade pool, or the rollout, which has no name. All nodes that it holds for have the same object. */
export type LimitSource<Limit extends PoolLimit> = Pick<Rollout, Limit> & Partial<Pick<UpgradePool, 'name'>>;

/** Where a limit of a node is set: in the first of its upgrade pools that sets it, else for all nodes of no such pool. */
export function limitSource<Limit extends PoolLimit>(
  rollout: Rollout,
  labels: Readonly<Record<string, string>>,
  limit: Limit,
): LimitSource<Limit> {
  const pool = rollout.pools.find((one) => one[limit] !== undefined && hasEntries(labels, one.nodeSelector));
  return (pool as LimitSource<Limit> | undefined) ?? rollout;
}

/** Added to a text about a limit of an upgrade pool; empty for one of the cluster. */
export function ofUpgradePool({ name }: Partial<Pick<UpgradePool, 'name'>>): string {
  return name === undefined ? '' : ` of upgrade pool ${name}`;
}

/** All places where a limit is set. */
export function limitSources<Limit extends PoolLimit>(rollout: Rollout, limit: Limit): readonly LimitSource<Limit>[] {
  return [rollout, ...rollout.pools.filter((one) => one[limit] !== undefined)] as readonly LimitSource<Limit>[];
}

/** The windows in which any node may begin. */
export function allWindows(rollout: Rollout): Rollout['maintenanceWindows'] {
  return limitSources(rollout, 'maintenanceWindows').flatMap(({ maintenanceWindows }) => maintenanceWindows);
}
