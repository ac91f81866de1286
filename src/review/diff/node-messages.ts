import type { ObjectDiff } from './diff.js';
import type { DiffGroup } from './groups.js';
import type { NodeRow } from '../impact/node-rows.js';
import { byRank, countText, nodeText, placesText } from '../impact/node-text.js';

/**
 * What a difference does to nodes, one sentence each, the worst first: which nodes end without a driver, lose it under running pods,
 * keep an old one, are drained, or get one; then what the companion may do, and other settings.
 *
 * @param quote formats the name of a pool, a kernel or a driver
 */
export function nodeSentences(
  { objects, nodes, notes }: Pick<DiffGroup, 'objects' | 'nodes' | 'notes'>,
  quote: (name: string) => string,
): readonly string[] {
  const policies = objects
    .filter(({ impact }) => impact === 'policy')
    .flatMap((object) => object.notes.map((note) => (object.kind === 'Cluster' ? note : `companion: ${note}`)));
  return [
    ...rowSentences(nodes, quote),
    ...objects.filter(isOtherLoss).flatMap((object) => object.notes.slice(-1)),
    ...policies,
    ...notes,
    ...objects
      .filter(({ startsRun }) => startsRun)
      .map(({ name }) => `applying this starts the run ${quote(name)} of the companion`),
  ];
}

/** An object that driver pods depend on. */
function isOtherLoss({ impact, kind, poolsAtOnce }: ObjectDiff): boolean {
  return impact === 'driver-loss' && kind !== 'DaemonSet' && poolsAtOnce !== undefined;
}

/** Rows that say the same are one sentence. */
function rowSentences(rows: readonly NodeRow[], quote: (name: string) => string): readonly string[] {
  const byText = new Map<string, NodeRow>();
  for (const row of rows) {
    const text = nodeText(row, ({ version }) => (version === '' ? 'the driver' : `driver ${quote(version)}`));
    const known = byText.get(text);
    byText.set(text, known ? together(known, row) : row);
  }
  const merged = [...byText.values()];
  return [...byText]
    .sort(([, a], [, b]) => byRank(a, b))
    .map(([text, row]) => `${placesText(row, merged, quote)}${countText(row.nodes?.length)}: ${text}`);
}

function together(one: NodeRow, other: NodeRow): NodeRow {
  const nodes = one.nodes && other.nodes ? { nodes: [...one.nodes, ...other.nodes] } : {};
  return { ...one, places: [...one.places, ...other.places], ...nodes };
}
