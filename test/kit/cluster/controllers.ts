import type { SnapshotPod } from '../../../src/upgrade/model/types.js';
import { covers } from './api.js';
import { keyOf, type StoredDaemonSet, type StoredNode, type StoredPod, type PodLifecycle } from './store.js';
import type { Workload, SimulatedCluster } from './simulated-cluster.js';

/** Starts the controllers and the scheduler. Each runs a moment after an object changed. */
export function startControllers(cluster: SimulatedCluster): void {
  const passes = [
    adoptOrphans,
    makeDaemonPods,
    makeWorkloadPods,
    bindPods,
    countBudgets,
    observeDaemonSets,
    dateCordons,
    evictTainted,
  ];
  for (const pass of passes) {
    let due = false;
    const enqueue = (): void => {
      if (due) return;
      due = true;
      cluster.events.after(cluster.chance.controllers.int(5, cluster.hasFaults ? 400 : 60), () => {
        due = false;
        pass(cluster);
      });
    };
    cluster.store.nodes.listen(enqueue);
    cluster.store.pods.listen(enqueue);
    cluster.store.daemonSets.listen(enqueue);
    cluster.store.budgets.listen(enqueue);
    enqueue();
  }
}

/** The node lifecycle controller taints a cordoned node, with the time to the second: `SwapNodeControllerTaint` in `pkg/util/node`. */
function dateCordons(cluster: SimulatedCluster): void {
  for (const [name, node] of [...cluster.store.nodes.entries()]) {
    const { cordonTime, ...rest } = node;
    if (node.unschedulable === (cordonTime !== undefined)) continue;
    const dated = { ...rest, cordonTime: secondOf(cluster.events.now()) };
    cluster.store.nodes.put(name, node.unschedulable ? dated : rest, 'controller');
  }
}

/** The taint manager deletes pods that do not tolerate a taint with the effect `NoExecute`. The others are those of DaemonSets. */
function evictTainted(cluster: SimulatedCluster): void {
  for (const node of cluster.store.nodes.values()) {
    if (!node.taints.some(({ effect }) => effect === 'NoExecute')) continue;
    for (const [key, pod] of [...cluster.store.pods.entries()]) {
      const { kind } = pod.lifecycle;
      const isMovable = kind === 'workload' || kind === 'job' || kind === 'bare' || kind === 'operator';
      if (pod.nodeName === node.name && isMovable && pod.deletionMs === undefined) removeLater(cluster, key, pod);
    }
  }
}

/** A time in the format of the API server. */
export function secondOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Whether pods of the DaemonSet may run on the node; they tolerate the taint of a cordon. */
function wants(set: StoredDaemonSet, node: StoredNode, effects: readonly string[]): boolean {
  return selects(set, node) && toleratesTaints(set, node, effects);
}

function selects({ nodeSelector, nodeAffinity }: StoredDaemonSet, { labels }: StoredNode): boolean {
  const isSelected = Object.entries(nodeSelector).every(([key, value]) => labels[key] === value);
  const isIn = ({ matchExpressions }: NonNullable<typeof nodeAffinity>[number]): boolean =>
    matchExpressions.every(({ key, operator, values }) =>
      operator === 'In' ? values.includes(labels[key] ?? '') : operator === 'Exists' && key in labels,
    );
  return isSelected && (nodeAffinity === undefined || nodeAffinity.some(isIn));
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

function observeDaemonSets(cluster: SimulatedCluster): void {
  for (const [key, set] of [...cluster.store.daemonSets.entries()]) {
    if (set.observedGeneration === set.generation) continue;
    cluster.store.daemonSets.put(key, { ...set, observedGeneration: set.generation }, 'controller');
    recordRevision(cluster, set);
  }
}

/** Creates the ControllerRevision of the current template. */
export function recordRevision(cluster: SimulatedCluster, set: StoredDaemonSet): void {
  const name = `${set.name}-${set.hash}`;
  const { namespace, hash, digest } = set;
  const revision = { namespace, name, ownerUid: set.uid, hash, digest, resourceVersion: '' };
  cluster.store.revisions.put(keyOf(revision), revision, 'controller');
}

/** Sets the owner of pods without a controller that match the selector of a DaemonSet. */
function adoptOrphans(cluster: SimulatedCluster): void {
  for (const set of [...cluster.store.daemonSets.values()]) {
    if (set.deletionMs !== undefined) continue;
    for (const [key, pod] of [...cluster.store.pods.entries()]) {
      if (pod.controller !== undefined || pod.deletionMs !== undefined) continue;
      if (pod.namespace !== set.namespace || pod.labels['app'] !== set.name) continue;
      const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set.name, uid: set.uid };
      cluster.store.pods.put(key, { ...pod, controller }, 'controller');
    }
  }
}

