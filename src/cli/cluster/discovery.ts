import { ask } from '../../kube-client/ask.js';
import type { ApiClient } from '../../kube-client/api-client.js';
import { collectionPath } from '../../kube-client/paths.js';
import { listAt } from '../../review/changes/data.js';
import { isObject, valueAt } from '../../lib/json.js';
import { valueOf } from './session.js';

/** A kind that the cluster serves. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/** The kinds that a cluster serves, by `apiVersion kind`. */
export type ServedKinds = ReadonlyMap<string, ServedKind>;

/** Asks which kinds of some API versions the cluster serves. A version that it does not serve has none. */
export async function servedKinds(client: ApiClient, apiVersions: Iterable<string>): Promise<ServedKinds> {
  // For a version that it does not have the server answers 404 without a Status, as a proxy in front of it may, too.
  const groups = await servedGroups(client);
  const known = new Set(['v1', ...groups.flatMap(({ name, versions }) => versions.map((one) => `${name}/${one}`))]);
  const versions = [...new Set(apiVersions)].filter((version) => known.has(version));
  const lists = await Promise.all(versions.map((version) => resourcesOf(client, version)));
  return new Map(lists.flat().map((served) => [`${served.apiVersion} ${served.kind}`, served]));
}

/** An API group that the cluster serves; versions without the group. */
interface ServedGroup {
  readonly name: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}

export async function servedGroups(client: ApiClient): Promise<readonly ServedGroup[]> {
  const groups = valueOf(await ask(client, { method: 'GET', path: '/apis' }, (list) => listAt(list, 'groups')));
  return groups.map((group) => ({
    name: String(valueAt(group, ['name'])),
    versions: listAt(group, 'versions').map((one) => String(valueAt(one, ['version']))),
    preferredVersion: String(valueAt(group, ['preferredVersion', 'version'])),
  }));
}

/** The kinds of an API version: none if the server has just lost it. */
export async function resourcesOf(client: ApiClient, apiVersion: string): Promise<readonly ServedKind[]> {
  const answer = await ask(client, { method: 'GET', path: groupPath(apiVersion) }, (list) => listAt(list, 'resources'));
  if (answer.kind === 'gone') return [];
  return valueOf(answer).flatMap((resource) => {
    if (!isObject(resource)) return [];
    const { name, kind, namespaced } = resource;
    // Subresources have a slash in their name.
    if (typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')) return [];
    return [{ apiVersion, kind, plural: name, isNamespaced: namespaced === true }];
  });
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** Path of the objects of a kind, in a namespace or everywhere. */
export function pathOf({ apiVersion, plural, isNamespaced }: ServedKind, namespace?: string): string {
  return collectionPath({ group: groupPath(apiVersion), plural }, isNamespaced ? namespace : undefined);
}
