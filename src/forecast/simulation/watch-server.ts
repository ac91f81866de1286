import type { WatchedItems, WatchedKind } from '../../companion/runtime/ports.js';
import type { Stop, WatchEvent } from '../../shared/kube-client/types.js';
import type { Store, Stored, Table } from './store.js';
import type { SimulatedCluster } from './simulated-cluster.js';

/** A process of the companion. Its requests may arrive after it was killed; then it gets no response. */
export interface PortUser {
  readonly identity: string;
  alive: boolean;
}

/** The watch side of the simulated API server: events since a resourceVersion, with delays, and at times interrupted or compacted. */
export interface WatchServer {
  items<Kind extends WatchedKind>(kind: Kind, namespace: string | undefined): WatchedItems[Kind][];
  watch<Kind extends WatchedKind>(
    user: PortUser,
    kind: Kind,
    namespace: string | undefined,
    version: number,
    onEvent: (event: WatchEvent<WatchedItems[Kind]>) => void,
  ): Stop;
  /** Delivers no event until then. With `compacted` older resourceVersions have expired afterwards. */
  stall(untilMs: number, compacted: boolean): void;
}

interface Change {
  readonly version: number;
  readonly item: unknown;
  readonly removed: boolean;
  readonly namespace: string | undefined;
}

interface Log {
  readonly changes: Change[];
  readonly subscribers: Set<(change: Change) => void>;
}

export function makeWatchServer(cluster: SimulatedCluster, answered: () => void): WatchServer {
  const { store, events } = cluster;
  const { isInstant } = cluster.conditions;
  const tables = tablesOf(store);
  const logs = Object.fromEntries(
    Object.entries(tables).map(([kind, table]) => [kind, followTable(cluster, table as Table<Stored>)]),
  ) as Readonly<Record<WatchedKind, Log>>;
  let stalledUntilMs = 0;
  let oldestVersion = 0;
  return {
    items: (kind, namespace) =>
      [...tables[kind].values()].filter((item) => namespace === undefined || namespaceOf(item) === namespace),
    watch: (user, kind, namespace, version, onEvent) => {
      const log = logs[kind];
      const random = cluster.chance.lag;
      let open = true;
      let lastMs = 0;
      const deliver = (event: Parameters<typeof onEvent>[0]): void => {
        const lagMs = isInstant === true ? 0 : cluster.hasFaults ? random.int(1, cluster.conditions.lagMs) : 5;
        lastMs = Math.max(lastMs, events.now() + lagMs, stalledUntilMs);
        events.at(lastMs, () => {
          if (!open || !user.alive) return;
          if (event.kind === 'end') stop();
          answered();
          onEvent(event);
        });
      };
      const onChange = (change: Change): void => {
        if (namespace !== undefined && change.namespace !== namespace) return;
        const resourceVersion = String(change.version);
        const item = change.item as Parameters<typeof onEvent>[0] extends { readonly item: infer Item } ? Item : never;
        deliver({ kind: change.removed ? 'removed' : 'put', item, resourceVersion });
      };
      const stop = (): void => {
        open = false;
        log.subscribers.delete(onChange);
      };
      if (version < oldestVersion) {
        deliver({ kind: 'end', answer: { kind: 'expired', message: 'too old resource version' } });
        return stop;
      }
      for (const change of log.changes) if (change.version > version) onChange(change);
      log.subscribers.add(onChange);
      const livesMs = isInstant === true ? Infinity : cluster.hasFaults ? random.int(5000, 200_000) : 280_000;
      events.after(livesMs, () => {
        if (open) deliver({ kind: 'end', answer: { kind: 'ok', value: undefined } });
      });
      return stop;
    },
    stall: (untilMs, compacted) => {
      stalledUntilMs = Math.max(stalledUntilMs, untilMs);
      if (compacted) oldestVersion = store.version();
    },
  };
}

type Tables = { readonly [Kind in WatchedKind]: Table<Stored & WatchedItems[Kind]> };

function tablesOf({ nodes, pods, daemonSets, revisions, gpuClaims, sriovNodeStates, nodeMaintenances }: Store): Tables {
  return { nodes, pods, daemonSets, revisions, gpuClaims, sriovNodeStates, nodeMaintenances };
}

const namespaceOf = (item: object): string | undefined => ('namespace' in item ? String(item.namespace) : undefined);

function followTable(cluster: SimulatedCluster, table: Table<Stored>): Log {
  const log: Log = { changes: [], subscribers: new Set() };
  table.listen((_key, before, after) => {
    const item = after ?? before;
    if (item === undefined) return;
    const change = {
      version: cluster.store.version(),
      item,
      removed: after === undefined,
      namespace: namespaceOf(item),
    };
    log.changes.push(change);
    for (const subscriber of [...log.subscribers]) subscriber(change);
  });
  return log;
}
