import { podIndexOf, type PodIndex } from '../../model/pod-index.js';
import type { WatchedItems, WatchedKind } from '../ports.js';
import type { NodeMaintenance } from '../../model/node-maintenance.js';
import type { SriovNodeState } from '../../model/sriov.js';
import { claimingPodsOf, type ClaimingPods } from './claiming-pods.js';
import type { WatchEvent } from '../../../shared/kube-client/types.js';

/** The views of a snapshot on the objects of each kind. */
export interface WatchedViews extends ViewsAsLists {
  readonly pods: PodIndex;
  readonly gpuClaims: ClaimingPods;
  readonly sriovNodeStates: ReadonlyMap<string, SriovNodeState>;
  readonly nodeMaintenances: ReadonlyMap<string, NodeMaintenance>;
}

type ViewsAsLists = {
  readonly [
    Kind in Exclude<WatchedKind, 'pods' | 'gpuClaims' | 'sriovNodeStates' | 'nodeMaintenances'>
  ]: readonly WatchedItems[Kind][];
};

/** The cached objects of one kind: lists replace them, watch events change them. */
export interface Store<Kind extends WatchedKind> {
  /** All objects now. It returns the same value until something changes, and a returned value never changes. */
  readonly view: () => WatchedViews[Kind];
  readonly replace: (items: readonly WatchedItems[Kind][], resourceVersion: string) => void;
  readonly fold: (event: Exclude<WatchEvent<WatchedItems[Kind]>, { kind: 'end' }>) => void;
  readonly resourceVersion: () => string;
}

/** Identity of an object in its store. A new object of the same name replaces the old one. */
export const KEY_OF: { readonly [Kind in WatchedKind]: (item: WatchedItems[Kind]) => string } = {
  nodes: (item) => item.name,
  pods: (item) => `${item.namespace}/${item.name}`,
  daemonSets: (item) => `${item.namespace}/${item.name}`,
  revisions: (item) => `${item.namespace}/${item.ownerUid}/${item.hash}`,
  gpuClaims: (item) => `${item.namespace}/${item.name}`,
  sriovNodeStates: (item) => item.name,
  nodeMaintenances: (item) => item.name,
};

/** Makes a view from all objects, or from the last view and the changes since. */
type ViewOf<Item, View> = (
  items: ReadonlyMap<string, Item>,
  before: View | undefined,
  changes: Iterable<Change<Item>>,
) => View;

interface Change<Item> {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

const listOf = <Item>(items: ReadonlyMap<string, Item>): readonly Item[] => [...items.values()];

export const VIEW_OF: { readonly [Kind in WatchedKind]: ViewOf<WatchedItems[Kind], WatchedViews[Kind]> } = {
  nodes: listOf,
  pods: (_items, before, changes) => (before ?? podIndexOf([])).after(changes),
  daemonSets: listOf,
  revisions: listOf,
  sriovNodeStates: (items) => new Map(items),
  nodeMaintenances: (items) => new Map(items),
  gpuClaims: (_items, before, changes) => (before ?? claimingPodsOf([])).after(changes),
};

export function createStore<Kind extends WatchedKind>(
  keyOf: (item: WatchedItems[Kind]) => string,
  viewOf: ViewOf<WatchedItems[Kind], WatchedViews[Kind]>,
  changed: () => void,
): Store<Kind> {
  type Item = WatchedItems[Kind];
  const byKey = new Map<string, Item>();
  /** By key, the objects that changed since the last view, as that view has them. */
  const outdated = new Map<string, Item | undefined>();
  let resourceVersion = '';
  let last: WatchedViews[Kind] | undefined;

  function put(key: string, item: Item | undefined): void {
    if (!outdated.has(key)) outdated.set(key, byKey.get(key));
    if (item === undefined) byKey.delete(key);
    else byKey.set(key, item);
  }
  function* changes(): Iterable<Change<Item>> {
    for (const [key, before] of outdated) yield { before, after: byKey.get(key) };
  }
  function view(): WatchedViews[Kind] {
    if (last === undefined || outdated.size > 0) last = viewOf(byKey, last, changes());
    outdated.clear();
    return last;
  }
  return {
    view,
    replace(items, version) {
      for (const key of [...byKey.keys()]) put(key, undefined);
      for (const item of items) put(keyOf(item), item);
      resourceVersion = version;
      // The view of a whole list takes long, so it is not built during a decision.
      view();
      changed();
    },
    fold(event) {
      ({ resourceVersion } = event);
      if (event.kind === 'bookmark') return;
      put(keyOf(event.item), event.kind === 'put' ? event.item : undefined);
      changed();
    },
    resourceVersion: () => resourceVersion,
  };
}
