import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { listAll } from '../../../shared/kube-client/list.js';
import { collectionPath } from '../../../shared/kube-client/paths.js';
import type { Answer, Listed, Stop, WatchEvent } from '../../../shared/kube-client/types.js';
import { watchCollection, type WatchTimes } from '../../../shared/kube-client/watch.js';
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

export function collectionOf<Kind extends ShapedKind, Item>(
  client: ApiClient,
  kind: Kind,
  reduceChecked: (object: ApiOf<Kind>) => Item,
  times: WatchTimes,
  onMalformed: OnMalformed,
): Collection<Item> {
  const reduce = checking(kind, reduceChecked, onMalformed);
  const pathOf = (namespace: string | undefined): string => collectionPath(SHAPES[kind], namespace);
  return {
    list: (namespace) => listAll(client, pathOf(namespace), reduce),
    watch: (namespace, resourceVersion, onEvent) =>
      watchCollection(client, pathOf(namespace), resourceVersion, reduce, onEvent, times),
  };
}
