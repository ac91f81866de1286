import { compareText } from '../../shared/lib/json.js';
import { impactClasses, type ImpactClass } from '../impact/impact.js';
import type { NodeRow } from '../impact/node-rows.js';
import { isDangerous } from '../impact/node-text.js';
import type { ClusterDiff } from './diff.js';

/** A part of a difference that a format may leave out. */
export interface Ranked {
  readonly impact: ImpactClass;
  /** Whether it is of a cluster in which nothing runs yet. */
  readonly isNew: boolean;
}

/** The class of notes about a cluster: what they are about shows in workloads. */
export const NOTES_CLASS: ImpactClass = 'restart';

/** The class of what happens to the nodes of a row. */
export function rowImpact(row: Pick<NodeRow, 'step' | 'end'>): ImpactClass {
  if (isDangerous(row)) return 'driver-loss';
  return row.step === 'drained' ? 'drain' : 'add';
}

/** The worst first, then clusters that changed or are gone before new ones; else in the given order. No name decides what is left out. */
export function worstFirst<T extends Ranked>(parts: readonly T[]): readonly T[] {
  return [...parts].sort(compareRanks);
}

function compareRanks(a: Ranked, b: Ranked): number {
  return impactClasses.indexOf(a.impact) - impactClasses.indexOf(b.impact) || Number(a.isNew) - Number(b.isNew);
}

type Differences = Pick<ClusterDiff, 'change' | 'objects' | 'nodes' | 'notes'>;

/** The worst that happens in a cluster. */
export function rankOf({ change, objects, nodes, notes }: Differences): Ranked {
  const found = new Set([
    ...objects.map((object) => object.impact),
    ...nodes.map(rowImpact),
    ...(notes.length === 0 ? [] : [NOTES_CLASS]),
  ]);
  return { impact: impactClasses.find((impact) => found.has(impact)) ?? 'metadata', isNew: change === 'added' };
}

/** Groups of clusters, as `worstFirst` has them, then by their first name. */
export function orderGroups<T extends Differences & { readonly names: readonly string[] }>(
  groups: readonly T[],
): readonly T[] {
  const byName = [...groups].sort((a, b) => compareText(a.names[0] ?? '', b.names[0] ?? ''));
  return worstFirst(byName.map((group) => ({ ...rankOf(group), group }))).map(({ group }) => group);
}

/** `140 more, none worse than policy (policy: 20, drain: 120)`, of what is left out. */
export function moreText(left: readonly Pick<Ranked, 'impact'>[], what = 'more'): string {
  const counts = impactClasses.flatMap((impact) => {
    const count = left.filter((part) => part.impact === impact).length;
    return count === 0 ? [] : [{ impact, count }];
  });
  const each = counts.map(({ impact, count }) => `${impact}: ${count}`).join(', ');
  return `${left.length} ${what}, none worse than ${counts[0]?.impact ?? 'metadata'}${counts.length > 1 ? ` (${each})` : ''}`;
}
