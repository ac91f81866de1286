import type { ClusterPort, LogRecord, ObjectEvent, Ports, WatchedKind } from '../../src/companion/runtime/ports.js';
import type { WatchEvent } from '../../src/shared/kube-client/types.js';
import { makeClusterPort, type PolicyObject } from '../../src/forecast/simulation/cluster-port.js';
import type { SimulatedCluster } from '../../src/forecast/simulation/simulated-cluster.js';
import { makeWatchServer } from '../../src/forecast/simulation/watch-server.js';

/** Ports to an idle cluster. Only the test moves the clock. */
export interface FakePorts extends Ports {
  readonly simulated: SimulatedCluster;
  /** The port to `simulated`; a test may replace methods. */
  readonly cluster: ClusterPort;
  /** The names of all requests, in their order. */
  readonly requests: string[];
  readonly logs: LogRecord[];
  readonly events: ObjectEvent[];
  readonly policy: { -readonly [Field in keyof PolicyObject]: PolicyObject[Field] };
  readonly summaries: string[];
  metricsText: string;
  readonly stop: () => void;
  readonly watches: OpenWatch[];
  /** Runs events and requests until the promise is settled; `each` is called after each event. */
  readonly runUntil: <Value>(promise: Promise<Value>, each?: (elapsedMs: number) => void) => Promise<Value>;
  /** Moves the companion's wall clock, not the cluster's. */
  readonly setWallClock: (shiftMs: number) => void;
}

interface OpenWatch {
  readonly kind: WatchedKind;
  readonly send: (event: WatchEvent<unknown>) => void;
}

/** Time limit of a run. */
const LONGEST_MS = 6 * 3_600_000;
/** Start of the monotonic clock. */
const BOOTED_MS = 1_000_000;

const REQUESTS: Readonly<Record<Exclude<keyof ClusterPort, 'list' | 'watch'>, string>> = {
  listBudgets: 'list budgets',
  listGpuOperatorPolicies: 'list GPU operator policies',
  getNode: 'get node',
  listPodsOnNode: 'list pods of a node',
  getDaemonSet: 'get daemonSet',
  patchNode: 'patch node',
  evictPod: 'evict',
  deletePod: 'delete pod',
  deleteDaemonSet: 'delete daemonSet',
  patchSriovNodeState: 'patch SriovNetworkNodeState',
  changeNodeMaintenance: 'change NodeMaintenance',
  isAllowed: 'review access',
  getJob: 'get job',
  deleteJob: 'delete job',
  readPolicy: 'get policy',
  readStatus: 'get status',
  createStatus: 'create status',
  updateStatus: 'update status',
  readLease: 'get lease',
  readOperatorLease: 'get operator lease',
  createLease: 'create lease',
  updateLease: 'update lease',
  writeEvent: 'event',
};

export function createFakePorts(simulated: SimulatedCluster, policyText: string): FakePorts {
  const { events: queue } = simulated;
  const startMs = queue.now();
  let shiftMs = 0;
  let stopCallback: (() => void) | undefined;
  let stopRequested = false;
  const policy: FakePorts['policy'] = { text: policyText };
  const recorded = { requests: [] as string[], events: [] as ObjectEvent[], watches: [] as OpenWatch[] };
  const logs: LogRecord[] = [];
  const summaries: string[] = [];
  const monotonicMs = (): number => queue.now() - startMs + BOOTED_MS;
  const ports: FakePorts = {
    ...{ simulated, policy, logs, summaries, ...recorded },
    cluster: recording(portTo(simulated, policy), recorded),
    metricsText: '',
    clock: {
      now: () => queue.now() + shiftMs,
      monotonicMs,
      processorMs: () => 0,
      after: (ms, callback) => queue.timer(Math.max(0, ms), callback),
    },
    signals: {
      get stopRequested() {
        return stopRequested;
      },
      onStop: (callback) => void (stopCallback = callback),
    },
    random: () => 0.5,
    output: {
      log: (record) => void logs.push(record),
      metrics: (text) => void (ports.metricsText = text),
      summary: (text) => void summaries.push(text),
    },
    stop() {
      stopRequested = true;
      stopCallback?.();
    },
    setWallClock: (byMs) => void (shiftMs += byMs),
    runUntil: (promise, each) => runUntil(queue, promise, each),
  };
  return ports;
}

function portTo(cluster: SimulatedCluster, policy: PolicyObject): ClusterPort {
  const ignored = () => undefined;
  return makeClusterPort(
    {
      cluster,
      watches: makeWatchServer(cluster, ignored),
      wrote: ignored,
      ignoresVersions: false,
      answered: ignored,
      readPolicy: () => ({ ...policy }),
    },
    { identity: 'test', alive: true },
  );
}

/** The port, which also records requests, Events and open watches. */
function recording(
  port: ClusterPort,
  { requests, events, watches }: Pick<FakePorts, 'requests' | 'events' | 'watches'>,
): ClusterPort {
  const named = Object.entries(REQUESTS).map(([method, name]) => {
    const methods = port as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
    return [
      method,
      (...args: readonly unknown[]): unknown => {
        requests.push(name);
        if (method === 'writeEvent') events.push(args[0] as ObjectEvent);
        return methods[method]?.(...args);
      },
    ];
  });
  return {
    ...(Object.fromEntries(named) as ClusterPort),
    list: (kind, namespace) => {
      requests.push(`list ${kind}`);
      return port.list(kind, namespace);
    },
    watch(kind, namespace, resourceVersion, onEvent) {
      requests.push(`watch ${kind}`);
      const one = { kind, send: onEvent as OpenWatch['send'] };
      watches.push(one);
      const stop = port.watch(kind, namespace, resourceVersion, (event) => {
        if (watches.includes(one)) onEvent(event);
      });
      return () => {
        if (watches.includes(one)) watches.splice(watches.indexOf(one), 1);
        stop();
      };
    },
  };
}

async function runUntil<Value>(
  queue: SimulatedCluster['events'],
  promise: Promise<Value>,
  each?: (elapsedMs: number) => void,
): Promise<Value> {
  const state = { settled: false };
  const finished = promise.finally(() => {
    state.settled = true;
  });
  finished.catch(() => undefined);
  const startMs = queue.now();
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (state.settled) return finished;
    const nextMs = queue.nextMs();
    if (nextMs === undefined) throw new Error('nothing will ever happen again');
    if (nextMs - startMs > LONGEST_MS) throw new Error('the run does not end');
    queue.step(nextMs);
    each?.(queue.now() - startMs);
  }
}
