import { performance } from 'node:perf_hooks';
import { driverKeys } from '../src/contract/labels.js';
import { runCompanion } from '../src/upgrade/runtime/loop/loop.js';
import type { ClusterPort, Ports } from '../src/upgrade/runtime/ports.js';
import { makeClusterPort } from '../test/kit/cluster-port.js';
import { makeWatchServer } from '../test/kit/watch-server.js';
import { NAMESPACE } from '../test/sim/scenario.js';
import { heapBytes } from './heap.js';
import { makeFleet, type Fleet } from './upgrade-fleet.js';

/**
 * An upgrade of a large cluster by the companion's own loop, on the fake API server, in virtual time: how many requests it
 * sends, how long it takes compared with the time that one node takes, and what it keeps on the heap.
 */
const NODES = Number(process.argv[2] ?? 1000);
const SLOTS = Math.max(1, Math.round(NODES / 20));
const MOST_REQUESTS = 12;
const MOST_TIME = 1.1;
const HEAP_SIZES = [1000, 5000] as const;
/** A run that is not over by then is stuck. */
const LONGEST_MS = 24 * 3_600_000;
/** When the heap is measured: everything is listed, the first nodes are in progress. */
const HEAP_MS = 30_000;

interface Course {
  readonly fleet: Fleet;
  readonly requests: ReadonlyMap<string, number>;
  readonly evictedPods: number;
  readonly exitCode: number | undefined;
  readonly virtualMs: number;
  /** From the cordon of a node to the end of its upgrade, each. */
  readonly nodeMs: readonly number[];
  readonly mostAtOnce: number;
}

/** Runs the companion until it ends, or until `untilMs` of virtual time; `at` is called then. */
async function upgrade(fleet: Fleet, untilMs: number, at: () => void = () => undefined): Promise<Course> {
  const { world } = fleet;
  const startMs = world.events.now();
  const requests = new Map<string, number>();
  const evicted = new Set<string>();
  const spans = followNodes(fleet);
  const state = { answered: true, exitCode: undefined as number | undefined };
  const answered = () => void (state.answered = true);
  const watches = makeWatchServer(world, answered);
  const user = { identity: 'bench', alive: true };
  const cluster = counted(
    makeClusterPort({ world, watches, answered, wrote: () => undefined, ignoresVersions: false }, user),
    requests,
    evicted,
  );
  const ports: Ports = {
    cluster,
    clock: {
      now: () => world.events.now(),
      monotonicMs: () => world.events.now(),
      after: (ms, callback) => {
        let open = true;
        world.events.after(ms, () => {
          if (!open) return;
          answered();
          callback();
        });
        return () => void (open = false);
      },
    },
    signals: { stopRequested: false, onStop: () => undefined },
    random: () => world.chance.companion.next(),
    output: { log: () => undefined, metrics: () => undefined, summary: () => undefined },
  };
  void runCompanion(ports, { namespace: NAMESPACE, identity: user.identity, mode: 'job', runId: 'job' }).then((end) => {
    state.exitCode = end.exitCode;
  });
  while (state.exitCode === undefined) {
    if (state.answered) {
      state.answered = false;
      // After all promises that are settled, and those that they settle.
      await new Promise((resolve) => setImmediate(resolve));
    } else if (!world.events.step(startMs + untilMs)) break;
  }
  at();
  return {
    ...{ fleet, requests, evictedPods: evicted.size, exitCode: state.exitCode },
    ...{ virtualMs: world.events.now() - startMs, nodeMs: spans.finished, mostAtOnce: spans.most() },
  };
}

/** Counts requests by method; what is read comes as a copy, as from a server. */
function counted(port: ClusterPort, requests: Map<string, number>, evicted: Set<string>): ClusterPort {
  const count = (name: string) => requests.set(name, (requests.get(name) ?? 0) + 1);
  const each = Object.fromEntries(
    Object.entries(port).map(([name, method]) => [
      name,
      (...args: readonly unknown[]): unknown => {
        count(name);
        return (method as (...all: readonly unknown[]) => unknown)(...args);
      },
    ]),
  ) as unknown as ClusterPort;
  return {
    ...each,
    list: async (kind, namespace) => structuredClone(await each.list(kind, namespace)),
    watch: (kind, namespace, resourceVersion, onEvent) =>
      each.watch(kind, namespace, resourceVersion, (event) => onEvent(structuredClone(event))),
    patchNode: async (action) => structuredClone(await each.patchNode(action)),
    evictPod: async (action) => {
      const outcome = await each.evictPod(action);
      if (outcome.kind === 'accepted') evicted.add(action.uid);
      return outcome;
    },
  };
}

/** How long nodes are cordoned or in progress, and how many at once. */
function followNodes({ world }: Fleet): { readonly finished: number[]; readonly most: () => number } {
  const key = driverKeys('ofed').state;
  const since = new Map<string, number>();
  const finished: number[] = [];
  let most = 0;
  world.store.nodes.listen((name, _before, after) => {
    const state = after?.labels[key] ?? '';
    const busy = after?.unschedulable === true || !['', 'upgrade-required', 'upgrade-done'].includes(state);
    const began = since.get(name);
    if (busy && began === undefined) since.set(name, world.events.now());
    if (!busy && began !== undefined) {
      finished.push(world.events.now() - began);
      since.delete(name);
    }
    most = Math.max(most, since.size);
  });
  return { finished, most: () => most };
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
const print = (text: string) => process.stdout.write(`${text}\n`);
const verdict = (figure: number, most: number) => (figure <= most ? `met, at most ${most}` : `MISSED, at most ${most}`);

const alone = await upgrade(makeFleet(1, 1), LONGEST_MS);
const started = performance.now();
const course = await upgrade(makeFleet(NODES, SLOTS), LONGEST_MS);
const seconds = (performance.now() - started) / 1000;
const total = [...course.requests.values()].reduce((sum, count) => sum + count, 0);
const perNode = (total - course.evictedPods) / NODES;
const nodeMs = mean(course.nodeMs);
const ideal = (NODES / SLOTS) * nodeMs;

print(
  `${NODES} nodes, 5 pods each, ${SLOTS} at a time; exit ${course.exitCode ?? 'none'}, ${seconds.toFixed(0)} s of real time`,
);
print(`requests: ${total}, ${course.evictedPods} pods evicted`);
for (const [name, count] of [...course.requests].sort(([, a], [, b]) => b - a)) {
  print(`  ${name.padEnd(16)} ${String(count).padStart(7)}  ${(count / NODES).toFixed(2)} per node`);
}
print(`requests per node beside one eviction per pod: ${perNode.toFixed(2)} (${verdict(perNode, MOST_REQUESTS)})`);
print(
  `nodes upgraded: ${course.nodeMs.length}, at most ${course.mostAtOnce} at once (${verdict(course.mostAtOnce, SLOTS)})`,
);
print(
  `time of a node: ${(nodeMs / 1000).toFixed(1)} s, of which its new driver ${(mean(course.fleet.restartsMs) / 1000).toFixed(1)} s`,
);
print(`a cluster of one node: ${(alone.virtualMs / 1000).toFixed(1)} s from start to exit`);
print(
  `time of the run: ${(course.virtualMs / 1000).toFixed(0)} s, ${(course.virtualMs / ideal).toFixed(3)} x ` +
    `nodes / slots x time of a node (${verdict(course.virtualMs / ideal, MOST_TIME)})`,
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
