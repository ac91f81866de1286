import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { servedGroups, servedKindsOf } from '../../../shared/kube-client/discovery.js';
import { listAll } from '../../../shared/kube-client/list.js';
import type { ApiOf, ShapedKind } from '../../../shared/kubernetes/shapes/kinds.js';
import { checking, type OnMalformed } from '../../../shared/kubernetes/shapes/read.js';
import { collectionPath, groupPath } from '../../../shared/kube-client/paths.js';
import { watchCollection, type WatchTimes } from '../../../shared/kube-client/watch.js';
import type { Collection } from './resources.js';

/** A kind that not every cluster serves. */
interface OptionalKind<Kind extends ShapedKind, Item> {
  readonly group: string;
  /** The first that is served counts. */
  readonly versions: readonly string[];
  readonly plural: string;
  readonly kind: Kind;
  readonly reduce: (object: ApiOf<Kind>) => Item;
}

/** The objects of a kind in the version that the cluster serves; empty where it serves none, until it does. */
export function servedCollection<Kind extends ShapedKind, Item>(
  client: ApiClient,
  { group, versions, plural, kind, reduce: ofChecked }: OptionalKind<Kind, Item>,
  times: WatchTimes,
  onMalformed: OnMalformed,
): Collection<Item> {
  const notServed = { kind: 'expired', message: `${plural}.${group} are not served` } as const;
  const none = { kind: 'ok', value: { items: [], resourceVersion: '' } } as const;
  const reduce = checking(kind, ofChecked, onMalformed);
  let path: string | undefined;
  return {
    async list(namespace) {
      const groups = await servedGroups(client);
      if (groups.kind !== 'ok') return groups;
      const served = groups.value.find(({ name }) => name === group)?.versions ?? [];
      const version = versions.find((one) => served.includes(one));
      path = version && collectionPath({ group: groupPath(`${group}/${version}`), plural }, namespace);
      if (path === undefined) return none;
      const answer = await listAll(client, path, reduce);
      // The version may serve other kinds only. Then the list is a 404 without a Status, as that of a proxy.
      if (answer.kind !== 'retry' && answer.kind !== 'gone') return answer;
      const kinds = await servedKindsOf(client, `${group}/${version}`);
      if (kinds.kind !== 'ok' || kinds.value.some((kind) => kind.plural === plural)) return answer;
      path = undefined;
      return none;
    },
    watch(_namespace, resourceVersion, onEvent) {
      if (path === undefined) {
        const listAgain = (): void => onEvent({ kind: 'end', answer: notServed });
        const timer = setTimeout(listAgain, times.lifetimeSeconds() * 1000);
        return () => clearTimeout(timer);
      }
      return watchCollection(
        client,
        path,
        resourceVersion,
        reduce,
        (event) => {
          // An upgrade of the API server may end the version, which looks like a broken connection.
          const isBroken = event.kind === 'end' && (event.answer.kind === 'retry' || event.answer.kind === 'gone');
          onEvent(isBroken ? { kind: 'end', answer: { ...notServed, message: event.answer.message } } : event);
        },
        times,
      );
    },
  };
}
