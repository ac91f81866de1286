import type { Answer } from '../../../shared/kube-client/types.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../../model/types.js';
import type { ClusterPort, WatchedItems, WatchedKind } from '../ports.js';

/** Consistent lists of a cluster: what a snapshot has where no cache is kept. */
interface Lists extends Pick<Snapshot, 'nodes' | 'daemonSets' | 'revisions'> {
  readonly pods: readonly SnapshotPod[];
}

/** Lists a kind in these namespaces; undefined: in all. The first answer that is not `ok` is the result. */
async function listIn<Kind extends WatchedKind>(
  cluster: ClusterPort,
  kind: Kind,
  namespaces: readonly (string | undefined)[],
): Promise<Answer<readonly WatchedItems[Kind][]>> {
  const lists: (readonly WatchedItems[Kind][])[] = [];
  for (const namespace of namespaces) {
    const answer = await cluster.list(kind, namespace);
    if (answer.kind !== 'ok') return answer;
    lists.push(answer.value.items);
  }
  return { kind: 'ok', value: lists.flat() };
}

/** Lists the DaemonSets of these namespaces. */
export function listDaemonSets(
  cluster: ClusterPort,
  namespaces: readonly string[],
): Promise<Answer<readonly SnapshotDaemonSet[]>> {
  return listIn(cluster, 'daemonSets', namespaces);
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
  const nodes = await listIn(cluster, 'nodes', [undefined]);
  if (nodes.kind !== 'ok') return nodes;
  const pods = await listIn(cluster, 'pods', nodes.value.some(needsAllPods) ? [undefined] : namespaces);
  if (pods.kind !== 'ok') return pods;
  const revisions = await listIn(cluster, 'revisions', namespaces);
  if (revisions.kind !== 'ok') return revisions;
  return { kind: 'ok', value: { nodes: nodes.value, pods: pods.value, revisions: revisions.value } };
}

/** The NodeMaintenances or SriovNetworkNodeStates of the policy, as a snapshot has them: none where the API server does not have the kind. */
export async function listOfPolicy(
  cluster: ClusterPort,
  kind: keyof OfPolicy,
  { nodeMaintenance, sriovNodeStates }: Pick<UpgradePolicy, 'nodeMaintenance' | 'sriovNodeStates'>,
): Promise<Answer<OfPolicy>> {
  const from = kind === 'nodeMaintenances' ? nodeMaintenance : sriovNodeStates;
  if (from === undefined) return { kind: 'ok', value: {} };
  const answer = await cluster.list(kind, from.namespace);
  if (answer.kind !== 'ok') return answer;
  const { items, resourceVersion } = answer.value;
  const byName = new Map(items.map((one) => [one.name, one]));
  return { kind: 'ok', value: resourceVersion === '' ? {} : { [kind]: byName } };
}

type OfPolicy = Pick<Snapshot, 'nodeMaintenances' | 'sriovNodeStates'>;

/** The snapshot of lists. Nothing was evicted or looked up yet. */
export function listedSnapshot({
  pods,
  ...lists
}: Omit<Lists, 'pods'> & { readonly pods: Iterable<SnapshotPod> }): Snapshot {
  return {
    ...lists,
    pods: podIndexOf(pods),
    budgets: [],
    paused: false,
    foreignDaemonSets: new Map(),
    evictions: { byNode: new Map(), shiftMs: 0 },
  };
}
