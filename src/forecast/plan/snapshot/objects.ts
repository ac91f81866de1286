import type { ApiOf } from '../../../shared/kubernetes/shapes/kinds.js';
import { isNamesake, shapeProblem, withoutNulls } from '../../../shared/kubernetes/shapes/read.js';
import { isObject, readJson, valueAt } from '../../../shared/lib/json.js';
import { isTooDeep, nestingMax } from '../../../shared/lib/nesting.js';

/** Objects of a cluster, as `kubectl get … -o json` prints them, or as `weft plan --save` writes them. */
export interface ClusterSnapshot {
  readonly items: readonly object[];
}

/** The kinds that a plan reads. All but the first two may be missing. */
const KINDS = [
  'Node',
  'Pod',
  'PodDisruptionBudget',
  'DaemonSet',
  'ControllerRevision',
  'ReplicaSet',
  'StatefulSet',
  'Job',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'ConfigMap',
  'ResourceClaim',
  'ResourceSlice',
  'SriovNetworkNodeState',
  'NodeMaintenance',
  'MaintenanceOperatorConfig',
  'ClusterPolicy',
  'NVIDIADriver',
] as const;
type SnapshotKind = (typeof KINDS)[number];

/** The objects by their kind. */
export type SnapshotObjects = { readonly [Kind in SnapshotKind]: readonly ApiOf<Kind>[] };

/** The objects of a snapshot that `checkedSnapshot` gave, or that the API server did. */
export function objectsOf({ items }: ClusterSnapshot): SnapshotObjects {
  const all = items as readonly { readonly kind?: unknown }[];
  const of = (kind: SnapshotKind) => all.filter((item) => item.kind === kind);
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as unknown as SnapshotObjects;
}

/** Reads the text of one List; returns what is wrong with it. */
export function readSnapshot(text: string): ClusterSnapshot | { readonly problem: string } {
  const read = readJson(text);
  return 'value' in read ? checkedSnapshot(read.value) : read;
}

/** A List whose objects have the shapes that a plan reads; or what is wrong with it. */
export function checkedSnapshot(value: unknown): ClusterSnapshot | { readonly problem: string } {
  if (isTooDeep(value)) return { problem: `it is nested more than ${nestingMax} levels deep` };
  if (!isObject(value)) return { problem: 'it is no list of objects' };
  const { items, kind } = value;
  if (!Array.isArray(items)) return { problem: `it has no \`items\`: it is no list of objects` };
  // The API server's own lists have the kind of their items in their name.
  const own = typeof kind === 'string' && kind !== 'List' ? kind.replace(/List$/, '') : undefined;
  const objects = (items as unknown[])
    .filter(isObject)
    .map((item) => withoutNulls(item['kind'] === undefined && own !== undefined ? { ...item, kind: own } : item))
    .filter((item) => !isNamesake(item));
  const nameless = objects.findIndex((one) => typeof valueAt(one, ['metadata', 'name']) !== 'string');
  if (nameless >= 0) return { problem: `\`items[${nameless}].metadata.name\` is no text` };
  for (const object of objects) {
    const problem = shapeProblem(object);
    if (problem !== undefined) return { problem };
  }
  const count = (of: SnapshotKind) => objects.filter((one) => one['kind'] === of).length;
  if (count('Node') === 0) return { problem: 'it has no nodes' };
  if (count('Pod') === 0) return { problem: 'it has no pods' };
  return { items: objects };
}
