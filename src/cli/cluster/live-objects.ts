import { ask } from '../../shared/kube-client/ask.js';
import type { Failure } from '../../shared/kube-client/answer.js';
import { listAll } from '../../shared/kube-client/list.js';
import type { Session } from '../../cluster/client/session.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import { namedObject } from '../../shared/kubernetes/listed-object.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { asKubernetesObject } from '../../cluster/changes/objects.js';
import { isMadeForPolicies } from '../../review/diff/live/compare.js';
import { mountedConfigMaps } from '../../cluster/status/components.js';
import type { ServedKind } from '../../shared/kube-client/discovery.js';
import { pathOf, servedKinds, type ServedKinds } from './discovery.js';
import { noAnswer, Refusal } from '../../cluster/reader/answers.js';

/** What a live cluster has of the rendered objects, and of what policies made before. */
interface LiveObjects {
  readonly objects: readonly KubernetesObject[];
  readonly served: ServedKinds;
  /** Kinds that the user may not list, as `apiVersion kind` with the server's message. */
  readonly forbidden: ReadonlyMap<string, string>;
}

/** Kinds that components have: objects of theirs that are not rendered any more are looked for in these. */
const COMPONENT_KINDS = [
  ...['v1 ConfigMap', 'v1 Service', 'v1 ServiceAccount', 'apps/v1 DaemonSet', 'apps/v1 Deployment'],
  ...['batch/v1 CronJob', 'batch/v1 Job'],
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => `rbac.authorization.k8s.io/v1 ${kind}`),
  'k8s.cni.cncf.io/v1 NetworkAttachmentDefinition',
];

/** Networks put their objects into any namespace. */
const ANYWHERE = new Set(['NetworkAttachmentDefinition']);

/**
 * Lists by kind and namespace, page by page, and keeps what counts. Reads no Secrets.
 *
 * @param more namespaces beside those of the rendered objects
 */
export async function liveObjects(
  { client }: Session,
  rendered: readonly KubernetesObject[],
  more: readonly string[] = [],
): Promise<LiveObjects> {
  const wanted = new Set([...rendered, ...rendered.flatMap(mountedConfigMaps)].map(identityOf));
  const kinds = [...new Set([...rendered.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`), ...COMPONENT_KINDS])];
  const readable = kinds.filter((one) => one !== 'v1 Secret');
  const served = await servedKinds(
    client,
    readable.map((one) => one.split(' ')[0] ?? ''),
  );
  const namespaces = [...new Set([...rendered.flatMap(({ metadata }) => metadata.namespace ?? []), ...more])];
  const forbidden = new Map<string, string>();
  const keep = (object: object): readonly KubernetesObject[] => {
    const found = namedObject(object);
    return found !== undefined && (wanted.has(identityOf(found)) || isMadeForPolicies(found)) ? [found] : [];
  };
  const lists = readable.flatMap((name) => {
    const kind = served.get(name);
    return kind === undefined ? [] : placesOf(kind, namespaces).map((path) => ({ name, kind, path }));
  });
  const found = await Promise.all(
    lists.map(async ({ name, kind: { apiVersion, kind }, path }) => {
      // Items of a list have neither.
      const answer = await listAll(client, path, (object) => keep({ apiVersion, kind, ...object }));
      if (answer.kind === 'ok') return answer.value.items.flat();
      if (answer.kind !== 'forbidden') throw new Refusal(noAnswer(answer));
      forbidden.set(name, answer.message);
      return [];
    }),
  );
  return { objects: found.flat(), served, forbidden };
}

function placesOf(kind: ServedKind, namespaces: readonly string[]): readonly string[] {
  if (!kind.isNamespaced || ANYWHERE.has(kind.kind)) return [pathOf(kind)];
  return namespaces.map((namespace) => pathOf(kind, namespace));
}

/** What the API server says to a server-side apply of some objects, which changes nothing. */
interface DryRun {
  /** What applying makes, by `identityOf`. */
  readonly made: ReadonlyMap<string, KubernetesObject>;
  /** The messages of those that it refuses. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Asks the API server what a server-side apply makes of objects. Those that the user may not apply, or whose kind or namespace does
 * not exist yet, are left out.
 */
export async function dryRun(
  { client }: Session,
  objects: readonly KubernetesObject[],
  served: ServedKinds,
  fieldManager: string,
): Promise<DryRun> {
  const made = new Map<string, KubernetesObject>();
  const refused = new Map<string, string>();
  const query = `dryRun=All&force=true&fieldValidation=Ignore&fieldManager=${encodeURIComponent(fieldManager)}`;
  await Promise.all(
    objects.map(async (object) => {
      const kind = served.get(`${object.apiVersion} ${object.kind}`);
      if (kind === undefined) return;
      const path = `${pathOf(kind, object.metadata.namespace)}/${encodeURIComponent(object.metadata.name)}?${query}`;
      const exchange = { method: 'PATCH', path, body: object, contentType: 'application/apply-patch+yaml' } as const;
      const answer = await ask(client, exchange, asKubernetesObject);
      if (answer.kind === 'ok' && answer.value !== undefined) made.set(identityOf(object), answer.value);
      if (isRefusal(answer)) refused.set(identityOf(object), answer.message);
    }),
  );
  return { made, refused };
}

/** Whether the API server refuses to apply an object: 422, or the 403 of a webhook; not a webhook that has no dry run (400), nor a missing right. */
export function isRefusal(answer: { readonly kind: string }): answer is Extract<Failure, { kind: 'error' }> {
  return answer.kind === 'error' && !(answer as Extract<Failure, { kind: 'error' }>).message.startsWith('400:');
}
