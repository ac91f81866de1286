import { performance } from 'node:perf_hooks';
import { heapBytes } from './heap.js';
import { mean, print, upgrade } from './upgrade-run.js';
import { makeFleet } from './upgrade-fleet.js';

/**
 * An upgrade of a large cluster by the companion's own loop, on the simulated API server, in virtual time. Measures the number of
 * requests, the duration compared with that of one node, and the memory on the heap.
 */
const NODES = Number(process.argv[2] ?? 1000);
const SLOTS = Math.max(1, Math.round(NODES / 20));
const MOST_REQUESTS = 12;
const MOST_TIME = 1.1;
const HEAP_SIZES = [1000, 5000] as const;
/** When the heap is measured: after the lists, while the first nodes are in progress. */
const HEAP_MS = 30_000;

const verdict = (figure: number, most: number) => (figure <= most ? `met, at most ${most}` : `MISSED, at most ${most}`);

const alone = await upgrade(makeFleet(1, 1));
const started = performance.now();
const run = await upgrade(makeFleet(NODES, SLOTS));
const seconds = (performance.now() - started) / 1000;
const total = [...run.requests.values()].reduce((sum, count) => sum + count, 0);
const perNode = (total - run.evictedPods) / NODES;
const nodeMs = mean(run.nodeMs);
const ideal = (NODES / SLOTS) * nodeMs;

print(
  `${NODES} nodes, 5 pods each, ${SLOTS} at a time; exit ${run.exitCode ?? 'none'}, ${seconds.toFixed(0)} s of real time`,
);
print(`requests: ${total}, ${run.evictedPods} pods evicted`);
for (const [name, count] of [...run.requests].sort(([, a], [, b]) => b - a)) {
  print(`  ${name.padEnd(16)} ${String(count).padStart(7)}  ${(count / NODES).toFixed(2)} per node`);
}
print(`requests per node beside one eviction per pod: ${perNode.toFixed(2)} (${verdict(perNode, MOST_REQUESTS)})`);
print(`nodes upgraded: ${run.nodeMs.length}, at most ${run.mostAtOnce} at once (${verdict(run.mostAtOnce, SLOTS)})`);
print(
  `time of a node: ${(nodeMs / 1000).toFixed(1)} s, of which its new driver ${(mean(run.fleet.restartsMs) / 1000).toFixed(1)} s`,
);
print(`a cluster of one node: ${(alone.virtualMs / 1000).toFixed(1)} s from start to exit`);
print(
  `time of the run: ${(run.virtualMs / 1000).toFixed(0)} s, ${(run.virtualMs / ideal).toFixed(3)} x ` +
    `nodes / slots x time of a node (${verdict(run.virtualMs / ideal, MOST_TIME)})`,
);

const perNodeBytes: number[] = [];
for (const nodes of HEAP_SIZES) {
  const fleet = makeFleet(nodes, nodes / 20);
  const before = heapBytes();
  let bytes = 0;
  await upgrade(fleet, HEAP_MS, () => (bytes = heapBytes() - before));
  perNodeBytes.push(bytes / nodes);
  print(
    `heap of the companion at ${nodes} nodes: ${(bytes / 2 ** 20).toFixed(1)} MiB, ${(bytes / nodes / 1024).toFixed(1)} KiB per node`,
  );
}
const [small = 1, large = 1] = perNodeBytes;
print(
  `heap per node, ${HEAP_SIZES[1]} to ${HEAP_SIZES[0]}: ${(large / small).toFixed(2)} (${verdict(large / small, 1.1)})`,
);
