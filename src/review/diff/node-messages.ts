import type { ObjectDiff } from './diff.js';
import type { DiffGroup } from './groups.js';
import type { NodeRow } from '../impact/node-rows.js';
import type { ImpactClass } from '../impact/impact.js';
import { byRank, countText, nodeText, placesText } from '../impact/node-text.js';
import { NOTES_CLASS, rowImpact, worstFirst, type Ranked } from './order.js';

/** A sentence about nodes, without a full stop, and how bad it is. */
interface NodeSentence extends Ranked {
  readonly text: string;
}

/**
 * What a difference does to nodes, one sentence each, the worst first: which nodes end without a driver, lose it under running pods or
 * keep an old one; what the companion may do; which nodes are drained; other settings; which nodes get a driver.
 *
 * @param quote formats the name of a pool, a kernel or a driver
 */
export function nodeSentences(
  { change, objects, nodes, notes }: Pick<DiffGroup, 'change' | 'objects' | 'nodes' | 'notes'>,
  quote: (name: string) => string,
): readonly NodeSentence[] {
  const isNew = change === 'added';
  const of = (impact: ImpactClass, texts: readonly string[]) => texts.map((text) => ({ impact, isNew, text }));
  const policies = objects
    .filter(({ impact }) => impact === 'policy')
    .flatMap((object) => object.notes.map((note) => (object.kind === 'Cluster' ? note : `companion: ${note}`)));
  const runs = objects
    .filter(({ startsRun }) => startsRun)
    .map(({ name }) => `applying this starts the run ${quote(name)} of the companion`);
  return worstFirst([
    ...rowSentences(nodes, quote).flatMap(({ impact, text }) => of(impact, [text])),
    ...of(
      'driver-loss',
      objects.filter(isOtherLoss).flatMap((object) => object.notes.slice(-1)),
    ),
    ...of('policy', policies),
    ...of(NOTES_CLASS, notes),
    ...of('add', runs),
  ]);
}

/** An object that driver pods depend on. */
function isOtherLoss({ impact, kind, poolsAtOnce }: ObjectDiff): boolean {
  return impact === 'driver-loss' && kind !== 'DaemonSet' && poolsAtOnce !== undefined;
}

/** Rows that say the same are one sentence. */
function rowSentences(
  rows: readonly NodeRow[],
  quote: (name: string) => string,
): readonly Pick<NodeSentence, 'impact' | 'text'>[] {
  const byText = new Map<string, NodeRow>();
  for (const row of rows) {
    const text = nodeText(row, ({ version }) => (version === '' ? 'the driver' : `driver ${quote(version)}`));
    const known = byText.get(text);
    byText.set(text, known ? together(known, row) : row);
  }
  const merged = [...byText.values()];
  return [...byText]
    .sort(([, a], [, b]) => byRank(a, b))
    .map(([text, row]) => ({
      impact: rowImpact(row),
      text: `${placesText(row, merged, quote)}${countText(row.nodes?.length)}: ${text}`,
    }));
}

function together(one: NodeRow, other: NodeRow): NodeRow {
  const nodes = one.nodes && other.nodes ? { nodes: [...one.nodes, ...other.nodes] } : {};
  return { ...one, places: [...one.places, ...other.places], ...nodes };
}
