import { createRequestResults, type RequestResults } from './request-results.js';
import { startReflector, type Reflector, type ReflectorEvents } from './reflector.js';
import type { WatchedViews } from './store.js';
import type { Ports, WatchedKind } from '../ports.js';
import type { Answer } from '../../../kube-client/types.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotBudget, SnapshotDaemonSet, SnapshotRevision } from '../../model/types.js';

/** The data that one lease session has of the cluster: watch caches and the results of its own requests. */
export interface Observer {
  /** Whether all caches have the answer to their last list. */
  readonly ready: () => boolean;
  /** Also watches DaemonSets and ControllerRevisions of these namespaces from now on. */
  readonly watchNamespaces: (namespaces: readonly string[]) => void;
  /** Also watches from now on which pods hold a GPU by a ResourceClaim. */
  readonly watchGpuClaims: () => void;
  /** Watches from now on what asks for drains for SR-IOV in this namespace, and no longer in another one. */
  readonly watchSriovNodeStates: (namespace: string) => void;
  /** Watches from now on what the Maintenance Operator was asked for in this namespace, and no longer in another one. */
  readonly watchNodeMaintenances: (namespace: string) => void;
  /** Changes when a driver DaemonSet is created, deleted or changed. The policy has to be read again after that. */
  readonly daemonSetFingerprint: () => string;
  readonly snapshot: (paused: boolean) => Snapshot;
  /** Lists the PodDisruptionBudgets. Only messages need them, so they are not watched. */
  readonly refreshBudgets: () => Promise<Answer<unknown>>;
  readonly results: RequestResults;
  /** Lists everything again. `ready` is false until the answers are there. */
  readonly relist: () => void;
  readonly stop: () => void;
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
  const startIn = <Kind extends WatchedKind>(namespace: string, kind: Kind, before: WatchedIn<Kind> | undefined) => {
    if (before?.namespace === namespace) return before;
    before?.reflector.stop();
    return { namespace, reflector: start(kind, namespace) };
  };
  const watched = new Map<string, readonly [Watched<'daemonSets'>, Watched<'revisions'>]>();
  const watchNamespaces = (names: readonly string[]): void => {
    for (const name of names)
      if (!watched.has(name)) watched.set(name, [start('daemonSets', name), start('revisions', name)]);
  };
  watchNamespaces(namespaces);
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
  let budgets: readonly SnapshotBudget[] = [];

  return {
    ready: () => all().every((one) => one.ready()),
    watchNamespaces,
    watchGpuClaims: () => void (claims ??= start('gpuClaims')),
    watchSriovNodeStates: (namespace) => void (nodeStates = startIn(namespace, 'sriovNodeStates', nodeStates)),
    watchNodeMaintenances: (namespace) => void (maintenances = startIn(namespace, 'nodeMaintenances', maintenances)),
    daemonSetFingerprint: () => daemonSetFingerprint(daemonSets()),
    snapshot: (paused) => ({
      nodes: results.withOwnWrites(nodes.view()),
      pods: pods.view(),
      daemonSets: daemonSets(),
      revisions: revisions([...watched.values()].map(([, reflector]) => reflector.view())),
      budgets,
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
