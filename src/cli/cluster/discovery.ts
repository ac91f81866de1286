import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { servedGroups, servedKindsOf, type ServedKind } from '../../shared/kube-client/discovery.js';
import { collectionPath } from '../../shared/kube-client/paths.js';
import { valueOf } from '../../cluster/reader/answers.js';

/** The kinds that a cluster serves, by `apiVersion kind`. */
export type ServedKinds = ReadonlyMap<string, ServedKind>;

/** Asks which kinds of some API versions the cluster serves. A version that it does not serve has none. */
export async function servedKinds(client: ApiClient, apiVersions: Iterable<string>): Promise<ServedKinds> {
  const groups = valueOf(await servedGroups(client));
  const known = new Set(['v1', ...groups.flatMap(({ name, versions }) => versions.map((one) => `${name}/${one}`))]);
  const versions = [...new Set(apiVersions)].filter((version) => known.has(version));
  const lists = await Promise.all(versions.map(async (version) => valueOf(await servedKindsOf(client, version))));
  return new Map(lists.flat().map((served) => [`${served.apiVersion} ${served.kind}`, served]));
}

/** Path of the objects of a kind, in a namespace or everywhere. */
export function pathOf(kind: ServedKind, namespace?: string): string {
  return collectionPath(kind, kind.isNamespaced ? namespace : undefined);
}
