import type { EvictPod, SnapshotNode } from '../../src/upgrade/model/types.js';
import type {
  Answer,
  ClusterPort,
  JobObject,
  LeaseRecord,
  LogRecord,
  ObjectEvent,
  Ports,
  StatusObject,
  VersionedLease,
  WatchedItems,
  WatchedKind,
  WatchEvent,
} from '../../src/upgrade/runtime/ports.js';
import { carryOut, NAMESPACE, patchNode, type StoryWorld } from './story-world.js';

/** Ports to a scenario's cluster, with a clock that only the test moves. */
export interface FakePorts extends Ports {
  readonly world: StoryWorld;
  /** Replaces methods of the cluster for one test. */
  readonly cluster: ClusterPort;
  /** The names of all requests, in their order. */
  readonly requests: string[];
  readonly logs: LogRecord[];
  readonly events: ObjectEvent[];
  readonly lease: { held?: VersionedLease };
  readonly status: { object?: StatusObject };
  readonly policy: { text: string; writtenMs?: number; job?: string };
  /** The Jobs of the companion by their names. */
  readonly jobs: Map<string, JobObject>;
  readonly summaries: string[];
  metricsText: string;
  readonly stop: () => void;
  readonly watches: { readonly kind: WatchedKind; readonly send: (event: WatchEvent<unknown>) => void }[];
  /** Runs events and requests until the promise is settled; `each` is called whenever time has passed. */
  readonly runUntil: <Value>(promise: Promise<Value>, each?: (elapsedMs: number) => void) => Promise<Value>;
  readonly setWallClock: (shiftMs: number) => void;
}

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** A run that is not over by then is stuck. */
const LONGEST_MS = 6 * 3_600_000;
const WATCHED = ['nodes', 'pods', 'daemonSets', 'revisions'] as const;

