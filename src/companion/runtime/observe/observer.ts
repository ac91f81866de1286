import { createRequestResults, type RequestResults } from './request-results.js';
import { startReflector, type Reflector, type ReflectorEvents } from './reflector.js';
import type { WatchedViews } from './store.js';
import type { Ports, WatchedKind } from '../ports.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotBudget, SnapshotDaemonSet, SnapshotRevision } from '../../model/types.js';

/** The data that one lease session has of the cluster: watch caches and the results of its own requests. */
export interface Observer {
  /** Whether all caches have the answer to their last list. */
  readonly ready: () => boolean;
  /** Watches this from now on, beside nodes and pods, and nothing else: the rights of a policy end with it. */
  readonly watch: (wanted: WatchedBesideNodes) => void;
  /** Changes when a driver DaemonSet is created, deleted or changed. The policy has to be read again after that. */
  readonly daemonSetFingerprint: () => string;
  readonly snapshot: (paused: boolean) => Snapshot;
  /** Lists the PodDisruptionBudgets. They are not watched: what depends on them can wait. */
  readonly refreshBudgets: () => Promise<Answer<unknown>>;
  readonly results: RequestResults;
  /** Lists everything again. `ready` is false until the answers are there. */
  readonly relist: () => void;
  readonly stop: () => void;
}

/** What depends on the policy. */
export interface WatchedBesideNodes {
  /** Namespaces of DaemonSets and ControllerRevisions. */
  readonly namespaces: readonly string[];
  /** Which pods hold a GPU by a ResourceClaim. */
  readonly hasGpuClaims: boolean;
  /** The namespace of what asks for drains for SR-IOV. */
  readonly sriovNodeStates: string | undefined;
  /** The namespace of what the Maintenance Operator was asked for. */
  readonly nodeMaintenances: string | undefined;
}

type Watched<Kind extends WatchedKind> = Reflector<WatchedViews[Kind]>;

/** A kind that is watched in the one namespace that the policy names. */
interface WatchedIn<Kind extends WatchedKind> {
  readonly namespace: string;
  readonly reflector: Watched<Kind>;
}

/**
 * Starts with the DaemonSets of `namespaces`. The policy is read after they were listed, because GitOps applies the ConfigMap of
 * the policy before the DaemonSets.
 */
export function startObserver(ports: Ports, namespaces: readonly string[], events: ReflectorEvents): Observer {
  const start = <Kind extends WatchedKind>(kind: Kind, namespace?: string): Watched<Kind> =>
    startReflector(ports, kind, namespace, events);
  const watched: WatchedNamespaces = new Map();
  watchNamespaces(watched, namespaces, start);
  const nodes = start('nodes');
  const pods = start('pods');
  let claims: Watched<'gpuClaims'> | undefined;
  let nodeStates: WatchedIn<'sriovNodeStates'> | undefined;
  let maintenances: WatchedIn<'nodeMaintenances'> | undefined;
  const all = (): Reflector<unknown>[] =>
    [...[...watched.values()].flat(), nodes, pods, claims, nodeStates?.reflector, maintenances?.reflector].filter(
      (one) => one !== undefined,
    );
  const daemonSets = (): readonly SnapshotDaemonSet[] => [...watched.values()].flatMap(([sets]) => sets.view());
  const revisions = joined<SnapshotRevision>();
  const results = createRequestResults(ports.clock, ports.random);
  let budgets: readonly SnapshotBudget[] | undefined;

  return {
    ready: () => all().every((one) => one.ready()),
    watch(wanted) {
      watchNamespaces(watched, wanted.namespaces, start);
      if (!wanted.hasGpuClaims) claims?.stop();
      claims = wanted.hasGpuClaims ? (claims ?? start('gpuClaims')) : undefined;
      nodeStates = watchedIn(wanted.sriovNodeStates, nodeStates, (name) => start('sriovNodeStates', name));
      maintenances = watchedIn(wanted.nodeMaintenances, maintenances, (name) => start('nodeMaintenances', name));
    },
    daemonSetFingerprint: () => daemonSetFingerprint(daemonSets()),
    snapshot: (paused) => ({
      nodes: results.withOwnWrites(nodes.view()),
      pods: pods.view(),
      daemonSets: daemonSets(),
      revisions: revisions([...watched.values()].map(([, reflector]) => reflector.view())),
      budgets: budgets ?? [],
      areBudgetsMissing: budgets === undefined,
      foreignDaemonSets: results.foreignDaemonSets(),
      evictions: results.evictions(pods.view()),
      evicted: results.evicted(),
      refusedPatches: results.refusedPatches(),
      podsWithGpuClaims: claims?.view(),
      sriovNodeStates: servedView(nodeStates),
      nodeMaintenances: servedView(maintenances),
      paused,
    }),
    async refreshBudgets() {
      const answer = await ports.cluster.listBudgets();
      if (answer.kind === 'ok') budgets = answer.value;
      return answer;
    },
    results,
    relist: () => all().forEach((one) => one.relist()),
    stop: () => all().forEach((one) => one.stop()),
  };
}

type WatchedNamespaces = Map<string, readonly [Watched<'daemonSets'>, Watched<'revisions'>]>;

/** Watches DaemonSets and ControllerRevisions of these namespaces, and no longer those of others. */
function watchNamespaces(
  watched: WatchedNamespaces,
  names: readonly string[],
  start: <Kind extends WatchedKind>(kind: Kind, namespace: string) => Watched<Kind>,
): void {
  for (const [name, reflectors] of watched) {
    if (names.includes(name)) continue;
    for (const reflector of reflectors) reflector.stop();
    watched.delete(name);
  }
  for (const name of names)
    if (!watched.has(name)) watched.set(name, [start('daemonSets', name), start('revisions', name)]);
}

/** Watches in this namespace from now on, and no longer in the one before; undefined: nowhere. */
function watchedIn<Kind extends WatchedKind>(
  namespace: string | undefined,
  before: WatchedIn<Kind> | undefined,
  start: (namespace: string) => Watched<Kind>,
): WatchedIn<Kind> | undefined {
  if (before?.namespace === namespace) return before;
  before?.reflector.stop();
  return namespace === undefined ? undefined : { namespace, reflector: start(namespace) };
}

/** Undefined: not watched, or the API server does not have the kind. */
function servedView<Kind extends WatchedKind>(watched: WatchedIn<Kind> | undefined): WatchedViews[Kind] | undefined {
  return watched?.reflector.isServed() === true ? watched.reflector.view() : undefined;
}

/** Joins lists. The result is the same array as long as the lists are. */
function joined<Item>(): (lists: readonly (readonly Item[])[]) => readonly Item[] {
  let last: readonly (readonly Item[])[] = [];
  let whole: readonly Item[] = [];
  return (lists) => {
    if (lists.length !== last.length || lists.some((one, index) => one !== last[index])) whole = lists.flat();
    last = lists;
    return whole;
  };
}

/** The fields of DaemonSets that a policy is compared with, without their status. */
export function daemonSetFingerprint(daemonSets: readonly SnapshotDaemonSet[]): string {
  const marks = daemonSets.map(({ namespace, name, uid, generation, digest, renderedDigest, deletionMs, labels }) =>
    JSON.stringify([namespace, name, uid, generation, digest, renderedDigest, deletionMs, labels]),
  );
  return marks.sort().join('\n');
}
