import { describe, expect, it } from '@jest/globals';
import { runLoopScenario } from './run/loop-run.js';
import { runScenario, runSeeds, shrink } from './run/run.js';
import { drawScenario } from './scenario/scenario.js';

/**
 * `WEFT_SIM_RUNS`: number of seeds. The default is a fixed number, so that the same seeds run on every machine. `WEFT_SIM_SEED`: the
 * first seed; alone, the only one.
 */
const seedText = process.env['WEFT_SIM_SEED'];
const runsText = process.env['WEFT_SIM_RUNS'];
const FROM = seedText === undefined ? 1 : Number(seedText);
const RUNS = runsText === undefined ? (seedText === undefined ? 4 : 1) : Number(runsText);
/** A run with Leases, Jobs and a CronJob takes a little longer. */
const LOOP_RUNS = Math.ceil(RUNS / 2);
const LONGEST_MS = 3_600_000;

describe('a cluster with faults', () => {
  it(
    `keeps every invariant and ends, seeds ${FROM} to ${FROM + RUNS - 1}`,
    async () => {
      const { failures } = await runSeeds(FROM, RUNS);
      expect(failures.map(({ report }) => report).join('\n\n')).toBe('');
    },
    LONGEST_MS,
  );

  it(
    `keeps them with Leases, Jobs and a CronJob, seeds ${FROM} to ${FROM + LOOP_RUNS - 1}`,
    async () => {
      const { failures } = await runSeeds(FROM, LOOP_RUNS, (scenario) => runLoopScenario(scenario));
      expect(failures.map(({ report }) => report).join('\n\n')).toBe('');
    },
    LONGEST_MS,
  );

  it('gives the same trace each time', async () => {
    // Of the seeds with some incidents, the one with the fewest nodes.
    const [seed = FROM] = [...Array(30).keys()]
      .filter((one) => drawScenario(one).incidents.length > 3)
      .sort((one, other) => drawScenario(one).nodes.length - drawScenario(other).nodes.length);
    expect(runScenario(drawScenario(seed)).log).toEqual(runScenario(drawScenario(seed)).log);
    const [first, second] = [await runLoopScenario(drawScenario(seed)), await runLoopScenario(drawScenario(seed))];
    expect(first.log).toEqual(second.log);
  });

  it('is made shorter as long as it fails', async () => {
    const seed = [...Array(100).keys()].find((one) => drawScenario(one).incidents.length > 10) ?? 0;
    const scenario = drawScenario(seed);
    const [, culprit] = scenario.incidents;
    const short = await shrink(scenario, ({ incidents }) => culprit !== undefined && incidents.includes(culprit));
    expect(short.incidents).toEqual([culprit]);
    expect([short.nodes.length, short.workloads.length, short.conditions.faultRate]).toEqual([1, 0, 0]);
  });
});
