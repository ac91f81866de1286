import { keyOf, type StoredDaemonSet, type StoredNode, type StoredPod } from '../store.js';
import { indexBy, type IndexBy } from '../index-by.js';
import type { SimulatedCluster } from '../simulated-cluster.js';
import { makePod, removeLater } from './pods.js';
import { workQueue } from './work-queue.js';

/** The DaemonSet controller: it observes templates, adopts pods, and keeps one pod on each node that a DaemonSet wants. */
export function startDaemonSetController(cluster: SimulatedCluster): void {
  const { nodes, pods, daemonSets } = cluster.store;
  const podsFor = indexBy(pods, (pod) => (pod.controller?.kind === 'DaemonSet' ? nodeOf(pod) : undefined));
  const syncNode = workQueue(cluster, (names) => syncNodes(cluster, names, podsFor));
  const adopt = workQueue(cluster, () => adoptOrphans(cluster));
  const observe = workQueue(cluster, (keys) => {
    for (const key of keys) observeTemplate(cluster, key);
    for (const { name } of nodes.values()) syncNode(name);
    // Unbound pods of a node that is gone.
    for (const pod of cluster.store.podsOn('')) syncNode(pod.lifecycle.targetNode ?? '');
    adopt('');
  });
  nodes.listen(syncNode);
  daemonSets.listen(observe);
  pods.listen((_key, before, after) => {
    for (const pod of [before, after]) if (pod !== undefined) syncNode(nodeOf(pod));
    if (after !== undefined && after.controller === undefined) adopt('');
  });
  for (const key of [...daemonSets.entries()].map(([at]) => at)) observe(key);
  for (const { name } of nodes.values()) syncNode(name);
}

const nodeOf = ({ nodeName, lifecycle }: StoredPod): string =>
  nodeName === '' ? (lifecycle.targetNode ?? '') : nodeName;

/** Whether pods of the DaemonSet may run on the node; they tolerate the taint of a cordon. */
function wants(set: StoredDaemonSet, node: StoredNode, effects: readonly string[]): boolean {
  return selects(set, node) && toleratesTaints(set, node, effects);
}

/** Whether the DaemonSet counts the node in its `desiredNumberScheduled`. */
export function wantsPod(set: StoredDaemonSet, node: StoredNode): boolean {
  return wants(set, node, NO_SCHEDULE);
}

/** Written out, not `contract/driver-placement`: tests compare what that says with what this does. */
function selects({ nodeSelector, nodeAffinity }: StoredDaemonSet, { labels }: StoredNode): boolean {
  const isSelected = Object.entries(nodeSelector).every(([key, value]) => labels[key] === value);
  const isIn = ({ matchExpressions }: NonNullable<typeof nodeAffinity>[number]): boolean =>
    matchExpressions.every(({ key, operator, values }) => meets(operator, values, labels[key]));
  return isSelected && (nodeAffinity === undefined || nodeAffinity.some(isIn));
}

function meets(operator: string, values: readonly string[], value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function toleratesTaints(
  { tolerations }: StoredDaemonSet,
  { taints }: StoredNode,
  effects: readonly string[],
): boolean {
  return taints
    .filter(({ key, effect }) => effects.includes(effect) && !key.startsWith('node.kubernetes.io/'))
    .every((taint) =>
      tolerations.some(
        ({ key, operator, value, effect }) =>
          (key === undefined || key === '' || key === taint.key) &&
          (operator === 'Exists' || (value ?? '') === (taint.value ?? '')) &&
          (effect === undefined || effect === '' || effect === taint.effect),
      ),
    );
}

const NO_EXECUTE = ['NoExecute'];
const NO_SCHEDULE = ['NoSchedule', 'NoExecute'];

function observeTemplate(cluster: SimulatedCluster, key: string): void {
  const set = cluster.store.daemonSets.get(key);
  if (set === undefined || set.observedGeneration === set.generation) return;
  cluster.store.daemonSets.put(key, { ...set, observedGeneration: set.generation }, 'controller');
  recordRevision(cluster, set);
}

/** Creates the ControllerRevision of the current template. */
export function recordRevision(cluster: SimulatedCluster, set: StoredDaemonSet): void {
  const name = `${set.name}-${set.hash}`;
  const { namespace, hash, digest, configDigest } = set;
  const config = configDigest === undefined ? {} : { configDigest };
  const revision = { namespace, name, ownerUid: set.uid, hash, digest, ...config, resourceVersion: '' };
  cluster.store.revisions.put(keyOf(revision), revision, 'controller');
}

/** Sets the owner of pods without a controller that match the selector of a DaemonSet. */
function adoptOrphans(cluster: SimulatedCluster): void {
  for (const set of [...cluster.store.daemonSets.values()]) {
    if (set.deletionMs !== undefined) continue;
    for (const pod of cluster.store.podsOf('')) {
      if (pod.deletionMs !== undefined) continue;
      if (pod.namespace !== set.namespace || pod.labels['app'] !== set.name) continue;
      const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set.name, uid: set.uid };
      cluster.store.pods.put(keyOf(pod), { ...pod, controller }, 'controller');
    }
  }
}

/** @param podsFor the pods of DaemonSets by the node that they are on, or are to be bound to */
function syncNodes(cluster: SimulatedCluster, names: ReadonlySet<string>, podsFor: IndexBy<StoredPod>): void {
  const { store } = cluster;
  const sets = [...store.daemonSets.values()].filter(
    (set) => set.deletionMs === undefined && set.observedGeneration === set.generation,
  );
  for (const name of names) {
    const node = store.nodes.get(name);
    const pods = [...podsFor(name)];
    for (const set of sets) {
      const own = pods.filter(({ controller }) => controller?.uid === set.uid);
      syncPods(cluster, set, node, own);
    }
  }
}

/** One DaemonSet on one node. */
function syncPods(
  cluster: SimulatedCluster,
  set: StoredDaemonSet,
  node: StoredNode | undefined,
  own: readonly StoredPod[],
): void {
  let isCovered = false;
  for (const pod of own) {
    const isBound = pod.nodeName !== '';
    if (node !== undefined && wants(set, node, isBound ? NO_EXECUTE : NO_SCHEDULE)) isCovered = true;
    else if (!isBound) cluster.store.pods.remove(keyOf(pod), 'controller');
    else if (pod.deletionMs === undefined) removeLater(cluster, keyOf(pod), pod);
  }
  if (node !== undefined && !isCovered && wants(set, node, NO_SCHEDULE)) makeDaemonPod(cluster, set, node.name);
}

function makeDaemonPod(cluster: SimulatedCluster, set: StoredDaemonSet, targetNode: string): void {
  const uid = cluster.store.makeUid();
  const driver = set.role === 'driver';
  const pod = makePod(cluster, {
    namespace: set.namespace,
    name: `${set.name}-${uid}`,
    uid,
    labels: {
      ...set.labels,
      app: set.name,
      'controller-revision-hash': set.hash,
      ...(driver
        ? { [`nvidia.com/${set.labelPrefix}-driver`]: '', ...set.podLabels }
        : { gated: 'yes', ...set.podLabels }),
    },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set.name, uid: set.uid },
    toleratesUnschedulable: true,
    lifecycle: { kind: set.role, graceMs: 5000, targetNode, digest: set.digest, owner: set.name },
  });
  cluster.store.pods.put(keyOf(pod), pod, 'controller');
}
