import { desiredOf } from '../src/forecast/plan/desired.js';
import { makePlan } from '../src/forecast/plan/plan.js';
import { AT, fleetOf } from '../test/plan/fleet.js';

/**
 * `weft plan` with 20 pods for each node: one run for 200 and for 1,000 nodes, and ten runs for 200. Goals: 3 s, 20 s with 300 MiB, and 20 s.
 * Prints processor time, which depends less on what else the machine does. There is no peer: no other program simulates an upgrade.
 *
 *     npm run bench:plan -- [nodes[x<runs>] …]
 *
 * It limits the heap: without a limit V8 collects garbage later, and the memory says nothing about what a plan needs. It is bundled as the
 * command is: with tsx each function that is made in a decision gets its name again, which takes a sixth of the time.
 */
const given = process.argv.slice(2);

for (const text of given.length === 0 ? ['200', '1000', '200x10'] : given) {
  const [nodes = 0, runs = 1] = text.split('x').map(Number);
  const maxParallelUpgrades = Math.ceil(nodes / 25);
  const { objects, snapshot } = fleetOf({ nodes, podsPerNode: 20, upgradePolicy: { maxParallelUpgrades } });
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const plan = makePlan(desired, snapshot, { at: AT, runs });
  const elapsed = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(before);
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${nodes} nodes, ${runs === 1 ? '1 run' : `${runs} runs`}: ${((user + system) / 1e6).toFixed(1)} s of a processor, ` +
      `${elapsed.toFixed(1)} s, ${mebibytes.toFixed(0)} MiB; ` +
      `${plan.upgraded} upgraded in ${plan.waves} waves, ${plan.podsEvicted} pods evicted`,
  );
}
