import { readByHand } from '../../shared/contract/by-hand.js';
import { COMPANION_NAMES } from '../../shared/contract/labels.js';
import { podIndexOf, type PodIndex } from '../../companion/model/pod-index.js';
import type { Snapshot } from '../../companion/model/snapshot.js';
import type { SriovNodeState } from '../../companion/model/sriov.js';
import type { EvictionRecord, SnapshotPod } from '../../companion/model/types.js';
import type {
  StoredBudget,
  StoredConfigMap,
  StoredDaemonSet,
  StoredNodeMaintenance,
  StoredNode,
  StoredPod,
  StoredRevision,
  Stored,
  Table,
} from './store.js';
import type { SimulatedCluster } from './simulated-cluster.js';

export const STATUS_CONFIG_MAP = COMPANION_NAMES.statusConfigMap;

/** A snapshot of the caches alone. */
export type CachedSnapshot = Omit<Snapshot, 'evictions' | 'evicted' | 'refusedPatches'>;

/** The watch caches of one process of the companion, each with its own delay. */
export interface Caches {
  snapshot(): CachedSnapshot;
  /** Whether all writes up to this resourceVersion have arrived. */
  caughtUp(version: number): boolean;
  /** Delivers no event until then. With `compacted` all watches then start again from a list. */
  stall(untilMs: number, compacted: boolean): void;
  close(): void;
}

interface Feed<T> {
  readonly objects: Map<string, T>;
  deliver(nowMs: number): boolean;
  caughtUp(version: number): boolean;
  stall(untilMs: number, compacted: boolean): void;
  close(): void;
}

/** Lists all objects, then follows changes; `onChange` is called when a change may have arrived. */
export function makeCaches(cluster: SimulatedCluster, onChange: () => void): Caches {
  const { store } = cluster;
  const nodes: Feed<StoredNode> = makeFeed(cluster, store.nodes, onChange);
  const pods: Feed<StoredPod> = makeFeed(cluster, store.pods, onChange);
  const daemonSets: Feed<StoredDaemonSet> = makeFeed(cluster, store.daemonSets, onChange);
  const revisions: Feed<StoredRevision> = makeFeed(cluster, store.revisions, onChange);
  const budgets: Feed<StoredBudget> = makeFeed(cluster, store.budgets, onChange);
  const nodeStates: Feed<SriovNodeState> = makeFeed(cluster, store.sriovNodeStates, onChange);
  const maintenances: Feed<StoredNodeMaintenance> = makeFeed(cluster, store.nodeMaintenances, onChange);
  const configMaps: Feed<StoredConfigMap> = makeFeed(cluster, store.configMaps, onChange);
  const feeds = [nodes, pods, daemonSets, revisions, budgets, nodeStates, maintenances, configMaps];
  const index = followed();
  const steadyRevisions = steady<Snapshot['revisions']>();
  const steadyBudgets = steady<Snapshot['budgets']>();
  const steadyForeign = steady<Snapshot['foreignDaemonSets']>();
  const deliver = (): void => feeds.forEach((feed) => feed.deliver(cluster.events.now()));
  return {
    snapshot: () => {
      deliver();
      return {
        nodes: [...nodes.objects.values()],
        pods: index(pods.objects),
        daemonSets: [...daemonSets.objects.values()],
        revisions: steadyRevisions([...revisions.objects.values()]),
        budgets: steadyBudgets([...budgets.objects.values()]),
        foreignDaemonSets: steadyForeign(foreignDaemonSets(cluster)),
        sriovNodeStates: new Map(nodeStates.objects),
        nodeMaintenances: new Map(maintenances.objects),
        ...readByHand(configMaps.objects.get(STATUS_CONFIG_MAP)?.annotations),
      };
    },
    caughtUp: (version) => {
      deliver();
      return feeds.every((feed) => feed.caughtUp(version));
    },
    stall: (untilMs, compacted) => feeds.forEach((feed) => feed.stall(untilMs, compacted)),
    close: () => feeds.forEach((feed) => feed.close()),
  };
}

/** The snapshot of caches without delay. */
export function snapshotOf(cluster: SimulatedCluster, evictions: ReadonlyMap<string, EvictionRecord>): Snapshot {
  const { nodes, pods, daemonSets, revisions, budgets, configMaps, sriovNodeStates, nodeMaintenances } = cluster.store;
  return {
    nodes: [...nodes.values()],
    pods: podIndexOf(pods.values()),
    daemonSets: [...daemonSets.values()],
    revisions: [...revisions.values()],
    budgets: [...budgets.values()],
    foreignDaemonSets: foreignDaemonSets(cluster),
    evictions: evictionsOf(pods.values(), evictions),
    sriovNodeStates: new Map(sriovNodeStates.entries()),
    nodeMaintenances: new Map(nodeMaintenances.entries()),
    ...readByHand(configMaps.get(STATUS_CONFIG_MAP)?.annotations),
  };
}

function foreignDaemonSets(cluster: SimulatedCluster): Snapshot['foreignDaemonSets'] {
  return new Map([...cluster.foreignDaemonSets].map(([name, exists]) => [name, exists ? 'present' : 'absent']));
}

