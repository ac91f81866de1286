import { performance } from 'node:perf_hooks';
import { decide } from '../src/upgrade/decide.js';
import type { Snapshot } from '../src/upgrade/types.js';
import { NOW } from '../test/upgrade/world-kit.js';
import { decideCases, type DecideCase } from './decide-worlds.js';
import { heapBytes } from './heap.js';

/**
 * Times one decision on large clusters, and what it leaves on the heap. Linear means five times as much at 5,000 nodes as at
 * 1,000; collections of garbage are part of the time. A decision remembers nothing for the next one. `first` is the shortest of
 * some that see their snapshot for the first time, when the hashes of its names are not known to the engine yet.
 */
const ROUNDS = Number(process.argv[2] ?? 15);
const SIZES = [1000, 5000] as const;
const FRESH_SNAPSHOTS = 3;
const TARGET_MS = 50;
const LINEAR = SIZES[1] / SIZES[0];

interface Figure {
  readonly medianMs: number;
  readonly minMs: number;
  readonly firstMs: number;
  readonly snapshotBytes: number;
  readonly decisionBytes: number;
  readonly actions: number;
}

function measure({ build, policy }: DecideCase, nodes: number): Figure {
  const emptyBytes = heapBytes();
  const snapshot = build(nodes);
  const snapshotBytes = heapBytes() - emptyBytes;
  const timeOf = (of: Snapshot): number => {
    const start = performance.now();
    decide(of, policy, NOW);
    return performance.now() - start;
  };
  const times = Array.from({ length: ROUNDS + 3 }, () => timeOf(snapshot));
  // The first rounds are the compiler's.
  const sorted = times.slice(3).sort((a, b) => a - b);
  const beforeBytes = heapBytes();
  const decision = decide(snapshot, policy, NOW);
  const decisionBytes = heapBytes() - beforeBytes;
  const firsts = Array.from({ length: FRESH_SNAPSHOTS }, () => timeOf(build(nodes)));
  return {
    firstMs: Math.min(...firsts),
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    minMs: sorted[0] ?? 0,
    snapshotBytes,
    decisionBytes,
    actions: decision.actions.length,
  };
}

process.stdout.write(`decide, 20 pods on each node: at most ${TARGET_MS} ms at ${SIZES[1]} nodes\n`);
process.stdout.write('  nodes  median      min     first  snapshot/node  decision/node  actions\n');
for (const one of decideCases) {
  process.stdout.write(`${one.name}\n`);
  const figures = SIZES.map((nodes) => ({ nodes, figure: measure(one, nodes) }));
  for (const { nodes, figure } of figures) {
    const { medianMs, minMs, firstMs, snapshotBytes, decisionBytes, actions } = figure;
    const cells = [
      String(nodes).padStart(7),
      `${medianMs.toFixed(1)} ms`.padStart(10),
      `${minMs.toFixed(1)} ms`.padStart(9),
      `${firstMs.toFixed(1)} ms`.padStart(9),
      `${(snapshotBytes / nodes / 1024).toFixed(1)} KiB`.padStart(13),
      `${(decisionBytes / nodes / 1024).toFixed(2)} KiB`.padStart(13),
      String(actions).padStart(8),
    ];
    process.stdout.write(`${cells.join(' ')}\n`);
  }
  const [small, large] = figures.map(({ figure }) => figure);
  if (small === undefined || large === undefined) continue;
  const ratio = large.medianMs / small.medianMs;
  const verdict = large.medianMs <= TARGET_MS ? 'met' : 'missed';
  process.stdout.write(
    `        target ${verdict}; ${ratio.toFixed(1)} x the time of ${SIZES[0]} nodes, linear is ${LINEAR}\n`,
  );
}
