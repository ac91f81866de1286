import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { Session } from '../../cluster/client/session.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { listed } from '../../shared/lib/listed.js';
import type { ClusterDiff, ObjectDiff } from '../../review/diff/diff.js';
import { compareLive } from '../../review/diff/live/compare.js';
import { FIELD_MANAGER } from '../../review/diff/live/managed-fields.js';
import { addressesOfPod } from '../../review/impact/used-addresses.js';
import type { ClusterNode } from '../../cluster/pools/nodes.js';
import { dryRun, refusalOf } from '../../cluster/reader/dry-run.js';
import { placeOf } from '../../cluster/reader/located.js';
import { read } from '../../cluster/reader/read.js';
import type { ServedKinds } from '../../cluster/reader/served.js';
import { liveObjects } from '../cluster/live-objects.js';
import { versionsAmong } from '../../cluster/takeover/operator/version.js';
import { listNodes } from '../../cluster/reader/nodes.js';
import { withSession, type ClusterChoice } from '../cluster/session.js';
import type { Io } from '../io.js';
import type { Next } from './compare.js';
import type { RenderedCluster } from './rendered.js';

type Inventory = Required<Pick<Next, 'nodes' | 'addresses'>>;

const RUNNING = { kind: 'Pod', fields: 'status.phase!=Succeeded,status.phase!=Failed' } as const;
const HELP =
  'nodes and pods are listed; where you may list nodes alone: `kubectl get nodes -o json > nodes.json` and `--nodes nodes.json`';

/** Reads the nodes of the live cluster and the addresses that its running pods have. */
export function readInventory(options: ClusterChoice, io: Io): Promise<Inventory | Diagnostic> {
  return withSession(options, io, inventory);
}

async function inventory(session: Session): Promise<Inventory> {
  const nodes = await listNodes(session, HELP);
  const pods = await read(session.client, [RUNNING], { help: HELP }, addressesOfPod);
  return { nodes, addresses: pods.items.flat() };
}

export interface LiveResult {
  readonly diff: ClusterDiff;
  readonly diagnostics: readonly Diagnostic[];
  /** What the cluster has, with `status`. */
  readonly live: readonly KubernetesObject[];
  readonly nodes: readonly ClusterNode[];
}

/**
 * Compares what a folder renders with its live cluster. Objects that differ are sent as a server-side dry run, so that defaults and
 * webhooks are those of the cluster.
 */
export async function compareWithCluster(session: Session, { sides, expected }: RenderedCluster): Promise<LiveResult> {
  const [{ objects, served, forbidden: refusedKinds }, nodes, pods, deployments] = await Promise.all([
    liveObjects(session, sides.rendered, [expected.namespace]),
    listNodes(session),
    // Pods of all namespaces only tell which addresses are in use.
    read(session.client, [RUNNING], { without: ['forbidden'] }, addressesOfPod),
    // Of the operator only its version is asked.
    read(session.client, [{ kind: 'Deployment', namespace: expected.namespace }], {
      without: ['forbidden', 'unavailable'],
    }),
  ]);
  const operators = versionsAmong(deployments.items, expected.namespace);
  const [refusedPods] = pods.unread;
  const forbidden = refusedPods ? new Map([...refusedKinds, ['v1 Pod', refusedPods.message]]) : refusedKinds;
  const addresses = refusedPods ? undefined : pods.items.flat();
  const isListed = ({ apiVersion, kind }: KubernetesObject) => !forbidden.has(`${apiVersion} ${kind}`);
  const may = sides.rendered.filter(isListed);
  const unlisted = sides.rendered.filter((object) => !isListed(object));
  const all = {
    ...sides,
    nodes,
    rendered: may,
    unlisted,
    live: objects,
    ...(addresses && { addresses }),
    operators,
  };
  const first = compareLive(all);
  const differing = new Set(first.objects.map(differenceIdentity));
  const asked = may.filter((object) => differing.has(identityOf(object)));
  const { made, refused } = await applied(session, asked, served, FIELD_MANAGER[sides.applier]);
  const diff = made.size + refused.size === 0 ? first : compareLive({ ...all, dryRun: made, refused });
  const diagnostics = forbidden.size === 0 ? [] : [notListed(forbidden)];
  return { diff, diagnostics, live: objects, nodes };
}

/** What the API server says to a server-side apply of some objects. */
interface Applied {
  /** What applying makes, by `identityOf`. */
  readonly made: ReadonlyMap<string, KubernetesObject>;
  /** The messages of those that it refuses. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Those that the user may not apply, or whose kind or namespace does not exist yet, are left out. */
async function applied(
  { client }: Session,
  objects: readonly KubernetesObject[],
  served: ServedKinds,
  fieldManager: string,
): Promise<Applied> {
  const made = new Map<string, KubernetesObject>();
  const refused = new Map<string, string>();
  await Promise.all(
    objects.map(async (object) => {
      const kind = served.get(`${object.apiVersion} ${object.kind}`);
      if (kind === undefined) return;
      const answer = await dryRun(client, placeOf(kind, object.metadata).path, object, fieldManager);
      const refusal = refusalOf(answer);
      if (answer.kind === 'ok' && answer.value !== undefined) made.set(identityOf(object), answer.value);
      if (refusal !== undefined) refused.set(identityOf(object), refusal);
    }),
  );
  return { made, refused };
}

function differenceIdentity({ apiVersion, kind, namespace, name }: ObjectDiff): string {
  return identityOf({ apiVersion, kind, metadata: { name, ...(namespace !== '' && { namespace }) } });
}

const SHOWN = 5;

function notListed(forbidden: ReadonlyMap<string, string>): Diagnostic {
  const kinds = [...forbidden.keys()].map((name) => name.split(' ')[1] ?? '');
  return diagnostic('WEFT0412', {
    message: `objects of ${listed(kinds, SHOWN)} are not compared: ${[...forbidden.values()][0] ?? ''}`,
    help: 'ask for the right to list them, or run this as another user',
  });
}