/** The snapshot of caches without delay, from the previous one and the changes since then: what did not change is the same object. */
export function followSnapshot(cluster: SimulatedCluster): () => CachedSnapshot {
  const { store } = cluster;
  const outdated = new Map<string, StoredPod | undefined>();
  const holdsGpu = ({ scheduling }: StoredPod): boolean => scheduling?.hasGpuClaim === true;
  const podsWithGpuClaims = { has: (uid: string) => [...store.podsByUid(uid)].some(holdsGpu) };
  let pods = podIndexOf(store.pods.values());
  store.pods.listen((key, before) => {
    if (!outdated.has(key)) outdated.set(key, before);
  });
  const listOf = <T extends Stored>(table: Table<T>) => untilChanged(table, () => [...table.values()]);
  const mapOf = <T extends Stored>(table: Table<T>) => untilChanged(table, () => new Map(table.entries()));
  const nodes = listOf(store.nodes);
  const daemonSets = listOf(store.daemonSets);
  const revisions = listOf(store.revisions);
  const budgets = listOf(store.budgets);
  const gpuOperatorPolicies = listOf(store.gpuOperatorPolicies);
  const sriovNodeStates = mapOf(store.sriovNodeStates);
  const nodeMaintenances = mapOf(store.nodeMaintenances);
  const steadyForeign = steady<Snapshot['foreignDaemonSets']>();
  return () => {
    if (outdated.size > 0)
      pods = pods.after([...outdated].map(([key, before]) => ({ before, after: store.pods.get(key) })));
    outdated.clear();
    return {
      nodes: nodes(),
      pods,
      podsWithGpuClaims,
      ...(store.gpuOperatorPolicies.size > 0 && { gpuOperatorPolicies: gpuOperatorPolicies() }),
      daemonSets: daemonSets(),
      revisions: revisions(),
      budgets: budgets(),
      foreignDaemonSets: steadyForeign(foreignDaemonSets(cluster)),
      sriovNodeStates: sriovNodeStates(),
      nodeMaintenances: nodeMaintenances(),
      ...readByHand(store.configMaps.get(STATUS_CONFIG_MAP)?.annotations),
    };
  };
}

/** A value that is computed again after a change of the table. */
function untilChanged<T extends Stored, Value>(table: Table<T>, compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  table.listen(() => (known = undefined));
  return () => (known ??= { value: compute() }).value;
}

/** Returns the previous object while nothing changed, as the companion's own caches do. */
function steady<T extends Iterable<unknown>>(): (next: T) => T {
  let last: T | undefined;
  return (next) => {
    const before = last === undefined ? undefined : [...last].flat();
    const now = [...next].flat();
    const isSame = before?.length === now.length && now.every((one, place) => one === before[place]);
    return (last = isSame && last !== undefined ? last : next);
  };
}

/** An index from the previous one and the changes of pods since then. */
function followed(): (pods: ReadonlyMap<string, StoredPod>) => PodIndex {
  let last: ReadonlyMap<string, StoredPod> = new Map();
  let index = podIndexOf([]);
  return (pods) => {
    const keys = [...new Set([...last.keys(), ...pods.keys()])].filter((key) => last.get(key) !== pods.get(key));
    const before = last;
    if (keys.length > 0) index = index.after(keys.map((key) => ({ before: before.get(key), after: pods.get(key) })));
    last = new Map(pods);
    return index;
  };
}

interface Delivery<T> {
  readonly atMs: number;
  readonly version: number;
  readonly key: string;
  readonly object: T | undefined;
}

function makeFeed<T extends Stored>(cluster: SimulatedCluster, table: Table<T>, onChange: () => void): Feed<T> {
  const objects = new Map(table.entries());
  let queue: Delivery<T>[] = [];
  let lastMs = 0;
  let stalledUntilMs = 0;
  let relist = false;
  const close = table.listen((key, _before, after) => {
    // Watch events of one kind keep their order, so a late event delays the next ones.
    lastMs = Math.max(lastMs, cluster.events.now() + lagOf(cluster));
    queue.push({ atMs: lastMs, version: cluster.store.version(), key, object: after });
    cluster.events.at(lastMs, onChange);
  });
  const deliver = (nowMs: number): boolean => {
    if (nowMs < stalledUntilMs) return false;
    if (relist) {
      relist = false;
      queue = [];
      objects.clear();
      for (const [key, object] of table.entries()) objects.set(key, object);
      return true;
    }
    let delivered = 0;
    for (const { atMs, key, object } of queue) {
      if (atMs > nowMs) break;
      if (object === undefined) objects.delete(key);
      else objects.set(key, object);
      delivered += 1;
    }
    if (delivered > 0) queue = queue.slice(delivered);
    return delivered > 0;
  };
  return {
    objects,
    deliver,
    caughtUp: (version) => !relist && (queue[0]?.version ?? Infinity) > version,
    stall: (untilMs, compacted) => {
      stalledUntilMs = Math.max(stalledUntilMs, untilMs);
      relist ||= compacted;
      cluster.events.at(stalledUntilMs, onChange);
    },
    close,
  };
}

function lagOf(cluster: SimulatedCluster): number {
  const random = cluster.chance.lag;
  if (!cluster.hasFaults) return 5;
  return random.chance(0.02) ? random.int(0, 20 * cluster.conditions.lagMs) : random.int(1, cluster.conditions.lagMs);
}

/** Records of evictions of existing pods, as a snapshot has them. */
export function evictionsOf(
  pods: Iterable<SnapshotPod>,
  records: ReadonlyMap<string, EvictionRecord>,
): Snapshot['evictions'] {
  const byNode = new Map<string, Map<string, EvictionRecord>>();
  for (const { nodeName, uid } of pods) {
    const record = records.get(uid);
    if (record === undefined) continue;
    const here = byNode.get(nodeName) ?? new Map<string, EvictionRecord>();
    byNode.set(nodeName, here.set(uid, record));
  }
  return { byNode, shiftMs: 0 };
}
