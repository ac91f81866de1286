import { describe, expect, it } from '@jest/globals';
import { fc } from '../kit/fast-check.js';
import { runsOf } from '../kit/shares.js';
import { movedDrivers } from '../../src/review/impact/moved-drivers.js';
import { drawPair, filesOf } from './pairs.js';
import { driversOf, rollOut, type Measured } from './rollout.js';
import { documentOf, saidSets, upgradedNodes } from './said.js';
import { compileSide } from './sides.js';

/**
 * Random pairs of inputs: what `weft diff --format json` says of nodes is what happens to them. The old side is applied to a
 * simulated cluster, then the new one as a GitOps controller applies it, and the loop of the companion runs until it ends.
 */

describe('what a diff says of nodes', () => {
  it('is what happens when it is applied', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const pair = drawPair(seed);
        const [old, next] = [compileSide(filesOf(pair.old)), compileSide(filesOf(pair.next))];
        fc.pre(!('errors' in old || 'errors' in next));
        if ('errors' in old || 'errors' in next) return;
        if (next.cluster.namespace !== old.cluster.namespace) {
          const refused = movedDrivers(next.cluster, old.objects, next.objects).map(({ code }) => code);
          expect({ seed, refused }).toEqual({ seed, refused: driversOf(old).length === 0 ? [] : ['WEFT0280'] });
          return;
        }
        const document = documentOf(pair, old, next);
        const { log, ...happened } = await rollOut(seed, old, next, pair.nodes, upgradedNodes(document));
        const about = { seed, changes: pair.changes, end: log.at(-1) };
        expect({ ...about, ...settled(saidSets(document)) }).toEqual({ ...about, ...settled(happened) });
      }),
      runsOf(12, 1000),
    );
  });
});

/**
 * Without restarts on nodes that end without a driver: chance decides whether the driver goes before a pod that waits for it is made
 * anew, and then runs (seed 598316876), or after, and then it waits.
 */
function settled(sets: Omit<Measured, 'log'>): Omit<Measured, 'log'> {
  const isSettled = (restart: string) => !sets.withoutDriver.some((node) => restart.endsWith(`@${node}`));
  return { ...sets, restarted: sets.restarted.filter(isSettled) };
}
