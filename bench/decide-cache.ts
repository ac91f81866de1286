import { startObserver, type Observer } from '../src/companion/runtime/observe/observer.js';
import type { Ports, WatchedItems, WatchedKind } from '../src/companion/runtime/ports.js';
import type { Answer, Listed, WatchEvent } from '../src/shared/kube-client/types.js';
import { NOW, snapshot } from '../test/kit/snapshots.js';
import type { ClusterObjects } from './decide-cases.js';

/** The companion's own caches of a large cluster. */
export interface Cache {
  readonly observer: Observer;
  /** Changes a number of pods and nodes by watch events, and refuses a number of evictions again. */
  readonly change: (pods: number, nodes: number, refusals: number) => void;
}

type Send = (event: WatchEvent<never>) => void;

const REFUSED = { kind: 'refused', message: 'the disruption budget needs its pods' } as const;
/** Number of refusals of each eviction, so that none is due soon. */
const ATTEMPTS = 4;

/** Lists the cluster into new caches, which are complete when the promise resolves. */
export async function cacheOf(objects: ClusterObjects): Promise<Cache> {
  const sends = new Map<WatchedKind, Send>();
  const observer = startObserver(portsOf(objects, sends), ['nno'], {
    changed: () => undefined,
    failed: () => undefined,
    crashed: (error) => {
      throw error;
    },
  });
  while (!observer.ready()) await new Promise((resolve) => setImmediate(resolve));
  await observer.refreshBudgets();
  observer.results.noteForeignDaemonSet({ namespace: 'monitoring', name: 'agent' }, { kind: 'ok', value: undefined });
  const refuse = ({ nodeName, uid }: ClusterObjects['pods'][number]): void =>
    observer.results.noteEviction({ driver: 'ofed', node: nodeName, uid }, REFUSED);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) objects.refused.forEach(refuse);
  let version = 1;
  const places = { pods: 0, nodes: 0, refusals: 0 };
  /** The next items of a list, which starts again at its end. */
  function* next<Item>(items: readonly Item[], place: keyof typeof places, count: number): Iterable<Item> {
    for (let index = 0; index < Math.min(count, items.length); index += 1) {
      const item = items[(places[place] += 1) % items.length];
      if (item !== undefined) yield item;
    }
  }
  /** Replaces objects by equal ones with a new resourceVersion. */
  const put = (kind: WatchedKind, item: object): void =>
    sends.get(kind)?.({
      kind: 'put',
      item: { ...item, resourceVersion: String((version += 1)) } as never,
      resourceVersion: '2',
    });
  return {
    observer,
    change(pods, nodes, refusals) {
      for (const item of next(objects.pods, 'pods', pods)) put('pods', item);
      for (const item of next(objects.nodes, 'nodes', nodes)) put('nodes', item);
      for (const item of next(objects.refused, 'refusals', refusals)) refuse(item);
      // Its status counts pods.
      for (const item of snapshot({}).daemonSets) put('daemonSets', item);
    },
  };
}

function portsOf(objects: ClusterObjects, sends: Map<WatchedKind, Send>): Ports {
  const { daemonSets, revisions } = snapshot({});
  const lists: { readonly [Kind in WatchedKind]: readonly WatchedItems[Kind][] } = {
    ...objects,
    daemonSets,
    revisions,
    gpuClaims: [],
    sriovNodeStates: [],
    nodeMaintenances: [],
  };
  const ok = <Value>(value: Value): Promise<Answer<Value>> => Promise.resolve({ kind: 'ok', value });
  const cluster: Partial<Ports['cluster']> = {
    list: <Kind extends WatchedKind>(kind: Kind): Promise<Answer<Listed<WatchedItems[Kind]>>> =>
      ok({ items: lists[kind], resourceVersion: '1' }),
    watch(kind, _namespace, _resourceVersion, onEvent) {
      sends.set(kind, onEvent);
      return () => undefined;
    },
    listBudgets: () => ok(objects.budgets),
  };
  return {
    cluster: cluster as Ports['cluster'],
    clock: { now: () => NOW, monotonicMs: () => 0, processorMs: () => 0, after: () => () => undefined },
    signals: { stopRequested: false, onStop: () => undefined },
    random: () => 0.99,
    output: { log: () => undefined, metrics: () => undefined, summary: () => undefined },
  };
}
