import { isObject, valueAt } from '../../lib/json.js';
import type { ApiObject as ListedObject } from '../../upgrade/runtime/kube-port/objects.js';

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
] as const;
type SnapshotKind = (typeof KINDS)[number];

/** An object of any kind. */
export interface ApiObject extends ListedObject {
  readonly kind?: string;
  readonly [field: string]: unknown;
}

/** The objects by their kind. */
export type SnapshotObjects = Readonly<Record<SnapshotKind, readonly ApiObject[]>>;

/** The objects of a snapshot. */
export function objectsOf({ items }: ClusterSnapshot): SnapshotObjects {
  const found = Object.fromEntries(KINDS.map((kind) => [kind, [] as ApiObject[]])) as unknown as Record<
    SnapshotKind,
    ApiObject[]
  >;
  for (const item of items as readonly ApiObject[]) {
    const kind = KINDS.find((one) => one === item.kind);
    if (kind !== undefined) found[kind].push(item);
  }
  return found;
}

/** Reads one List; returns what is wrong with it. */
export function readSnapshot(text: string): ClusterSnapshot | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { problem: 'it is no JSON' };
  }
  if (!isObject(value)) return { problem: 'it is no list of objects' };
  const { items, kind } = value;
  if (!Array.isArray(items)) return { problem: `it has no \`items\`: it is no list of objects` };
  // The API server's own lists have the kind of their items in their name.
  const own = typeof kind === 'string' && kind !== 'List' ? kind.replace(/List$/, '') : undefined;
  const objects = (items as unknown[])
    .filter(isObject)
    .map((item) => (item['kind'] === undefined && own !== undefined ? { ...item, kind: own } : item));
  const nameless = objects.findIndex((one) => typeof valueAt(one, ['metadata', 'name']) !== 'string');
  if (nameless >= 0) return { problem: `\`items[${nameless}].metadata.name\` is no text` };
  const count = (of: SnapshotKind) => objects.filter((one) => one['kind'] === of).length;
  if (count('Node') === 0) return { problem: 'it has no nodes' };
  if (count('Pod') === 0) return { problem: 'it has no pods' };
  return { items: objects };
}
