import { startCompanion, type Companion, type DecisionChange } from './companion.js';
import { END_MS, prepare, scheduleIncidents, violationOf } from './schedule.js';
import type { Simulation } from './apply-incident.js';
import { drawScenario, type Scenario } from './scenario.js';

export interface RunResult {
  readonly seed: number;
  readonly decisions: number;
  readonly violation?: { readonly rule: string; readonly fact: string };
  readonly log: readonly string[];
}

export interface Failure {
  readonly seed: number;
  readonly rule: string;
  readonly fact: string;
  /** The shortest scenario found that violates the same rule, and its trace. */
  readonly report: string;
}

/** One run: of the smallest loop (`runScenario`) or of the real one (`runLoopScenario`). */
type Runner = (scenario: Scenario) => RunResult | Promise<RunResult>;

/** Runs these seeds until three failed; a failure has the shortest scenario that was found for it. */
export async function runSeeds(
  from: number,
  count: number,
  run: Runner = runScenario,
  enough: () => boolean = () => false,
): Promise<{ readonly runs: number; readonly failures: readonly Failure[] }> {
  const failures: Failure[] = [];
  let runs = 0;
  for (let seed = from; seed < from + count && failures.length < 3 && !enough(); seed += 1) {
    runs += 1;
    const scenario = drawScenario(seed);
    const { violation } = await run(scenario);
    if (violation !== undefined) failures.push(await explain(scenario, violation.rule, run));
  }
  return { runs, failures };
}

async function explain(scenario: Scenario, rule: string, run: Runner): Promise<Failure> {
  const shortest = await shrink(scenario, async (candidate) => (await run(candidate)).violation?.rule === rule);
  const { violation, log } = await run(shortest);
  const { incidents, ...setting } = shortest;
  const report = [
    `seed ${scenario.seed}: ${rule}`,
    JSON.stringify(setting),
    ...incidents.map((incident) => `incident ${JSON.stringify(incident)}`),
    ...log.slice(-80),
    `=> ${violation?.rule}: ${violation?.fact}`,
    `replay: WEFT_SIM_SEED=${scenario.seed} npx jest test/sim/simulation.test.ts`,
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

/** One run of the smallest loop from beginning to end. */
export function runScenario(scenario: Scenario, change?: DecisionChange): RunResult {
  const { cluster, invariants } = prepare(scenario);
  let companion: Companion | undefined;
  const result = (violation?: RunResult['violation']): RunResult => ({
    seed: scenario.seed,
    decisions: companion?.decisions ?? 0,
    log: cluster.log,
    ...(violation === undefined ? {} : { violation }),
  });
  try {
    const started = startCompanion(cluster, invariants, change);
    companion = started;
    const simulation: Simulation = { cluster, companion: started, git: scenario.git, renames: 0 };
    scheduleIncidents(simulation, scenario, invariants, () => started.latest);
    while (cluster.events.step(END_MS));
    return result();
  } catch (error) {
    return result(violationOf(error));
  }
}
