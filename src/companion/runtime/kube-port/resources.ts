import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { listAll } from '../../../shared/kube-client/list.js';
import { collectionPath } from '../../../shared/kube-client/paths.js';
import type { Answer, Listed, Stop, WatchEvent } from '../../../shared/kube-client/types.js';
import { watchCollection, type WatchTimes } from '../../../shared/kube-client/watch.js';
import { reduceDaemonSet, reduceNode, reducePod } from './reduce.js';

/** The requests for all objects of a kind, in a namespace or in all. */
export interface Collection<Item> {
  readonly list: (namespace?: string) => Promise<Answer<Listed<Item>>>;
  readonly watch: (
    namespace: string | undefined,
    resourceVersion: string,
    onEvent: (event: WatchEvent<Item>) => void,
  ) => Stop;
}

/** The API path of a kind, and the function that reduces its objects. */
interface Resource<Item> {
  readonly group: string;
  readonly plural: string;
  readonly reduce: (object: object) => Item;
}

export const RESOURCES = {
  nodes: { group: '/api/v1', plural: 'nodes', reduce: reduceNode },
  pods: { group: '/api/v1', plural: 'pods', reduce: reducePod },
  daemonSets: { group: '/apis/apps/v1', plural: 'daemonsets', reduce: reduceDaemonSet },
  revisions: { group: '/apis/apps/v1', plural: 'controllerrevisions' },
};

export function collectionOf<Item>(client: ApiClient, resource: Resource<Item>, times: WatchTimes): Collection<Item> {
  const { reduce } = resource;
  return {
    list: (namespace) => listAll(client, collectionPath(resource, namespace), reduce),
    watch: (namespace, resourceVersion, onEvent) =>
      watchCollection(client, collectionPath(resource, namespace), resourceVersion, reduce, onEvent, times),
  };
}
