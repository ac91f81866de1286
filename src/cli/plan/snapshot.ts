import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { KindName } from '../../cluster/reader/kinds.js';
import { read } from '../../cluster/reader/read.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { COMPANION_NAMES } from '../../shared/contract/labels.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { readSnapshot, type ClusterSnapshot } from '../../forecast/plan/snapshot/objects.js';
import { savedSnapshot } from '../../forecast/plan/snapshot/save.js';
import type { ExpectedCluster } from '../cluster/expected.js';
import { withSession, type ClusterChoice } from '../cluster/session.js';
import { readGiven, writeGiven } from '../given-file.js';
import type { Io } from '../io.js';

/** Without these there is no plan. */
const NEEDED = ['Node', 'Pod', 'DaemonSet', 'ControllerRevision', 'PodDisruptionBudget'] as const;
/** What a plan lacks where it may not be listed. */
const OTHERS = [
  ...['ReplicaSet', 'StatefulSet', 'Job', 'PersistentVolume', 'PersistentVolumeClaim'],
  ...['ResourceClaim', 'ResourceSlice', 'SriovNetworkNodeState', 'NodeMaintenance', 'MaintenanceOperatorConfig'],
  ...['ClusterPolicy', 'NVIDIADriver'],
] as readonly KindName[];
const wantsOf = (kinds: readonly KindName[]) => kinds.map((kind) => ({ kind }));

const HELP = 'or give what kubectl prints: `--snapshot FILE`';

/**
 * Lists the objects of the live cluster that a plan needs.
 *
 * @param namespaces namespaces of the drivers
 */
export function liveSnapshot(
  choice: ClusterChoice & { readonly expected: ExpectedCluster },
  namespaces: ReadonlySet<string>,
  io: Io,
): Promise<ClusterSnapshot | Diagnostic> {
  return withSession(choice, io, async ({ client }) => {
    // Most of a pod is not needed, and there may be 100,000.
    const saved = (object: NamedObject) => savedSnapshot({ items: [object] }, namespaces).items[0];
    const [needed, others, status] = await Promise.all([
      read(client, wantsOf(NEEDED), { help: HELP }, saved),
      read(client, wantsOf(OTHERS), { without: ['forbidden', 'unavailable'] }, saved),
      statusOf(client, choice.expected.namespace),
    ]);
    return { items: [...needed.items, ...others.items, ...status.flatMap((one) => saved(one) ?? [])] };
  });
}

/**
 * The status of the companion, whose annotation is the pause by hand; an empty one where it has none yet. Nothing where it may not be read:
 * the plan says then that it does not know.
 */
async function statusOf(client: ApiClient, namespace: string): Promise<readonly NamedObject[]> {
  const name = COMPANION_NAMES.statusConfigMap;
  const options = { without: ['forbidden'], help: HELP } as const;
  const { items, unread } = await read(client, [{ kind: 'ConfigMap', namespace, name }], options);
  const isMissing = unread.some(({ reason }) => reason === 'missing');
  return isMissing ? [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }] : items;
}

/** Reads a file that `--save` wrote, or what kubectl printed. */
export async function snapshotFile(path: string, io: Io): Promise<ClusterSnapshot | Diagnostic> {
  const text = await readGiven(path, io);
  const read = typeof text === 'string' ? readSnapshot(text) : text;
  if (!('problem' in read)) return read;
  return diagnostic('WEFT0446', {
    message: `\`${path}\` is no snapshot of a cluster: ${read.problem}`,
    help: SNAPSHOT_HELP,
  });
}

const SNAPSHOT_HELP =
  '`weft plan --save FILE` writes one, and `kubectl get nodes,pods,pdb,daemonsets,controllerrevisions,replicasets,statefulsets,jobs,pv,pvc -A -o json`';

/** Writes the snapshot as a List. Names of a cluster are nobody else's business. */
export function saveSnapshot(
  path: string,
  snapshot: ClusterSnapshot,
  namespaces: ReadonlySet<string>,
  io: Io,
): Diagnostic | undefined {
  const { items } = savedSnapshot(snapshot, namespaces);
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const failed = writeGiven(path, `${text}\n`, io);
  if (failed === undefined) return undefined;
  const message = `\`${path}\` cannot be written: ${failed.problem}`;
  return diagnostic('WEFT0446', { message, help: 'name another file' });
}
