import { isObject, listAt, valueAt } from '../lib/json.js';
import { ask } from './ask.js';
import type { ApiClient } from './api-client.js';
import { groupPath } from './paths.js';
import type { Answer } from './types.js';

/** An API group that the cluster serves; versions without the group. */
interface ServedGroup {
  readonly name: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}

/** A kind that the cluster serves. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/**
 * All groups but the core. For a group, version or kind that it does not have, an API server answers 404 without a Status, as a proxy
 * in front of it may, too; so whoever asks for a kind that may be missing asks for the groups and their kinds first.
 */
export function servedGroups(client: ApiClient): Promise<Answer<readonly ServedGroup[]>> {
  return ask(client, { method: 'GET', path: '/apis' }, (list) =>
    listAt(list, 'groups').map((group) => ({
      name: String(valueAt(group, ['name'])),
      versions: listAt(group, 'versions').map((one) => String(valueAt(one, ['version']))),
      preferredVersion: String(valueAt(group, ['preferredVersion', 'version'])),
    })),
  );
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
