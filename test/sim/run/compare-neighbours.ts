import type { Git, GitDriver } from '../scenario/git.js';
import type { Incident } from '../scenario/incidents.js';
import type { Stuck, StuckScenario } from '../scenario/neighbours.js';
import { longestRunMs } from '../rules/run-length.js';
import type { RunResult } from './run.js';
import { CRON_EVERY_MS } from './schedule.js';
import type { Scenario } from '../scenario/scenario.js';

const MINUTE_MS = 60_000;
/** A drain without obstacles with its refused and repeated requests, the restart of a driver and of the companion. */
const QUICK_NODE_MS = 8 * MINUTE_MS;

/** The same scenario without the node, and without the slot that it takes. */
function withoutStuck(scenario: Scenario, { node, takesSlot }: Stuck): Scenario {
  const { git, nodes, incidents } = scenario;
  const isOfNode = (incident: Incident): boolean =>
    ('node' in incident && incident.node === node) || ('webhook' in incident && incident.webhook.node === node);
  const slotsOf = ({ maxParallelUpgrades: slots }: GitDriver): number => (takesSlot && slots > 0 ? slots - 1 : slots);
  const drivers = git.drivers.map((driver) => ({ ...driver, maxParallelUpgrades: slotsOf(driver) }));
  return {
    ...scenario,
    git: { ...git, drivers },
    nodes: nodes.filter(({ name }) => name !== node),
    incidents: incidents.filter((incident) => !isOfNode(incident)),
  };
}

type Violated = NonNullable<RunResult['violation']>;

/** A node that cannot go on costs the others nothing but its slot: they end as they do without it, and in the time that they need. */
export async function compareNeighbours(
  scenario: StuckScenario,
  run: (scenario: Scenario) => RunResult | Promise<RunResult>,
): Promise<RunResult> {
  const { stuck } = scenario;
  const result = await run(scenario);
  if (result.violation !== undefined) return result;
  const alone = await run(withoutStuck(scenario, stuck));
  if (alone.violation !== undefined) return alone;
  const violation = violationOf(scenario, result, alone);
  return violation === undefined ? result : { ...result, violation };
}

function violationOf(
  scenario: StuckScenario,
  { ends }: RunResult,
  { ends: endsAlone }: RunResult,
): Violated | undefined {
  const { stuck } = scenario;
  const rule = 'a node that cannot go on costs the others nothing but its slot';
  let [lastMs, lastAloneMs] = [0, 0];
  for (const [node, alone] of endsAlone) {
    const end = ends.get(node);
    if (end?.state !== alone.state)
      return { rule, fact: `${node}: ${end?.state} with ${stuck.node}, ${alone.state} without` };
    lastMs = Math.max(lastMs, end.atMs);
    lastAloneMs = Math.max(lastAloneMs, alone.atMs);
  }
  const fact = `${minutes(lastMs)} min with ${stuck.node}, ${minutes(lastAloneMs)} without`;
  // The order of the nodes and the time that a driver takes to load differ.
  const { loadMs, jobMs, takesSlot, withoutNodeMs } = stuck;
  const mostMs = QUICK_NODE_MS + loadMs + jobMs + withoutNodeMs + betweenRunsMs(scenario.git);
  if (lastMs > lastAloneMs + mostMs) return { rule, fact };
  const others = {
    git: scenario.git,
    nodes: endsAlone.size,
    stuckNodes: takesSlot ? 1 : 0,
    cordonedNodes: 0,
    repeatedNodes: 0,
    withoutNodeMs,
    clockBehindMs: 0,
  };
  const most = longestRunMs({ ...others, loadMs, jobMs });
  return lastMs > most
    ? { rule: 'a run is no longer than its policy and its nodes need', fact: `${fact}; at most ${minutes(most)}` }
    : undefined;
}

/**
 * A run that only waits for a soak ends. If a newer policy starts another one then, the soak is over or not by the clock of its node, and
 * if not, the next run of the CronJob goes on.
 */
function betweenRunsMs({ rollout }: Git): number {
  return rollout.canary === undefined ? 0 : CRON_EVERY_MS;
}

const minutes = (ms: number): string => (ms / MINUTE_MS).toFixed(1);
