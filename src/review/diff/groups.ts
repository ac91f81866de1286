import { createHash } from 'node:crypto';
import { compareText } from '../../lib/json.js';
import type { ClusterDiff, ObjectDiff } from './diff.js';

/** Clusters in which exactly the same differs, so that a fleet is read once. */
export interface DiffGroup {
  /** Sorted. */
  readonly names: readonly string[];
  readonly change: ClusterDiff['change'];
  readonly objects: readonly ObjectDiff[];
  readonly pools: ClusterDiff['pools'];
  readonly notes: readonly string[];
}

/** Takes the clusters one by one, and keeps what differs alike in several of them once. */
interface DiffGroups {
  readonly add: (cluster: ClusterDiff) => void;
  /** Those that differ, in the order of their first names. */
  readonly all: () => readonly DiffGroup[];
}

/** Groups without any cluster yet. */
export function diffGroups(): DiffGroups {
  const groups = new Map<string, DiffGroup & { readonly names: string[] }>();
  const known = new Map<string, ObjectDiff>();
  /** A copy through its text holds on to nothing but itself: values that were cut out of a file keep all of it. */
  const keep = (object: ObjectDiff): readonly [key: string, kept: ObjectDiff] => {
    const text = JSON.stringify(object);
    const key = createHash('sha256').update(text).digest('base64');
    const kept = known.get(key) ?? (JSON.parse(text) as ObjectDiff);
    known.set(key, kept);
    return [key, kept];
  };
  return {
    add: ({ name, change, objects, pools, notes }) => {
      if (objects.length + pools.length + notes.length === 0) return;
      const kept = objects.map(keep);
      const hash = createHash('sha256').update(JSON.stringify([change, pools, notes]));
      for (const [key] of kept) hash.update(key);
      const key = hash.digest('base64');
      const group = groups.get(key);
      if (group) group.names.push(name);
      else groups.set(key, { names: [name], change, objects: kept.map(([, object]) => object), pools, notes });
    },
    all: () =>
      [...groups.values()]
        .map(({ names, ...group }) => ({ names: [...names].sort(compareText), ...group }))
        .sort((a, b) => compareText(a.names[0] ?? '', b.names[0] ?? '')),
  };
}
