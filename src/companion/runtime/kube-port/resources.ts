import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { listServed } from '../../../shared/kube-client/discovery.js';
import { listAll } from '../../../shared/kube-client/list.js';
import { collectionPath, type Resource } from '../../../shared/kube-client/paths.js';
import type { Answer, Listed, Stop, WatchEvent } from '../../../shared/kube-client/types.js';
import { watchCollection, type WatchTimes } from '../../../shared/kube-client/watch.js';
import { apiGroup } from '../../../shared/kubernetes/names.js';
import { SHAPES, type ApiOf, type ShapedKind } from '../../../shared/kubernetes/shapes/kinds.js';
import { checking, type OnMalformed } from '../../../shared/kubernetes/shapes/read.js';

/** The requests for all objects of a kind, in a namespace or in all. */
export interface Collection<Item> {
  readonly list: (namespace?: string) => Promise<Answer<Listed<Item>>>;
  readonly watch: (
    namespace: string | undefined,
    resourceVersion: string,
    onEvent: (event: WatchEvent<Item>) => void,
  ) => Stop;
}

/** The objects of a kind. An optional one is read in the version that the cluster serves; it is empty where it serves none, until it does. */
export function collectionOf<Kind extends ShapedKind, Item>(
  client: ApiClient,
  kind: Kind,
  reduceChecked: (object: ApiOf<Kind>) => Item,
  times: WatchTimes,
  onMalformed: OnMalformed,
): Collection<Item> {
  const reduce = checking(kind, reduceChecked, onMalformed);
  const shape: Resource & { readonly isOptional?: true } = SHAPES[kind];
  const { plural, isOptional = false } = shape;
  const notServed = { kind: 'expired', message: `${plural}.${apiGroup(shape.apiVersion)} are not served` } as const;
  let served: string | undefined;
  return {
    async list(namespace) {
      if (!isOptional) return listAll(client, collectionPath(shape, namespace), reduce);
      const answer = await listServed(client, shape, (resource) => collectionPath(resource, namespace), reduce);
      if (answer.kind !== 'ok') return answer;
      const { path, ...listed } = answer.value;
      served = path;
      return { kind: 'ok', value: listed };
    },
    watch(namespace, resourceVersion, onEvent) {
      const path = isOptional ? served : collectionPath(shape, namespace);
      if (path === undefined) {
        const listAgain = (): void => onEvent({ kind: 'end', answer: notServed });
        const timer = setTimeout(listAgain, times.lifetimeSeconds() * 1000);
        return () => clearTimeout(timer);
      }
      const passOn = (event: WatchEvent<Item>): void => {
        // An upgrade of the API server may end the version, which looks like a broken connection.
        const isBroken = event.kind === 'end' && (event.answer.kind === 'retry' || event.answer.kind === 'gone');
        onEvent(
          isOptional && isBroken ? { kind: 'end', answer: { ...notServed, message: event.answer.message } } : event,
        );
      };
      return watchCollection(client, path, resourceVersion, reduce, passOn, times);
    },
  };
}
