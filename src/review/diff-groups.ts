import { createHash } from 'node:crypto';
import { compareText } from '../lib/json.js';
import type { ClusterDiff, ObjectDiff } from './diff.js';

/** Clusters in which exactly the same differs, so that a fleet is read once. */
export interface DiffGroup {
  /** Sorted. */
  readonly names: readonly string[];
  readonly change: ClusterDiff['change'];
  readonly objects: readonly ObjectDiff[];
}

/** The clusters that differ, those that differ alike together, in the order of their first names. */
export function groupAlike(clusters: readonly ClusterDiff[]): readonly DiffGroup[] {
  const groups = new Map<string, ClusterDiff[]>();
  for (const cluster of [...clusters].sort((a, b) => compareText(a.name, b.name))) {
    if (cluster.objects.length === 0) continue;
    const text = JSON.stringify([cluster.change, cluster.objects]);
    const key = createHash('sha256').update(text).digest('hex');
    const alike = groups.get(key);
    if (alike) alike.push(cluster);
    else groups.set(key, [cluster]);
  }
  return [...groups.values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ change, objects }) => ({ names: alike.map(({ name }) => name), change, objects })),
  );
}
