import { describe, expect, it } from '@jest/globals';
import { fc } from '../kit/fast-check.js';
import { runsOf } from '../kit/shares.js';
import { diffGroups } from '../../src/review/diff/groups.js';
import { renderDiffJson, type DiffDocument } from '../../src/review/diff/json.js';
import { diffCluster } from '../../src/review/diff/diff.js';
import { readNodes } from '../../src/review/pools/nodes.js';
import { drawPair, filesOf, type Pair } from './pairs.js';
import { nodeList, rollOut, type Measured } from './rollout.js';
import { compileSide, type Side } from './sides.js';

/**
 * Random pairs of inputs: what `weft diff --format json` says of nodes is what happens to them. The old side is applied to a
 * simulated cluster, then the new one as a GitOps controller applies it, and the loop of the companion runs until it ends.
 */

type Sets = Omit<Measured, 'log'>;

/** The sets of nodes that the document names. */
function saidSets(document: DiffDocument): Sets {
  const rows = document.clusters.flatMap(({ nodes }) => nodes);
  const named = (isIn: (row: (typeof rows)[number]) => boolean) =>
    rows
      .filter(isIn)
      .flatMap(({ nodes = [] }) => nodes)
      .sort();
  return {
    drained: named(({ step }) => step === 'drained'),
    lost: named(({ step }) => step === 'undrained' || step === 'at-once'),
    withoutDriver: named(({ end }) => end === 'none'),
    outdated: named(({ end }) => end === 'old'),
  };
}

function documentOf(pair: Pair, old: Side, next: Side): DiffDocument {
  const read = readNodes(nodeList(pair.nodes));
  if ('problem' in read) throw new Error(read.problem);
  const groups = diffGroups();
  groups.add(diffCluster({ name: 'east', old, next, nodes: read.nodes }));
  return JSON.parse([...renderDiffJson(groups.all(), { old: 'old' })].join('')) as DiffDocument;
}

describe('what a diff says of nodes', () => {
  it('is what happens when it is applied', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const pair = drawPair(seed);
        const [old, next] = [compileSide(filesOf(pair.old)), compileSide(filesOf(pair.next))];
        fc.pre(!('errors' in old || 'errors' in next));
        if ('errors' in old || 'errors' in next) return;
        const document = documentOf(pair, old, next);
        const { log, ...happened } = await rollOut(seed, old, next, pair.nodes);
        const about = { seed, changes: pair.changes, end: log.at(-1) };
        expect({ ...about, ...saidSets(document) }).toEqual({ ...about, ...happened });
      }),
      runsOf(40, 1000),
    );
  });
});
