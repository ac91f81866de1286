import { isoSecond } from '../../../shared/lib/time.js';
import { keyOf } from '../store.js';
import type { SimulatedCluster } from '../simulated-cluster.js';
import { removeLater } from './pods.js';
import { workQueue } from './work-queue.js';

/** The node lifecycle controller: it dates cordons, and evicts pods from nodes with a taint that has the effect `NoExecute`. */
export function startNodeController(cluster: SimulatedCluster): void {
  const { nodes, pods } = cluster.store;
  const add = workQueue(cluster, (names) => {
    for (const name of names) {
      dateCordon(cluster, name);
      evictTainted(cluster, name);
    }
  });
  nodes.listen(add);
  pods.listen((_key, _before, after) => {
    if (after !== undefined && after.nodeName !== '') add(after.nodeName);
  });
  for (const { name } of nodes.values()) add(name);
}

/** It taints a cordoned node, with the time to the second: `SwapNodeControllerTaint` in `pkg/util/node`. */
function dateCordon({ store, events }: SimulatedCluster, name: string): void {
  const node = store.nodes.get(name);
  if (node === undefined) return;
  const { cordonTime, ...rest } = node;
  if (node.unschedulable === (cordonTime !== undefined)) return;
  const dated = { ...rest, cordonTime: isoSecond(events.now()) };
  store.nodes.put(name, node.unschedulable ? dated : rest, 'controller');
}

/** The taint manager deletes pods that do not tolerate such a taint. The others are those of DaemonSets. */
function evictTainted(cluster: SimulatedCluster, name: string): void {
  const node = cluster.store.nodes.get(name);
  if (node?.taints.some(({ effect }) => effect === 'NoExecute') !== true) return;
  for (const pod of cluster.store.podsOn(name)) {
    const { kind } = pod.lifecycle;
    const isMovable = kind === 'workload' || kind === 'job' || kind === 'bare' || kind === 'operator';
    if (isMovable && pod.deletionMs === undefined) removeLater(cluster, keyOf(pod), pod);
  }
}
