import { driverKeys } from '../src/shared/contract/labels.js';
import { runCompanion } from '../src/companion/runtime/loop/loop.js';
import type { ClusterPort, Ports } from '../src/companion/runtime/ports.js';
import { makeClusterPort } from '../src/forecast/simulation/cluster-port.js';
import { makeWatchServer } from '../src/forecast/simulation/watch-server.js';
import { NAMESPACE } from '../test/sim/scenario/git.js';
import type { Fleet } from './upgrade-fleet.js';
import { flushPromises } from '../test/kit/flush-promises.js';

/** Time limit of a run. */
export const LONGEST_MS = 24 * 3_600_000;

/** Measurements of a run of the companion. */
interface MeasuredRun {
  readonly fleet: Fleet;
  readonly requests: ReadonlyMap<string, number>;
  readonly evictedPods: number;
  readonly exitCode: number | undefined;
  readonly virtualMs: number;
  /** By node, the time from the cordon to the end of the upgrade. */
  readonly nodeMs: readonly number[];
  readonly mostAtOnce: number;
}

/** Runs the companion until it ends, or until `untilMs` of virtual time; `at` is called then. */
export async function upgrade(
  fleet: Fleet,
  untilMs: number = LONGEST_MS,
  at: () => void = () => undefined,
): Promise<MeasuredRun> {
  const { cluster } = fleet;
  const startMs = cluster.events.now();
  const requests = new Map<string, number>();
  const evicted = new Set<string>();
  const spans = followNodes(fleet);
  const state = { answered: true, exitCode: undefined as number | undefined };
  const answered = () => void (state.answered = true);
  const watches = makeWatchServer(cluster, answered);
  const user = { identity: 'bench', alive: true };
  const port = counted(
    makeClusterPort({ cluster, watches, answered, wrote: () => undefined, ignoresVersions: false }, user),
    requests,
    evicted,
  );
  const ports: Ports = {
    cluster: port,
    clock: {
      now: () => cluster.events.now(),
      monotonicMs: () => cluster.events.now(),
      processorMs: () => 0,
      after: (ms, callback) =>
        cluster.events.timer(ms, () => {
          answered();
          callback();
        }),
    },
    signals: { stopRequested: false, onStop: () => undefined },
    random: () => cluster.chance.companion.next(),
    output: { log: () => undefined, metrics: () => undefined, summary: () => undefined },
  };
  void runCompanion(ports, { namespace: NAMESPACE, identity: user.identity, mode: 'job', runId: 'job' }).then((end) => {
    state.exitCode = end.exitCode;
  });
  while (state.exitCode === undefined) {
    if (state.answered) {
      state.answered = false;
      await flushPromises();
    } else if (!cluster.events.step(startMs + untilMs)) break;
  }
  at();
  return {
    fleet,
    requests,
    evictedPods: evicted.size,
    exitCode: state.exitCode,
    virtualMs: cluster.events.now() - startMs,
    nodeMs: spans.finished,
    mostAtOnce: spans.most(),
  };
}

/** Counts requests by method. Responses are copies, as from a server. */
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

/** Measures how long nodes are cordoned or in progress, and how many at the same time. */
function followNodes({ cluster }: Fleet): { readonly finished: number[]; readonly most: () => number } {
  const key = driverKeys('ofed').state;
  const since = new Map<string, number>();
  const finished: number[] = [];
  let most = 0;
  cluster.store.nodes.listen((name, _before, after) => {
    const state = after?.labels[key] ?? '';
    const busy = after?.unschedulable === true || !['', 'upgrade-required', 'upgrade-done'].includes(state);
    const began = since.get(name);
    if (busy && began === undefined) since.set(name, cluster.events.now());
    if (!busy && began !== undefined) {
      finished.push(cluster.events.now() - began);
      since.delete(name);
    }
    most = Math.max(most, since.size);
  });
  return { finished, most: () => most };
}

/** Arithmetic mean; 0 for an empty list. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
