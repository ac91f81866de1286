import { startCompanion, type Companion, type DecisionChange } from './companion.js';
import { LATEST_END_MS, prepare, scheduleIncidents, violationOf, type NodeEnd } from './schedule.js';
import { startSimulation } from '../simulation.js';
import { compareNeighbours } from './compare-neighbours.js';
import { drawScenario, type Scenario, type ScenarioKind } from '../scenario/scenario.js';

export interface RunResult {
  readonly seed: number;
  readonly decisions: number;
  readonly violation?: { readonly rule: string; readonly fact: string };
  readonly log: readonly string[];
  /** The state of each node before the repair. */
  readonly ends: ReadonlyMap<string, NodeEnd>;
}

export interface Failure {
  readonly seed: number;
  readonly rule: string;
  readonly fact: string;
  /** The shortest scenario found that violates the same rule, and its trace. */
  readonly report: string;
}

/** One run: of the loop alone (`runScenario`), or with Leases, Jobs and a CronJob around it (`runLoopScenario`). */
type Runner = (scenario: Scenario) => RunResult | Promise<RunResult>;

/**
 * Runs these seeds until three failed; a failure has the shortest scenario that was found for it.
 *
 * @param only a trouble that every run has. Default: those that are drawn for the seed.
 */
export async function runSeeds(
  from: number,
  count: number,
  run: Runner = runScenario,
  only?: ScenarioKind,
): Promise<{ readonly runs: number; readonly failures: readonly Failure[] }> {
  const failures: Failure[] = [];
  let runs = 0;
  for (let seed = from; seed < from + count && failures.length < 3; seed += 1) {
    runs += 1;
    const scenario = drawScenario(seed, only);
    const { violation } = await check(scenario, run);
    if (violation !== undefined) failures.push(await explain(scenario, violation.rule, run, only));
  }
  return { runs, failures };
}

/** Runs a scenario, and the one without its stuck node if it has one. */
function check(scenario: Scenario, run: Runner): RunResult | Promise<RunResult> {
  const { stuck } = scenario;
  const isThere = scenario.nodes.some(({ name }) => name === stuck?.node);
  return stuck === undefined || !isThere ? run(scenario) : compareNeighbours({ ...scenario, stuck }, run);
}

async function explain(scenario: Scenario, rule: string, run: Runner, only?: ScenarioKind): Promise<Failure> {
  const shortest = await shrink(scenario, async (candidate) => (await check(candidate, run)).violation?.rule === rule);
  const { violation, log } = await check(shortest, run);
  const { incidents, ...setting } = shortest;
  const report = [
    `seed ${scenario.seed}: ${rule}`,
    JSON.stringify(setting),
    ...incidents.map((incident) => `incident ${JSON.stringify(incident)}`),
    ...log.slice(-Number(process.env['SIM_LOG'] ?? 80)),
    `=> ${violation?.rule}: ${violation?.fact}`,
    `replay: npm run sim -- --runs 1 --seed ${scenario.seed}${only === undefined ? '' : ` --only ${only}`}${run === runScenario ? '' : ' --loop'}`,
  ].join('\n');
  return { seed: scenario.seed, rule, fact: violation?.fact ?? '', report };
}

type Fails = (candidate: Scenario) => boolean | Promise<boolean>;

/** Removes all that is not needed for the failure: faults, lag, incidents one by one, workloads, nodes. */
export async function shrink(scenario: Scenario, fails: Fails): Promise<Scenario> {
  let best = scenario;
  const attempt = async (candidate: Scenario): Promise<boolean> => {
    if (!(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  await attempt({ ...best, conditions: { ...best.conditions, faultRate: 0 } });
  await attempt({ ...best, conditions: { ...best.conditions, lagMs: 1 } });
  let shorter = true;
  while (shorter) {
    shorter = false;
    for (const one of [...best.incidents].reverse()) {
      if (await attempt({ ...best, incidents: best.incidents.filter((other) => other !== one) })) shorter = true;
    }
    for (const one of best.workloads) {
      if (await attempt({ ...best, workloads: best.workloads.filter((other) => other !== one) })) shorter = true;
    }
    for (const one of best.nodes) {
      const nodes = best.nodes.filter((other) => other !== one);
      if (nodes.length > 0 && (await attempt({ ...best, nodes }))) shorter = true;
    }
  }
  return best;
}

/** One run of the loop alone from beginning to end. */
export function runScenario(scenario: Scenario, change?: DecisionChange): RunResult {
  const { cluster, invariants, ends } = prepare(scenario);
  let companion: Companion | undefined;
  const result = (violation?: RunResult['violation']): RunResult => ({
    seed: scenario.seed,
    decisions: companion?.decisions ?? 0,
    log: cluster.log,
    ends,
    ...(violation === undefined ? {} : { violation }),
  });
  try {
    const started = startCompanion(cluster, invariants, change);
    companion = started;
    const simulation = startSimulation(cluster, started, scenario.git);
    scheduleIncidents(simulation, scenario, invariants, () => started.latest);
    while (!simulation.isOver && cluster.events.step(LATEST_END_MS));
    return result();
  } catch (error) {
    return result(violationOf(error));
  }
}
