import { expect, it } from '@jest/globals';
import { busy, fleet } from '../../../test/kit/decide-fleets.js';
import { NOW, policyOf } from '../../../test/kit/snapshots.js';
import { decide } from '../../companion/decide.js';
import { limitsOf, limitLines } from './limits.js';

it('says which limit holds how many nodes', () => {
  const inPool = { labels: { pool: 'gb200' } };
  const maintenanceWindows = [{ schedule: '0 22 * * *', duration: '1h' }];
  const pools = [{ name: 'gb200', nodeSelector: inPool.labels, maintenanceWindows }];
  const policy = policyOf({ maxParallelUpgrades: 1 }, { rollout: { pools } });
  const nodes = { a: inPool, b: inPool, c: inPool, x: busy, y: {}, z: { ready: 'Unknown' as const } };
  const { waiting } = decide(fleet(nodes), policy, NOW);
  expect(limitLines(limitsOf(waiting))).toEqual([
    '3 nodes wait (window): the next maintenance window of upgrade pool gb200 opens at 2026-11-20T22:00:00Z',
    '1 node waits (slot): 1 node of policy NicClusterPolicy is in progress, at most 1 may be',
  ]);
});
