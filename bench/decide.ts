import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { decide } from '../src/companion/decide.js';
import { NOW } from '../test/kit/snapshots.js';
import { cacheOf, type Cache } from './decide-cache.js';
import { decideCases, type DecideCase } from './decide-cases.js';
import { heapBytes } from './heap.js';
import { median } from './measure.js';

/**
 * Measures one decision on large clusters: its time, and the memory that it leaves on the heap. Like the loop, it takes a snapshot of
 * the companion's own caches and decides, after some pods and nodes changed and some evictions were refused. `first` is the first
 * decision on new caches; `snapshot` is the time of the snapshot, a part of the median. Linear means five times as much at 5,000 nodes
 * as at 1,000. The time includes garbage collection.
 */
const ROUNDS = Number(process.argv[2] ?? 25);
const SIZES = [1000, 5000] as const;
const FRESH_CACHES = 5;
/** Limits as multiples of the time of `node -e 0`, which runs once for each decision. */
const LIMITS = { atRest: 3, worst: 8 } as const;
const LINEAR = SIZES[1] / SIZES[0];
/** Changes between two decisions. */
const CHANGES = { pods: 100, nodes: 20, refusals: 16 } as const;
/** The maximum of the actuator with its default concurrency. */
const MOST_EVICTIONS = 64;

interface Figure {
  readonly medianMs: number;
  readonly nodeMs: number;
  readonly minMs: number;
  readonly snapshotMs: number;
  readonly firstMs: number;
  readonly snapshotBytes: number;
  readonly decisionBytes: number;
  readonly actions: number;
}

async function measure({ build, policy }: DecideCase, nodes: number): Promise<Figure> {
  const emptyBytes = heapBytes();
  const cache = await cacheOf(build(nodes));
  const decideOn = ({ observer }: Cache) => {
    const start = performance.now();
    const snapshot = observer.snapshot(false);
    const taken = performance.now();
    const decision = decide(snapshot, policy, NOW, { mostEvictions: MOST_EVICTIONS });
    return { decision, totalMs: performance.now() - start, snapshotMs: taken - start };
  };
  const times = Array.from({ length: ROUNDS + 3 }, () => {
    cache.change(CHANGES.pods, CHANGES.nodes, CHANGES.refusals);
    const { totalMs, snapshotMs } = decideOn(cache);
    return { totalMs, snapshotMs, nodeMs: emptyProcessMs() };
  });
  // Warm-up rounds are not counted.
  const counted = times.slice(3);
  const beforeBytes = heapBytes();
  const { decision } = decideOn(cache);
  const decisionBytes = heapBytes() - beforeBytes;
  const firsts: number[] = [];
  for (let index = 0; index < FRESH_CACHES; index += 1) firsts.push(decideOn(await cacheOf(build(nodes))).totalMs);
  return {
    medianMs: median(counted.map(({ totalMs }) => totalMs)),
    nodeMs: median(counted.map(({ nodeMs }) => nodeMs)),
    minMs: Math.min(...counted.map(({ totalMs }) => totalMs)),
    snapshotMs: median(counted.map(({ snapshotMs }) => snapshotMs)),
    firstMs: median(firsts),
    snapshotBytes: beforeBytes - emptyBytes,
    decisionBytes,
    actions: decision.actions.length,
  };
}

/** Baseline: the time of an empty process. */
function emptyProcessMs(): number {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

process.stdout.write(
  `decide, 20 pods on each node: at ${SIZES[1]} nodes at most ${LIMITS.atRest} x node -e 0 at rest, ${LIMITS.worst} x otherwise\n`,
);
process.stdout.write(
  `between decisions ${CHANGES.pods} pods and ${CHANGES.nodes} nodes change, ${CHANGES.refusals} evictions are refused\n`,
);
process.stdout.write('  nodes  median      min  snapshot     first  caches/node  decision/node  actions\n');
for (const one of decideCases) {
  process.stdout.write(`${one.name}\n`);
  const figures: Figure[] = [];
  for (const nodes of SIZES) {
    const figure = await measure(one, nodes);
    figures.push(figure);
    const { medianMs, minMs, snapshotMs, firstMs, snapshotBytes, decisionBytes, actions } = figure;
    const cells = [
      String(nodes).padStart(7),
      `${medianMs.toFixed(1)} ms`.padStart(10),
      `${minMs.toFixed(1)} ms`.padStart(9),
      `${snapshotMs.toFixed(1)} ms`.padStart(9),
      `${firstMs.toFixed(1)} ms`.padStart(9),
      `${(snapshotBytes / nodes / 1024).toFixed(1)} KiB`.padStart(11),
      `${(decisionBytes / nodes / 1024).toFixed(2)} KiB`.padStart(13),
      String(actions).padStart(8),
    ];
    process.stdout.write(`${cells.join(' ')}\n`);
  }
  const [small, large] = figures;
  if (small === undefined || large === undefined) continue;
  const ratio = large.medianMs / small.medianMs;
  const multiple = large.medianMs / large.nodeMs;
  const limit = one.name === 'all done' ? LIMITS.atRest : LIMITS.worst;
  process.stdout.write(
    `        ${multiple.toFixed(1)} x node -e 0 (${multiple <= limit ? 'met' : 'MISSED'}); ` +
      `${ratio.toFixed(1)} x the time of ${SIZES[0]} nodes, linear is ${LINEAR}\n`,
  );
}
