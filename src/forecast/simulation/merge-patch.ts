import type { SnapshotNode } from '../../companion/model/types.js';

/** A merge patch of a node (RFC 7386): `null` removes a key. */
export interface NodeChange {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly unschedulable?: boolean;
}

/** The fields of a node that a merge patch can change, as they are after it. */
export function patched(
  node: SnapshotNode,
  patch: NodeChange,
): Pick<SnapshotNode, 'labels' | 'annotations' | 'unschedulable'> {
  return {
    labels: merged(node.labels, patch.labels),
    annotations: merged(node.annotations, patch.annotations),
    unschedulable: patch.unschedulable ?? node.unschedulable,
  };
}

function merged(
  before: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>> = {},
): Readonly<Record<string, string>> {
  const entries = Object.entries({ ...before, ...patch });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}
