import type { Answer } from '../../../shared/kube-client/types.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { podIndexOf } from '../../core/model/pod-index.js';
import type { Snapshot } from '../../core/model/snapshot.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../../core/model/types.js';
import type { ClusterPort, WatchedItems, WatchedKind } from '../ports.js';

/** Consistent lists of a cluster: what a snapshot has where no cache is kept. */
interface Lists extends Pick<Snapshot, 'nodes' | 'daemonSets' | 'revisions'> {
  readonly pods: readonly SnapshotPod[];
}

type List = <Kind extends WatchedKind>(kind: Kind, namespace?: string) => Promise<readonly WatchedItems[Kind][]>;

/** Lists the DaemonSets of these namespaces. The first answer that is not `ok` is the result. */
export async function listDaemonSets(
  cluster: ClusterPort,
  namespaces: readonly string[],
): Promise<Answer<readonly SnapshotDaemonSet[]>> {
  return collecting(cluster, (list) => listEach(namespaces, (name) => list('daemonSets', name)));
}

/**
 * The lists after that of the DaemonSets: all nodes, and the pods and ControllerRevisions of these namespaces; pods of all namespaces where
 * a node asks for them.
 */
export async function listOthers(
  cluster: ClusterPort,
  namespaces: readonly string[],
  needsAllPods: (node: SnapshotNode) => boolean,
): Promise<Answer<Omit<Lists, 'daemonSets'>>> {
  return collecting(cluster, async (list) => {
    const nodes = await list('nodes');
    return {
      nodes,
      pods: nodes.some(needsAllPods) ? await list('pods') : await listEach(namespaces, (name) => list('pods', name)),
      revisions: await listEach(namespaces, (name) => list('revisions', name)),
    };
  });
}

/** The NodeMaintenances of the policy, as a snapshot has them: none where the API server does not have the kind. */
export async function listNodeMaintenances(
  cluster: ClusterPort,
  { nodeMaintenance }: Pick<UpgradePolicy, 'nodeMaintenance'>,
): Promise<Answer<Pick<Snapshot, 'nodeMaintenances'>>> {
  const answer = await byName(cluster, 'nodeMaintenances', nodeMaintenance);
  if (answer.kind !== 'ok') return answer;
  return { kind: 'ok', value: answer.value ? { nodeMaintenances: answer.value } : {} };
}

/** The SriovNetworkNodeStates of the policy, as a snapshot has them: none where the API server does not have the kind. */
export async function listSriovNodeStates(
  cluster: ClusterPort,
  { sriovNodeStates }: Pick<UpgradePolicy, 'sriovNodeStates'>,
): Promise<Answer<Pick<Snapshot, 'sriovNodeStates'>>> {
  const answer = await byName(cluster, 'sriovNodeStates', sriovNodeStates);
  if (answer.kind !== 'ok') return answer;
  return { kind: 'ok', value: answer.value ? { sriovNodeStates: answer.value } : {} };
}

/** The value is undefined if the policy does not ask for the kind, or the API server does not have it. */
async function byName<Kind extends 'nodeMaintenances' | 'sriovNodeStates'>(
  cluster: ClusterPort,
  kind: Kind,
  from: { readonly namespace: string } | undefined,
): Promise<Answer<ReadonlyMap<string, WatchedItems[Kind]> | undefined>> {
  if (from === undefined) return { kind: 'ok', value: undefined };
  const answer = await cluster.list(kind, from.namespace);
  if (answer.kind !== 'ok') return answer;
  const { items, resourceVersion } = answer.value;
  return { kind: 'ok', value: resourceVersion === '' ? undefined : new Map(items.map((one) => [one.name, one])) };
}

/** The snapshot of lists. Nothing was evicted or looked up yet. */
export function listedSnapshot({
  pods,
  ...lists
}: Omit<Lists, 'pods'> & { readonly pods: Iterable<SnapshotPod> }): Snapshot {
  return {
    ...{ ...lists, pods: podIndexOf(pods), budgets: [], paused: false },
    ...{ foreignDaemonSets: new Map(), evictions: { byNode: new Map(), shiftMs: 0 } },
  };
}

async function listEach<Item>(
  namespaces: readonly string[],
  list: (namespace: string) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const lists: (readonly Item[])[] = [];
  for (const name of namespaces) lists.push(await list(name));
  return lists.flat();
}

/** Runs several lists. The first answer that is not `ok` is the result. */
async function collecting<Value>(
  cluster: ClusterPort,
  collect: (list: List) => Promise<Value>,
): Promise<Answer<Value>> {
  let failed: Exclude<Answer<never>, { kind: 'ok' }> | undefined;
  const value = await collect(async (kind, namespace) => {
    if (failed !== undefined) return [];
    const answer = await cluster.list(kind, namespace);
    if (answer.kind === 'ok') return answer.value.items;
    failed = answer;
    return [];
  });
  return failed ?? { kind: 'ok', value };
}
