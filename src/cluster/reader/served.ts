import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { ask } from '../../shared/kube-client/ask.js';
import { servedGroups, servedKindsOf, type ServedGroup, type ServedKind } from '../../shared/kube-client/discovery.js';
import { textAt } from '../../shared/lib/json.js';
import { valueOf } from './answers.js';

/** The kinds that a cluster serves, by `apiVersion kind`. */
export type ServedKinds = ReadonlyMap<string, ServedKind>;

/** Asks which kinds of some API versions the cluster serves. A version that it does not serve has none. */
export async function servedKinds(client: ApiClient, apiVersions: Iterable<string>): Promise<ServedKinds> {
  const wanted = new Set(apiVersions);
  return servedKindsOfGroups(client, (group) => group.apiVersions.filter((one) => wanted.has(one)));
}

/** @param choose the API versions of each group that are asked for */
export async function servedKindsOfGroups(
  client: ApiClient,
  choose: (group: ServedGroup) => readonly string[],
): Promise<ServedKinds> {
  const versions = valueOf(await servedGroups(client)).flatMap(choose);
  const lists = await Promise.all(versions.map(async (version) => valueOf(await servedKindsOf(client, version))));
  return new Map(lists.flat().map((served) => [`${served.apiVersion} ${served.kind}`, served]));
}

/** The release of Kubernetes, such as `1.34`; undefined where the server does not say it. */
export async function serverVersion(client: ApiClient): Promise<string | undefined> {
  const answer = await ask(client, { method: 'GET', path: '/version' }, (version) => textAt(version, 'gitVersion'));
  return answer.kind === 'ok' ? /^v?(\d+\.\d+)/.exec(answer.value ?? '')?.[1] : undefined;
}