function makeDaemonPods(cluster: SimulatedCluster): void {
  for (const set of [...cluster.store.daemonSets.values()]) {
    if (set.deletionMs !== undefined || set.observedGeneration !== set.generation) continue;
    const covered = new Set<string>();
    for (const [key, pod] of [...cluster.store.pods.entries()]) {
      if (pod.controller?.uid !== set.uid) continue;
      const name = pod.nodeName === '' ? (pod.lifecycle.targetNode ?? '') : pod.nodeName;
      const node = cluster.store.nodes.get(name);
      if (node === undefined || !wants(set, node, pod.nodeName === '' ? NO_SCHEDULE : NO_EXECUTE)) {
        if (pod.nodeName === '') cluster.store.pods.remove(key, 'controller');
        else if (pod.deletionMs === undefined) removeLater(cluster, key, pod);
      } else covered.add(name);
    }
    for (const node of [...cluster.store.nodes.values()]) {
      if (wants(set, node, NO_SCHEDULE) && !covered.has(node.name)) makeDaemonPod(cluster, set, node.name);
    }
  }
}

function removeLater(cluster: SimulatedCluster, key: string, pod: StoredPod): void {
  const goneMs = cluster.events.now() + 1000;
  cluster.store.pods.put(key, { ...pod, deletionMs: goneMs, lifecycle: { ...pod.lifecycle, goneMs } }, 'controller');
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
      ...(driver ? { [`nvidia.com/${set.labelPrefix}-driver`]: '' } : { gated: 'yes' }),
    },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set.name, uid: set.uid },
    toleratesUnschedulable: true,
    lifecycle: { kind: set.role, graceMs: 5000, targetNode, digest: set.digest, owner: set.name },
  });
  cluster.store.pods.put(keyOf(pod), pod, 'controller');
}

type PodParts = Partial<Omit<StoredPod, 'lifecycle'>> &
  Pick<StoredPod, 'namespace' | 'name' | 'uid'> & {
    readonly lifecycle: Partial<PodLifecycle> & Pick<PodLifecycle, 'kind'>;
  };

/** A pod that the scheduler has not bound yet. */
export function makePod(cluster: SimulatedCluster, { lifecycle, ...parts }: PodParts): StoredPod {
  return {
    labels: {},
    nodeName: '',
    phase: 'Pending',
    createdMs: cluster.events.now(),
    finalizers: [],
    mirror: false,
    emptyDir: false,
    toleratesUnschedulable: false,
    resourceNames: [],
    ready: false,
    unschedulable: false,
    containers: [],
    initContainers: [],
    resourceVersion: '',
    ...parts,
    lifecycle: {
      startMs: Infinity,
      readyMs: Infinity,
      finishMs: Infinity,
      graceMs: 30_000,
      goneMs: Infinity,
      ...lifecycle,
    },
  };
}

function makeWorkloadPods(cluster: SimulatedCluster): void {
  const alive = new Map<string, number>();
  const names = new Set<string>();
  for (const [key, pod] of [...cluster.store.pods.entries()]) {
    const { owner } = pod.lifecycle;
    if (owner === undefined) continue;
    const finished = pod.phase === 'Succeeded' || pod.phase === 'Failed';
    // A controller deletes failed pods and replaces terminated ones; a Job keeps succeeded pods.
    if (pod.deletionMs === undefined && !finished) alive.set(owner, (alive.get(owner) ?? 0) + 1);
    names.add(key);
  }
  for (const workload of cluster.workloads) {
    for (let index = 0; (alive.get(workload.name) ?? 0) < workload.replicas && index < 100; index += 1) {
      const uid = cluster.store.makeUid();
      const ordinal = workload.kind === 'StatefulSet' ? String(index) : uid;
      const name = `${workload.name}-${ordinal}`;
      if (names.has(`${workload.namespace}/${name}`)) continue;
      alive.set(workload.name, (alive.get(workload.name) ?? 0) + 1);
      const pod = workloadPod(cluster, workload, name, uid);
      cluster.store.pods.put(keyOf(pod), pod, 'controller');
    }
  }
}

