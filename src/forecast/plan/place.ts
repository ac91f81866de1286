import type { UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { hasEntries } from '../../shared/lib/has-entries.js';
import type { SnapshotNode } from '../../companion/model/types.js';

/** Where a node belongs. */
interface Place {
  /** Its upgrade pool, or else its policy. */
  readonly pool: string;
  /** The value of the label that `upgrade.topologyKey` names; null: there is none. */
  readonly topologyDomain: string | null;
}

export function placeOf(
  { rollout }: UpgradePolicy,
  { node, policy }: { readonly node: SnapshotNode | undefined; readonly policy: string },
): Place {
  if (node === undefined) return { pool: policy, topologyDomain: null };
  const pool = rollout.pools.find(({ nodeSelector }) => hasEntries(node.labels, nodeSelector));
  const domain = rollout.topologyKey === undefined ? undefined : node.labels[rollout.topologyKey];
  return { pool: pool?.name ?? policy, topologyDomain: domain ?? null };
}
