import { isObject, listAt, textAt, valueAt } from '../lib/json.js';
import { ask } from './ask.js';
import type { ApiClient } from './api-client.js';
import { listAll } from './list.js';
import { groupPath, type Resource } from './paths.js';
import type { Answer, Listed } from './types.js';

/** An API group that the cluster serves. */
export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  readonly apiVersions: readonly string[];
  /** The preferred one of them. */
  readonly preferred: string;
}

const CORE: ServedGroup = { name: '', apiVersions: ['v1'], preferred: 'v1' };

/** A kind that the cluster serves. */
export interface ServedKind extends Resource {
  readonly kind: string;
  readonly isNamespaced: boolean;
}

/**
 * All groups. For a group, version or kind that it does not have, an API server answers 404 without a Status, as a proxy
 * in front of it may, too; so whoever asks for a kind that may be missing asks for the groups and their kinds first.
 */
export function servedGroups(client: ApiClient): Promise<Answer<readonly ServedGroup[]>> {
  return ask(client, { method: 'GET', path: '/apis' }, (list) => [
    CORE,
    ...listAt(list, 'groups').map((group) => {
      const name = textAt(group, 'name') ?? '';
      const withGroup = (one: unknown): string => `${name}/${textAt(one, 'version') ?? ''}`;
      const preferred = withGroup(valueAt(group, ['preferredVersion']));
      return { name, apiVersions: listAt(group, 'versions').map(withGroup), preferred };
    }),
  ]);
}

/** The kinds of an API version of `servedGroups`; none if the server has just lost it. */
export async function servedKindsOf(client: ApiClient, apiVersion: string): Promise<Answer<readonly ServedKind[]>> {
  const answer = await ask(client, { method: 'GET', path: groupPath(apiVersion) }, (list) =>
    listAt(list, 'resources').flatMap((resource) => {
      if (!isObject(resource)) return [];
      const { name, kind, namespaced } = resource;
      // Subresources have a slash in their name.
      if (typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')) return [];
      return [{ apiVersion, kind, plural: name, isNamespaced: namespaced === true }];
    }),
  );
  return answer.kind === 'gone' ? { kind: 'ok', value: [] } : answer;
}

/** A kind that not every cluster serves. */
interface OptionalKind extends Resource {
  /** The first that is served counts. */
  readonly olderVersions?: readonly string[];
}

/** The objects of such a kind, and where they are; without a path the cluster does not serve it. */
interface ServedList<Item> extends Listed<Item> {
  readonly path?: string;
}

/** Lists a kind in the version that the cluster serves; nothing where it serves none. */
export async function listServed<Item>(
  client: ApiClient,
  { apiVersion, olderVersions = [], plural }: OptionalKind,
  pathOf: (resource: Resource) => string,
  reduce: (object: object) => Item,
): Promise<Answer<ServedList<Item>>> {
  const none = { kind: 'ok', value: { items: [], resourceVersion: '' } } as const;
  const groups = await servedGroups(client);
  if (groups.kind !== 'ok') return groups;
  const served = new Set(groups.value.flatMap(({ apiVersions }) => apiVersions));
  const version = [apiVersion, ...olderVersions].find((one) => served.has(one));
  if (version === undefined) return none;
  const path = pathOf({ apiVersion: version, plural });
  const answer = await listAll(client, path, reduce);
  if (answer.kind === 'ok') return { kind: 'ok', value: { ...answer.value, path } };
  // The version may serve other kinds only. Then the list is a 404 without a Status, as that of a proxy.
  if (answer.kind !== 'retry' && answer.kind !== 'gone') return answer;
  const kinds = await servedKindsOf(client, version);
  return kinds.kind !== 'ok' || kinds.value.some((kind) => kind.plural === plural) ? answer : none;
}
