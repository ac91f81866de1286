import { staysFor, type NoDriver } from '../../../shared/contract/driver-placement.js';
import type { NodeUpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { listed } from '../../../shared/lib/listed.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../../model/types.js';

/** A node that keeps its driver or has none, and why. */
export interface NamedNode {
  readonly name: string;
  readonly reason: { readonly message: string };
}

/** A node with its driver pods, and why no listed DaemonSet puts a driver there. */
interface DrivenNode {
  readonly node: SnapshotNode;
  readonly policy: Pick<NodeUpgradePolicy, 'name' | 'autoUpgrade'> | undefined;
  readonly isUninstalled: boolean;
  readonly noDriver: NoDriver | undefined;
  readonly driverPods: readonly { readonly pod: SnapshotPod }[];
}

/**
 * Retired DaemonSets that are kept, by UID, with the nodes that they are kept for: those for which it has to stay (`staysFor`), and
 * those whose policy upgrades nothing.
 */
export function keptDaemonSets(
  retired: readonly SnapshotDaemonSet[],
  nodes: readonly DrivenNode[],
): ReadonlyMap<string, readonly NamedNode[]> {
  const kept = new Map<string, readonly NamedNode[]>();
  for (const daemonSet of retired) {
    const stays = staysFor(daemonSet);
    const reasonOf = ({ node, policy, isUninstalled, noDriver }: DrivenNode): NamedNode['reason'] | undefined => {
      if (noDriver !== undefined && stays(node, noDriver)) return noDriver;
      // An uninstall does not depend on `autoUpgrade`.
      if (isUninstalled || policy?.autoUpgrade === true) return undefined;
      return { message: `policy ${policy?.name ?? 'of the node'} has no autoUpgrade` };
    };
    const holders = nodes.flatMap((view) => {
      if (!view.driverPods.some(({ pod }) => pod.controller?.uid === daemonSet.uid)) return [];
      const reason = reasonOf(view);
      return reason === undefined ? [] : [{ name: view.node.name, reason }];
    });
    if (holders.length > 0) kept.set(daemonSet.uid, holders);
  }
  return kept;
}

/** `a, b (no driver DaemonSet is for kernel k1); c (…)`: at most five names for each reason. */
export function byReason(nodes: readonly NamedNode[]): string {
  const groups = groupBy(nodes, ({ reason }) => reason.message);
  const texts = [...groups].map(([message, members]) => {
    const names = members.map(({ name }) => name);
    return `${listed(names, 5)} (${message})`;
  });
  return listedReasons(texts);
}

const MOST_REASONS = 5;

function listedReasons(texts: readonly string[]): string {
  const rest = texts.length - MOST_REASONS;
  return rest > 0 ? `${texts.slice(0, MOST_REASONS).join('; ')}; and ${rest} more reasons` : texts.join('; ');
}
