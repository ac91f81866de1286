import { createMemory, type Memory } from './memory.js';
import { startReflector, type Reflector, type ReflectorEvents } from './reflector.js';
import type { WatchedViews } from './store.js';
import type { Answer, Ports, WatchedItems, WatchedKind } from '../ports.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotBudget, SnapshotDaemonSet, SnapshotPod, SnapshotRevision } from '../../model/types.js';

/** The eyes of one term of the Lease: watch caches and what our own requests told. */
export interface Observer {
  /** Every list that was asked for is there. */
  readonly ready: () => boolean;
  /** DaemonSets and ControllerRevisions of these namespaces are watched from now on, too. */
  readonly watchNamespaces: (namespaces: readonly string[]) => void;
  /** Changes when a driver DaemonSet comes, goes or says something else: the policy must be read again after that. */
  readonly daemonSetMark: () => string;
  readonly snapshot: (paused: boolean) => Snapshot;
  /** Budgets are listed when an eviction is refused: only to name them. */
  readonly refreshBudgets: () => Promise<Answer<unknown>>;
  readonly memory: Memory;
  /** Lists everything again; it is not ready until then. */
  readonly relist: () => void;
  readonly stop: () => void;
}

type Watched<Kind extends WatchedKind> = Reflector<WatchedViews[Kind]>;

/** Starts with the DaemonSets of `namespaces`; the policy is read after their list (see DESIGN, "Delivery"). */
export function startObserver(ports: Ports, namespaces: readonly string[], events: ReflectorEvents): Observer {
  const start = <Kind extends WatchedKind>(kind: Kind, namespace?: string): Watched<Kind> =>
    startReflector(ports, kind, namespace, events);
  const watched = new Map<string, readonly [Watched<'daemonSets'>, Watched<'revisions'>]>();
  const watchNamespaces = (names: readonly string[]): void => {
    for (const name of names) {
      if (!watched.has(name)) watched.set(name, [start('daemonSets', name), start('revisions', name)]);
    }
  };
  watchNamespaces(namespaces);
  const nodes = start('nodes');
  const pods = start('pods');
  const all = (): Reflector<unknown>[] => [...[...watched.values()].flat(), nodes, pods];
  const daemonSets = (): readonly SnapshotDaemonSet[] => [...watched.values()].flatMap(([sets]) => sets.view());
  const revisions = joined<SnapshotRevision>();
  const memory = createMemory(ports.clock, ports.random);
  let budgets: readonly SnapshotBudget[] = [];

  return {
    ready: () => all().every((one) => one.ready()),
    watchNamespaces,
    daemonSetMark: () => daemonSetMark(daemonSets()),
    snapshot: (paused) => ({
      nodes: memory.withNoted(nodes.view()),
      pods: pods.view(),
      daemonSets: daemonSets(),
      revisions: revisions([...watched.values()].map(([, reflector]) => reflector.view())),
      budgets,
      foreignDaemonSets: memory.foreign(),
      evictions: memory.evictions(pods.view()),
      paused,
    }),
    async refreshBudgets() {
      const answer = await ports.cluster.listBudgets();
      if (answer.kind === 'ok') budgets = answer.value;
      return answer;
    },
    memory,
    relist: () => all().forEach((one) => one.relist()),
    stop: () => all().forEach((one) => one.stop()),
  };
}

/** Joins lists; the same list again as long as they are the same. */
function joined<Item>(): (lists: readonly (readonly Item[])[]) => readonly Item[] {
  let last: readonly (readonly Item[])[] = [];
  let whole: readonly Item[] = [];
  return (lists) => {
    if (lists.length !== last.length || lists.some((one, index) => one !== last[index])) whole = lists.flat();
    last = lists;
    return whole;
  };
}

/** What of the DaemonSets a policy speaks about; their status is no part of it. */
export function daemonSetMark(daemonSets: readonly SnapshotDaemonSet[]): string {
  const marks = daemonSets.map(({ namespace, name, uid, generation, digest, renderedDigest, deletionMs, labels }) =>
    JSON.stringify([namespace, name, uid, generation, digest, renderedDigest, deletionMs, labels]),
  );
  return marks.sort().join('\n');
}

/** One consistent look without watches: the parts of a snapshot that tell whether there is anything to do. */
export interface Look extends Pick<Snapshot, 'nodes' | 'daemonSets' | 'revisions'> {
  readonly pods: readonly SnapshotPod[];
}

type List = <Kind extends WatchedKind>(kind: Kind, namespace?: string) => Promise<readonly WatchedItems[Kind][]>;

/** Lists the DaemonSets of these namespaces; the first answer that is not `ok` is the answer. */
export async function listDaemonSets(
  ports: Ports,
  namespaces: readonly string[],
): Promise<Answer<readonly SnapshotDaemonSet[]>> {
  return collecting(ports, (list) => listEach(namespaces, (name) => list('daemonSets', name)));
}

/** The rest of a look: all nodes, and the pods and ControllerRevisions of these namespaces. */
export async function listForLook(
  ports: Ports,
  namespaces: readonly string[],
): Promise<Answer<Omit<Look, 'daemonSets'>>> {
  return collecting(ports, async (list) => ({
    nodes: await list('nodes'),
    pods: await listEach(namespaces, (name) => list('pods', name)),
    revisions: await listEach(namespaces, (name) => list('revisions', name)),
  }));
}

async function listEach<Item>(
  namespaces: readonly string[],
  list: (namespace: string) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const lists: (readonly Item[])[] = [];
  for (const name of namespaces) lists.push(await list(name));
  return lists.flat();
}

/** Runs several lists as one answer. */
async function collecting<Value>(ports: Ports, collect: (list: List) => Promise<Value>): Promise<Answer<Value>> {
  let failed: Exclude<Answer<never>, { kind: 'ok' }> | undefined;
  const value = await collect(async (kind, namespace) => {
    if (failed !== undefined) return [];
    const answer = await ports.cluster.list(kind, namespace);
    if (answer.kind === 'ok') return answer.value.items;
    failed = answer;
    return [];
  });
  return failed ?? { kind: 'ok', value };
}
