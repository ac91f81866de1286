import { performance } from 'node:perf_hooks';
import { decide } from '../src/upgrade/decide.js';
import { createRecall, type Recall } from '../src/upgrade/view/recall.js';
import { TRANSITIONS } from '../src/upgrade/flow/transitions.js';
import { NOW } from '../test/kit/snapshots.js';
import { cacheOf, type Cache } from './decide-cache.js';
import { decideCases, type DecideCase } from './decide-worlds.js';
import { heapBytes } from './heap.js';

/**
 * Times one decision on large clusters, and what it leaves on the heap, through the companion's own caches: the snapshot is taken
 * and decided on, as the loop does, after some pods and nodes changed and some evictions were refused. `first` is a decision
 * on caches that were just listed, of which nobody asked anything yet; `snapshot` is the part of the median that taking the
 * snapshot takes. Linear means five times as much at 5,000 nodes as at 1,000; collections of garbage are part of the time.
 */
const ROUNDS = Number(process.argv[2] ?? 25);
const SIZES = [1000, 5000] as const;
const FRESH_CACHES = 5;
const TARGET_MS = 50;
const LINEAR = SIZES[1] / SIZES[0];
/** Between two decisions. */
const CHANGES = { pods: 100, nodes: 20, refusals: 16 } as const;
/** What the loop's actor can use with its default concurrency. */
const MOST_EVICTIONS = 64;

interface Figure {
  readonly medianMs: number;
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
  const recall = createRecall();
  const decideOn = ({ observer }: Cache, recall: Recall) => {
    const start = performance.now();
    const snapshot = observer.snapshot(false);
    const taken = performance.now();
    const decision = decide(snapshot, policy, NOW, TRANSITIONS, { mostEvictions: MOST_EVICTIONS, recall });
    return { decision, totalMs: performance.now() - start, snapshotMs: taken - start };
  };
  const times = Array.from({ length: ROUNDS + 3 }, () => {
    cache.change(CHANGES.pods, CHANGES.nodes, CHANGES.refusals);
    const { totalMs, snapshotMs } = decideOn(cache, recall);
    return { totalMs, snapshotMs };
  });
  // The first rounds are the compiler's.
  const counted = times.slice(3);
  const beforeBytes = heapBytes();
  const { decision } = decideOn(cache, recall);
  const decisionBytes = heapBytes() - beforeBytes;
  const firsts: number[] = [];
  for (let index = 0; index < FRESH_CACHES; index += 1)
    firsts.push(decideOn(await cacheOf(build(nodes)), createRecall()).totalMs);
  return {
    medianMs: median(counted.map(({ totalMs }) => totalMs)),
    minMs: Math.min(...counted.map(({ totalMs }) => totalMs)),
    snapshotMs: median(counted.map(({ snapshotMs }) => snapshotMs)),
    firstMs: median(firsts),
    snapshotBytes: beforeBytes - emptyBytes,
    decisionBytes,
    actions: decision.actions.length,
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const met = (ms: number) => (ms <= TARGET_MS ? 'met' : 'MISSED');

process.stdout.write(`decide, 20 pods on each node: at most ${TARGET_MS} ms at ${SIZES[1]} nodes\n`);
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
  process.stdout.write(
    `        target ${met(large.medianMs)}, first ${met(large.firstMs)}; ${ratio.toFixed(1)} x the time of ${SIZES[0]} nodes, linear is ${LINEAR}\n`,
  );
}
