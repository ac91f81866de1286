import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { ask } from '../../shared/kube-client/ask.js';
import { listAll } from '../../shared/kube-client/list.js';
import { objectPath } from '../../shared/kube-client/paths.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { COMPANION_NAMES } from '../../shared/contract/labels.js';
import { SHAPES } from '../../shared/kubernetes/shapes/kinds.js';
import { checking } from '../../shared/kubernetes/shapes/read.js';
import { readSnapshot, type ClusterSnapshot } from '../../forecast/plan/snapshot/objects.js';
import { savedSnapshot } from '../../forecast/plan/snapshot/save.js';
import type { ExpectedCluster } from '../cluster/expected.js';
import { valueOf } from '../../cluster/reader/answers.js';
import { withSession, type ClusterChoice } from '../cluster/session.js';
import { readGiven, writeGiven } from '../given-file.js';
import type { Io } from '../io.js';

/** What is listed, and what the plan lacks where it may not be. Without nodes and pods there is no plan. */
const LISTS: readonly { readonly path: string; readonly kind: string; readonly isNeeded?: true }[] = [
  { path: '/api/v1/nodes', kind: 'Node', isNeeded: true },
  { path: '/api/v1/pods', kind: 'Pod', isNeeded: true },
  { path: '/apis/apps/v1/daemonsets', kind: 'DaemonSet', isNeeded: true },
  { path: '/apis/apps/v1/controllerrevisions', kind: 'ControllerRevision', isNeeded: true },
  { path: '/apis/policy/v1/poddisruptionbudgets', kind: 'PodDisruptionBudget', isNeeded: true },
  { path: '/apis/apps/v1/replicasets', kind: 'ReplicaSet' },
  { path: '/apis/apps/v1/statefulsets', kind: 'StatefulSet' },
  { path: '/apis/batch/v1/jobs', kind: 'Job' },
  { path: '/api/v1/persistentvolumes', kind: 'PersistentVolume' },
  { path: '/api/v1/persistentvolumeclaims', kind: 'PersistentVolumeClaim' },
];

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
    const saved = (kind: string) => (object: object) =>
      savedSnapshot({ items: [{ ...object, kind }] }, namespaces).items[0] ?? {};
    // The API server takes any data of a revision.
    const reduced = (kind: string) =>
      kind === 'ControllerRevision' ? checking(kind, saved(kind), () => undefined) : saved(kind);
    const lists = await Promise.all(
      LISTS.map(async ({ path, kind, isNeeded }) => {
        const answer = await listAll(client, path, reduced(kind));
        if (isNeeded === true) return valueOf(answer, HELP).items;
        return answer.kind === 'ok' ? answer.value.items : [];
      }),
    );
    const status = await statusOf(client, choice.expected.namespace, reduced('ConfigMap'));
    return { items: [...lists.flat(), ...status] };
  });
}

/**
 * The status of the companion, whose annotation is the pause by hand; an empty one where it has none yet. Nothing where it may not be read:
 * the plan says then that it does not know.
 */
async function statusOf(
  client: ApiClient,
  namespace: string,
  reduce: (object: object) => object,
): Promise<readonly object[]> {
  const path = objectPath(SHAPES.ConfigMap, namespace, COMPANION_NAMES.statusConfigMap);
  const answer = await ask(client, { method: 'GET', path }, reduce);
  if (answer.kind === 'forbidden') return [];
  if (answer.kind === 'gone') return [reduce({ metadata: { name: COMPANION_NAMES.statusConfigMap, namespace } })];
  return [valueOf(answer, HELP)];
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
