import { sha256 } from '../../shared/lib/hash.js';
import { compareText } from '../../shared/lib/json.js';
import type { ClusterDiff, ObjectDiff } from './diff.js';
import { orderGroups } from './order.js';

/** Clusters with exactly the same differences, which are shown once. */
export interface DiffGroup extends Omit<ClusterDiff, 'name'> {
  /** Sorted. */
  readonly names: readonly string[];
}

/** Collects the differences of clusters one by one, and keeps equal ones once. */
interface DiffGroups {
  readonly add: (cluster: ClusterDiff) => void;
  /** The groups with differences, the worst first. */
  readonly all: () => readonly DiffGroup[];
}

/** Whether anything differs. */
export function isDifferent({
  objects,
  pools,
  nodes,
  restarts,
  coverage,
  notes,
}: Omit<ClusterDiff, 'name' | 'change'>): boolean {
  return [objects, pools, nodes, restarts, coverage, notes].some(({ length }) => length > 0);
}

/** Groups without any cluster yet. */
export function diffGroups(): DiffGroups {
  const groups = new Map<string, DiffGroup & { readonly names: string[] }>();
  const known = new Map<string, ObjectDiff>();
  /** Copied through JSON, because substrings keep the whole text of their file in memory. */
  const keep = (object: ObjectDiff): readonly [key: string, kept: ObjectDiff] => {
    const text = JSON.stringify(object);
    const key = sha256(text);
    const kept = known.get(key) ?? (JSON.parse(text) as ObjectDiff);
    known.set(key, kept);
    return [key, kept];
  };
  return {
    add: ({ name, change, objects, ...rest }) => {
      const { pools, nodes, restarts, coverage, notes } = rest;
      if (!isDifferent({ objects, ...rest })) return;
      const kept = objects.map(keep);
      const key = sha256(
        JSON.stringify([change, pools, nodes, restarts, coverage, notes, ...kept.map(([objectKey]) => objectKey)]),
      );
      const group = groups.get(key);
      if (group) group.names.push(name);
      else groups.set(key, { names: [name], change, objects: kept.map(([, object]) => object), ...rest });
    },
    all: () =>
      orderGroups(
        [...groups.values()].map(({ names, ...group }) => ({ names: [...names].sort(compareText), ...group })),
      ),
  };
}
