import type { Session } from '../../cluster/client/session.js';
import { COMPONENT_KINDS } from '../../cluster/reader/kinds.js';
import { read } from '../../cluster/reader/read.js';
import { servedKinds, type ServedKinds } from '../../cluster/reader/served.js';
import { mountedConfigMaps } from '../../cluster/status/components.js';
import { isMadeForPolicies } from '../../review/diff/live/compare.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';

/** What a live cluster has of the rendered objects, and of what policies made before. */
interface LiveObjects {
  readonly objects: readonly KubernetesObject[];
  readonly served: ServedKinds;
  /** Kinds that the user may not list, as `apiVersion kind` with the server's message. */
  readonly forbidden: ReadonlyMap<string, string>;
}

/** Networks put their objects into any namespace. */
const ANYWHERE = new Set(['NetworkAttachmentDefinition']);

/**
 * Lists by kind and namespace, and keeps what counts. Reads no Secrets.
 *
 * @param more namespaces beside those of the rendered objects
 */
export async function liveObjects(
  { client }: Session,
  rendered: readonly KubernetesObject[],
  more: readonly string[] = [],
): Promise<LiveObjects> {
  const wanted = new Set([...rendered, ...rendered.flatMap(mountedConfigMaps)].map(identityOf));
  const all = new Set([...rendered.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`), ...COMPONENT_KINDS]);
  const names = [...all].filter((one) => one !== 'v1 Secret');
  const served = await servedKinds(
    client,
    names.map((one) => one.split(' ')[0] ?? ''),
  );
  const namespaces = [...new Set([...rendered.flatMap(({ metadata }) => metadata.namespace ?? []), ...more])];
  const wants = names.flatMap((name) => {
    const kind = served.get(name);
    if (kind === undefined) return [];
    if (!kind.isNamespaced || ANYWHERE.has(kind.kind)) return [{ kind }];
    return namespaces.map((namespace) => ({ kind, namespace }));
  });
  const { items, unread } = await read(client, wants, { without: ['forbidden'] }, (object) =>
    wanted.has(identityOf(object)) || isMadeForPolicies(object) ? object : undefined,
  );
  const refused = unread.filter(({ reason }) => reason === 'forbidden');
  return {
    objects: items,
    served,
    forbidden: new Map(refused.map(({ kind, message }) => [`${kind.apiVersion} ${kind.kind}`, message])),
  };
}
