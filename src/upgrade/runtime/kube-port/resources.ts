import type { WatchedItems, WatchedKind } from '../ports.js';
import { reduceDaemonSet, reduceNode, reducePod, reduceRevision } from './reduce.js';

/** The API path of a kind, and the function that reduces its objects. */
interface Resource<Item> {
  readonly group: string;
  readonly plural: string;
  readonly reduce: (object: object) => Item;
}

export const RESOURCES: { readonly [Kind in WatchedKind]: Resource<WatchedItems[Kind]> } = {
  nodes: { group: '/api/v1', plural: 'nodes', reduce: reduceNode },
  pods: { group: '/api/v1', plural: 'pods', reduce: reducePod },
  daemonSets: { group: '/apis/apps/v1', plural: 'daemonsets', reduce: reduceDaemonSet },
  revisions: { group: '/apis/apps/v1', plural: 'controllerrevisions', reduce: reduceRevision },
};
