import { waitKind, type WaitKind } from '../../../upgrade/model/wait-kinds.js';
import type { DriverKeys } from '../../../contract/labels.js';

/** What a user can do for a node with a NIC that no driver DaemonSet covers. */
export const UNCOVERED_ADVICE: readonly string[] = [
  'compare the node with the pools of the Cluster document: `kubectl get nodes -o json | weft pools --check`',
  'add its kernel to the pool, or a pool for it, and apply the output',
];

/** What a user can do; empty if nothing has to be done. */
export function adviceFor(kind: WaitKind | undefined, node: string, keys: DriverKeys): readonly string[] {
  if (kind === undefined) return [];
  return waitKind(kind).advice.map((line) => line.replace(/\bNODE\b/, node).replace(/\bSKIP\b/, keys.skipDrain));
}
