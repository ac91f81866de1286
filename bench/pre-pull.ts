import { mean, print, upgrade } from './upgrade-run.js';
import { makeFleet } from './upgrade-fleet.js';

/**
 * The gain of `upgrade.prePull`: how long a node is cordoned if the image of the new driver is pulled before the upgrade of the node
 * begins, and if its driver pod pulls it. Measured with the companion's own loop, on the simulated API server, in virtual time.
 *
 * `npm run bench:pre-pull -- [nodes] [seconds of a pull]`
 */
const NODES = Number(process.argv[2] ?? 100);
const PULL_MS = Number(process.argv[3] ?? 60) * 1000;
const SLOTS = Math.max(1, Math.round(NODES / 20));

const later = await upgrade(makeFleet(NODES, SLOTS, { ms: PULL_MS, isEarly: false }));
const early = await upgrade(makeFleet(NODES, SLOTS, { ms: PULL_MS, isEarly: true }));

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
print(`${NODES} nodes, ${SLOTS} at a time, the image takes ${seconds(PULL_MS)} to pull`);
for (const { name, run } of [
  { name: 'pulled by the driver pod', run: later },
  { name: 'pulled before, upgrade.prePull', run: early },
]) {
  const { nodeMs, virtualMs, exitCode } = run;
  const figures = `a node is cordoned for ${seconds(mean(nodeMs))}, the run takes ${seconds(virtualMs)}`;
  print(`${name}: ${figures}; ${nodeMs.length} nodes upgraded, exit ${exitCode ?? 'none'}`);
}
const saved = mean(later.nodeMs) - mean(early.nodeMs);
const share = ((100 * saved) / mean(later.nodeMs)).toFixed(0);
print(
  `saved: ${seconds(saved)} of each node's time cordoned (${share} %), ${seconds(later.virtualMs - early.virtualMs)} of the run`,
);
