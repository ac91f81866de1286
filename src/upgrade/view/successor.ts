import { staysFor, type NoDriver } from '../../contract/driver-placement.js';
import { groupBy } from '../../lib/group-by.js';
import { listed } from '../../lib/listed.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../model/types.js';

/** A node on which no listed DaemonSet would put a driver pod, and why. */
export interface NodeWithoutDriver {
  readonly name: string;
  readonly reason: NoDriver;
}

/** A node with its driver pods, and why no listed DaemonSet puts a driver there. */
interface DrivenNode {
  readonly node: SnapshotNode;
  readonly noDriver: NoDriver | undefined;
  readonly driverPods: readonly { readonly pod: SnapshotPod }[];
}

/**
 * Retired DaemonSets that are kept, by UID, with the nodes that they are kept for: `staysFor` says which.
 */
export function keptDaemonSets(
  retired: readonly SnapshotDaemonSet[],
  nodes: readonly DrivenNode[],
): ReadonlyMap<string, readonly NodeWithoutDriver[]> {
  const kept = new Map<string, readonly NodeWithoutDriver[]>();
  for (const daemonSet of retired) {
    const stays = staysFor(daemonSet);
    const holders = nodes.flatMap(({ node, noDriver, driverPods }) => {
      if (noDriver === undefined || !driverPods.some(({ pod }) => pod.controller?.uid === daemonSet.uid)) return [];
      return stays(node, noDriver) ? [{ name: node.name, reason: noDriver }] : [];
    });
    if (holders.length > 0) kept.set(daemonSet.uid, holders);
  }
  return kept;
}

/** `a, b (no driver DaemonSet is for kernel k1); c (…)`: at most five names for each reason. */
export function byReason(nodes: readonly NodeWithoutDriver[]): string {
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