export function createFakePorts(world: StoryWorld, policyText: string): FakePorts {
  const timers = new Set<Timer>();
  let monotonicMs = 1_000_000;
  let stopCallback: (() => void) | undefined;
  let stopRequested = false;
  const lease: FakePorts['lease'] = {};
  const status: FakePorts['status'] = {};
  const policy: FakePorts['policy'] = { text: policyText };
  const jobs: FakePorts['jobs'] = new Map();
  const requests: string[] = [];
  const watches: FakePorts['watches'] = [];
  const known = new Map<WatchedKind, Map<string, unknown>>();
  const events: ObjectEvent[] = [];
  const logs: LogRecord[] = [];
  const summaries: string[] = [];

  function flush(): void {
    for (const kind of WATCHED) {
      const before = known.get(kind) ?? new Map<string, unknown>();
      const now: ReadonlyMap<string, unknown> = world[kind];
      const resourceVersion = String(++world.counter);
      const changes: WatchEvent<unknown>[] = [
        ...[...before]
          .filter(([key]) => !now.has(key))
          .map(([, item]) => ({ kind: 'removed' as const, item, resourceVersion })),
        ...[...now]
          .filter(([key, item]) => before.get(key) !== item)
          .map(([, item]) => ({ kind: 'put' as const, item, resourceVersion })),
      ];
      known.set(kind, new Map(now));
      for (const one of [...watches]) if (one.kind === kind) changes.forEach((event) => one.send(event));
    }
  }

  function list<Kind extends WatchedKind>(
    kind: Kind,
    namespace?: string,
  ): Answer<{ items: WatchedItems[Kind][]; resourceVersion: string }> {
    flush();
    const all = [...world[kind].values()] as unknown as (WatchedItems[Kind] & { namespace?: string })[];
    const items = all.filter((one) => namespace === undefined || one.namespace === namespace);
    return { kind: 'ok', value: { items, resourceVersion: String(world.counter) } };
  }

  function writeLease(record: LeaseRecord): Answer<VersionedLease> {
    lease.held = { record, resourceVersion: String(++world.counter) };
    return { kind: 'ok', value: lease.held };
  }

  const conflict = { kind: 'conflict', message: 'has been modified' } as const;
  const gone = { kind: 'gone', message: 'not found' } as const;
  const found = (node: SnapshotNode | undefined): Answer<SnapshotNode> =>
    node === undefined ? gone : { kind: 'ok', value: node };
  const noted =
    <Rest extends unknown[], Value>(name: string, run: (...rest: Rest) => Value) =>
    (...rest: Rest): Promise<Value> => {
      requests.push(name);
      return Promise.resolve(run(...rest));
    };

  const cluster: ClusterPort = {
    list: (kind, namespace) => {
      requests.push(`list ${kind}`);
      return Promise.resolve(list(kind, namespace));
    },
    watch(kind, _namespace, _resourceVersion, onEvent) {
      requests.push(`watch ${kind}`);
      const one = { kind, send: onEvent as (event: WatchEvent<unknown>) => void };
      watches.push(one);
      return () => {
        if (watches.includes(one)) watches.splice(watches.indexOf(one), 1);
      };
    },
    listBudgets: noted('list budgets', () => ({ kind: 'ok', value: [...world.budgets.values()] }) as const),
    getNode: noted('get node', (name) => found(world.nodes.get(name))),
    listPodsOnNode: noted('list pods of a node', (node) => {
      return { kind: 'ok', value: [...world.pods.values()].filter(({ nodeName }) => nodeName === node) } as const;
    }),
    getDaemonSet: noted('get daemonSet', () => ({ kind: 'ok', value: undefined }) as const),
    patchNode: noted('patch node', (action) => {
      const node = world.nodes.get(action.node);
      if (node === undefined) return gone;
      return node.resourceVersion === action.resourceVersion
        ? ({ kind: 'ok', value: patchNode(world, action) } as const)
        : conflict;
    }),
    evictPod: noted('evict', (action: EvictPod) => carryOut(world, action) ?? { kind: 'gone' as const }),
    deletePod: noted('delete pod', (action) => {
      carryOut(world, action);
      return { kind: 'ok', value: undefined } as const;
    }),
    deleteDaemonSet: noted('delete daemonSet', (action) => {
      carryOut(world, action);
      return { kind: 'ok', value: undefined } as const;
    }),
    getJob: noted('get job', (name) => {
      const value = jobs.get(name);
      return value === undefined ? gone : ({ kind: 'ok', value } as const);
    }),
    deleteJob: noted('delete job', (name, uid) => {
      if (jobs.get(name)?.uid !== uid) return conflict;
      jobs.delete(name);
      return { kind: 'ok', value: undefined } as const;
    }),
    readPolicy: noted('get policy', () => ({ kind: 'ok', value: { ...policy } }) as const),
    readStatus: noted('get status', () => (status.object === undefined ? gone : { kind: 'ok', value: status.object })),
    createStatus: noted('create status', (data) => {
      status.object = { data, annotations: {}, resourceVersion: String(++world.counter) };
      return { kind: 'ok', value: status.object } as const;
    }),
    updateStatus: noted('update status', (object) => {
      if (object.resourceVersion !== status.object?.resourceVersion) return conflict;
      status.object = { ...object, resourceVersion: String(++world.counter) };
      return { kind: 'ok', value: status.object } as const;
    }),
    readLease: noted('get lease', () => (lease.held === undefined ? gone : { kind: 'ok', value: lease.held })),
    createLease: noted('create lease', (record) => (lease.held === undefined ? writeLease(record) : conflict)),
    updateLease: noted('update lease', ({ record, resourceVersion }) =>
      resourceVersion === lease.held?.resourceVersion ? writeLease(record) : conflict,
    ),
    writeEvent: noted('event', (event) => {
      events.push(event);
      return { kind: 'ok', value: undefined } as const;
    }),
  };

  const ports: FakePorts = {
    ...{ world, cluster, requests, logs, events, lease, status, policy, jobs, summaries, watches },
    metricsText: '',
    clock: {
      now: () => world.nowMs,
      monotonicMs: () => monotonicMs,
      after(ms, callback) {
        const timer = { atMs: monotonicMs + Math.max(0, ms), callback };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
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
    setWallClock: (shiftMs) => void (world.nowMs += shiftMs),
    async runUntil(promise, each) {
      const state = { settled: false };
      const finished = promise.finally(() => {
        state.settled = true;
      });
      finished.catch(() => undefined);
      const startMs = monotonicMs;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (state.settled) return finished;
        const [next] = [...timers].sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) throw new Error('nothing will ever happen again');
        if (next.atMs - startMs > LONGEST_MS) throw new Error('the run does not end');
        world.nowMs += next.atMs - monotonicMs;
        monotonicMs = next.atMs;
        timers.delete(next);
        next.callback();
        each?.(monotonicMs - startMs);
        flush();
      }
    },
  };
  return ports;
}

/** Driver pods become ready this long after they were made. */
export function kubelet(world: StoryWorld, afterMs: number): void {
  for (const [key, pod] of world.pods) {
    if (pod.ready || pod.namespace !== NAMESPACE || world.nowMs - pod.createdMs < afterMs) continue;
    const containers = pod.containers.map((one) => ({ ...one, ready: true }));
    world.pods.set(key, { ...pod, ready: true, readyChangedMs: world.nowMs, containers });
  }
}
