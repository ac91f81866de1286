import { diffGroups } from '../../src/review/diff/groups.js';
import { renderDiffJson, type DiffDocument } from '../../src/review/diff/json.js';
import { diffCluster } from '../../src/review/diff/diff.js';
import { readNodes } from '../../src/cluster/pools/nodes.js';
import { WORKLOAD, type Pair } from './pairs.js';
import { nodeList, type Measured } from './rollout.js';
import type { Side } from './sides.js';

type Sets = Omit<Measured, 'log'>;

type Row = DiffDocument['clusters'][number]['nodes'][number];

/** The sets of nodes that the document names. */
export function saidSets(document: DiffDocument): Sets {
  const rows = document.clusters.flatMap(({ nodes }) => nodes);
  const named = (isIn: (row: Row) => boolean) =>
    rows
      .filter(isIn)
      .flatMap(({ nodes = [] }) => nodes)
      .sort();
  const restarts = document.clusters.flatMap((cluster) => cluster.restarts);
  const isDrain = ({ step, isDrainedToLoad }: Row) => step === 'drained' || isDrainedToLoad === true;
  const isOfWorkload = ({ podSelector = WORKLOAD }: Row) => podSelector === WORKLOAD;
  return {
    drained: named((row) => isDrain(row) && isOfWorkload(row)),
    lost: named((row) =>
      row.step === 'drained' ? !isOfWorkload(row) : row.step === 'undrained' || row.step === 'at-once',
    ),
    withoutDriver: named(({ end }) => end === 'none'),
    outdated: named(({ end }) => end === 'old'),
    restarted: restarts
      .flatMap(({ daemonSet, nodes = [] }) => nodes.map((name) => `${daemonSet.split('/')[1] ?? ''}@${name}`))
      .sort(),
    problems: [],
  };
}

/** The nodes that the companion brings another driver, as the document says. */
export function upgradedNodes({ clusters }: DiffDocument): ReadonlySet<string> {
  const rows = clusters.flatMap(({ nodes }) => nodes);
  const moved = rows.filter(({ step, end }) => (step === 'drained' || step === 'undrained') && end === 'new');
  return new Set(moved.flatMap(({ nodes = [] }) => nodes));
}

export function documentOf(pair: Pair, old: Side, next: Side): DiffDocument {
  const read = readNodes(nodeList(pair.nodes));
  if ('problem' in read) throw new Error(read.problem);
  const groups = diffGroups();
  groups.add(diffCluster({ name: 'east', old, next, nodes: read.nodes }));
  return JSON.parse([...renderDiffJson(groups.all(), { old: 'old' })].join('')) as DiffDocument;
}