const API_VERSIONS = { ReplicaSet: 'apps/v1', StatefulSet: 'apps/v1', Job: 'batch/v1', CustomThing: 'example.com/v1' };

function workloadPod(cluster: SimulatedCluster, workload: Workload, name: string, uid: string): StoredPod {
  const { namespace, labels, resourceNames, emptyDir, toleratesUnschedulable, graceMs, kind } = workload;
  return makePod(cluster, {
    namespace,
    name,
    uid,
    labels: { ...labels, app: workload.name },
    resourceNames,
    emptyDir,
    toleratesUnschedulable,
    finalizers: workload.finalizer === 'none' ? [] : [`example.com/${workload.finalizer}`],
    controller: { apiVersion: API_VERSIONS[kind], kind, name: workload.name, uid: workload.uid },
    lifecycle: { kind: kind === 'Job' ? 'job' : 'workload', graceMs, owner: workload.name, finishMs: workload.runsMs },
  });
}

function bindPods(cluster: SimulatedCluster): void {
  const used = new Map<string, number>();
  for (const pod of cluster.store.pods.values()) {
    if (pod.nodeName === '' || pod.phase === 'Succeeded' || pod.phase === 'Failed') continue;
    if (pod.lifecycle.kind !== 'driver' && pod.lifecycle.kind !== 'gated') {
      used.set(pod.nodeName, (used.get(pod.nodeName) ?? 0) + 1);
    }
  }
  for (const [key, pod] of [...cluster.store.pods.entries()]) {
    if (pod.nodeName !== '') continue;
    const nodeName = pod.lifecycle.targetNode === undefined ? roomFor(cluster, pod, used) : ownNode(cluster, pod);
    if (nodeName === undefined) {
      if (!pod.unschedulable) cluster.store.pods.put(key, { ...pod, unschedulable: true }, 'controller');
      continue;
    }
    used.set(nodeName, (used.get(nodeName) ?? 0) + 1);
    const startMs = cluster.events.now() + cluster.chance.kubelet.int(100, 3000);
    const lifecycle = { ...pod.lifecycle, startMs, finishMs: cluster.events.now() + pod.lifecycle.finishMs };
    cluster.store.pods.put(key, { ...pod, nodeName, unschedulable: false, lifecycle }, 'controller');
  }
}

function roomFor(cluster: SimulatedCluster, pod: StoredPod, used: ReadonlyMap<string, number>): string | undefined {
  const fits = [...cluster.store.nodes.values()]
    .filter(
      (node) =>
        node.taints.length === 0 && node.ready === 'True' && (!node.unschedulable || pod.toleratesUnschedulable),
    )
    .filter((node) => (used.get(node.name) ?? 0) < cluster.conditions.room);
  return fits.length === 0 ? undefined : cluster.chance.controllers.pick(fits).name;
}

/** A driver pod is not bound to a node that has another driver pod: pod anti-affinity. */
function ownNode(cluster: SimulatedCluster, pod: StoredPod): string | undefined {
  const { targetNode } = pod.lifecycle;
  if (targetNode === undefined || cluster.store.nodes.get(targetNode) === undefined) return undefined;
  const inTheWay = (other: SnapshotPod & { readonly lifecycle: PodLifecycle }): boolean =>
    other.nodeName === targetNode && other.lifecycle.kind === 'driver' && sameDriver(other, pod);
  return pod.lifecycle.kind === 'driver' && [...cluster.store.pods.values()].some(inTheWay) ? undefined : targetNode;
}

function sameDriver(a: SnapshotPod, b: SnapshotPod): boolean {
  return ['nvidia.com/ofed-driver', 'nvidia.com/gpu-driver'].some((label) => label in a.labels && label in b.labels);
}

function countBudgets(cluster: SimulatedCluster): void {
  for (const [key, budget] of [...cluster.store.budgets.entries()]) {
    let healthy = 0;
    for (const pod of cluster.store.pods.values()) {
      if (pod.ready && pod.deletionMs === undefined && covers(budget, pod)) healthy += 1;
    }
    const disruptionsAllowed = Math.max(0, healthy - budget.minAvailable);
    if (disruptionsAllowed !== budget.disruptionsAllowed) {
      cluster.store.budgets.put(key, { ...budget, disruptionsAllowed }, 'controller');
    }
  }
}
