import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { listServed } from '../../../shared/kube-client/discovery.js';
import { collectionPath } from '../../../shared/kube-client/paths.js';
import { watchCollection, type WatchTimes } from '../../../shared/kube-client/watch.js';
import { SHAPES, type ApiOf, type ShapedKind } from '../../../shared/kubernetes/shapes/kinds.js';
import { apiGroup } from '../../../shared/kubernetes/names.js';
import { checking, type OnMalformed } from '../../../shared/kubernetes/shapes/read.js';
import type { Collection } from './resources.js';

/** The objects of a kind in the version that the cluster serves; empty where it serves none, until it does. */
export function servedCollection<Kind extends ShapedKind, Item>(
  client: ApiClient,
  kind: Kind,
  reduceChecked: (object: ApiOf<Kind>) => Item,
  times: WatchTimes,
  onMalformed: OnMalformed,
): Collection<Item> {
  const { apiVersion, plural } = SHAPES[kind];
  const notServed = { kind: 'expired', message: `${plural}.${apiGroup(apiVersion)} are not served` } as const;
  const reduce = checking(kind, reduceChecked, onMalformed);
  let path: string | undefined;
  return {
    async list(namespace) {
      const answer = await listServed(client, SHAPES[kind], (resource) => collectionPath(resource, namespace), reduce);
      if (answer.kind !== 'ok') return answer;
      const { items, resourceVersion } = answer.value;
      path = answer.value.path;
      return { kind: 'ok', value: { items, resourceVersion } };
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
