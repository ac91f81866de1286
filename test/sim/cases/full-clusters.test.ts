import { afterAll, describe, expect, it } from '@jest/globals';
import { makeRandom } from '../../../src/forecast/simulation/random.js';
import { isEveryCase } from '../../kit/shares.js';
import { upgradeFullCluster, type FullCluster } from './full-cluster.js';

/** Number of random clusters besides those of the table, and the first seed. */
const DRAWN = Number(process.env['WEFT_FULL_CLUSTERS'] ?? (isEveryCase ? 12 : 1));
const FIRST_SEED = Number(process.env['WEFT_SIM_SEED'] ?? 1);

const known: readonly FullCluster[] = [
  { nodes: 10, podsPerNode: 5, podCapacity: 6, budget: 0.1, drainTimeoutSeconds: 300, seed: 1 },
  { nodes: 10, podsPerNode: 5, podCapacity: 6, budget: 0.02, drainTimeoutSeconds: 300, seed: 2 },
  { nodes: 12, podsPerNode: 11, podCapacity: 12, budget: 0.1, drainTimeoutSeconds: 300, seed: 3 },
  { nodes: 6, podsPerNode: 4, podCapacity: 5, budget: 0.25, drainTimeoutSeconds: 60, seed: 4 },
];

function draw(seed: number): FullCluster {
  const random = makeRandom(seed, 'full-cluster');
  const podCapacity = random.int(4, 10);
  return {
    nodes: random.int(4, 12),
    podsPerNode: podCapacity - random.int(1, 2),
    podCapacity,
    budget: random.pick([0.02, 0.05, 0.1, 0.2, 0.4]),
    drainTimeoutSeconds: random.pick([60, 300]),
    seed,
  };
}

const drawn = Array.from({ length: DRAWN }, (_, index) => draw(FIRST_SEED + index));

let notComparable = 0;
afterAll(() => {
  const all = (isEveryCase ? known.length : 1) + DRAWN;
  process.stdout.write(`${all - notComparable} of ${all} full clusters pass with one node at a time\n`);
});

/** An upgrade that passes with one node at a time passes with every parallelism. */
describe('full clusters with budgets', () => {
  it.each([...(isEveryCase ? known : known.slice(0, 1)), ...drawn])('%j', (cluster) => {
    // Drains close to the time-out pass only sometimes.
    const drainTimeoutSeconds = 0.75 * cluster.drainTimeoutSeconds;
    const one = upgradeFullCluster({ ...cluster, drainTimeoutSeconds }, 1);
    if ((one.states['upgrade-failed'] ?? 0) > 0) return void (notComparable += 1);
    for (const parallel of [3, 0]) {
      const { states, cordoned } = upgradeFullCluster(cluster, parallel);
      expect({ parallel, states, cordoned }).toEqual({ parallel, states: one.states, cordoned: 0 });
    }
  });

  it('does not change a full cluster, and names the blocking pods', () => {
    const cluster = { nodes: 4, podsPerNode: 4, podCapacity: 4, budget: 0.1, drainTimeoutSeconds: 60, seed: 5 };
    const { states, cordoned } = upgradeFullCluster(cluster, 3);
    expect({ states, cordoned }).toEqual({ states: { 'upgrade-failed': 4 }, cordoned: 0 });
  });
});
