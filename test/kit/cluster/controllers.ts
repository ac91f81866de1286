import type { SnapshotPod } from '../../../src/upgrade/model/types.js';
import { covers } from './api.js';
import { keyOf, type FakeDaemonSet, type FakeNode, type FakePod, type PodFate } from './store.js';
import type { Workload, World } from './world.js';

/** The controllers and the scheduler look again a moment after something changed. */
export function startControllers(world: World): void {
  const passes = [
    adoptOrphans,
    makeDaemonPods,
    makeWorkloadPods,
    bindPods,
    countBudgets,
    observeDaemonSets,
    dateCordons,
  ];
  for (const pass of passes) {
    let due = false;
    const look = (): void => {
      if (due) return;
      due = true;
      world.events.after(world.chance.controllers.int(5, world.stormy ? 400 : 60), () => {
        due = false;
        pass(world);
      });
    };
    world.store.nodes.listen(look);
    world.store.pods.listen(look);
    world.store.daemonSets.listen(look);
    world.store.budgets.listen(look);
    look();
  }
}

/** The node lifecycle controller taints a cordoned node, with the time to the second: `SwapNodeControllerTaint` in `pkg/util/node`. */
function dateCordons(world: World): void {
  for (const [name, node] of [...world.store.nodes.entries()]) {
    const { cordonTime, ...rest } = node;
    if (node.unschedulable === (cordonTime !== undefined)) continue;
    const dated = { ...rest, cordonTime: secondOf(world.events.now()) };
    world.store.nodes.put(name, node.unschedulable ? dated : rest, 'controller');
  }
}

/** A time as the API server writes it. */
export function secondOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Whether the DaemonSet controller wants a pod there; taints of cordons never keep DaemonSets' pods away. */
export function wants(set: FakeDaemonSet, node: FakeNode): boolean {
  return Object.entries(set.nodeSelector).every(([key, value]) => node.labels[key] === value);
}

function observeDaemonSets(world: World): void {
  for (const [key, set] of [...world.store.daemonSets.entries()]) {
    if (set.observedGeneration === set.generation) continue;
    world.store.daemonSets.put(key, { ...set, observedGeneration: set.generation }, 'controller');
    recordRevision(world, set);
  }
}

/** Makes the ControllerRevision of the present template. */
export function recordRevision(world: World, set: FakeDaemonSet): void {
  const name = `${set.name}-${set.hash}`;
  const { namespace, hash, digest } = set;
  const revision = { namespace, name, ownerUid: set.uid, hash, digest, resourceVersion: '' };
  world.store.revisions.put(keyOf(revision), revision, 'controller');
}

/** Pods without a controller that match a DaemonSet's selector become its own. */
function adoptOrphans(world: World): void {
  for (const set of [...world.store.daemonSets.values()]) {
    if (set.deletionMs !== undefined) continue;
    for (const [key, pod] of [...world.store.pods.entries()]) {
      if (pod.controller !== undefined || pod.deletionMs !== undefined) continue;
      if (pod.namespace !== set.namespace || pod.labels['app'] !== set.name) continue;
      const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set.name, uid: set.uid };
      world.store.pods.put(key, { ...pod, controller }, 'controller');
    }
  }
}

function makeDaemonPods(world: World): void {
  for (const set of [...world.store.daemonSets.values()]) {
    if (set.deletionMs !== undefined || set.observedGeneration !== set.generation) continue;
    const covered = new Set<string>();
    for (const [key, pod] of [...world.store.pods.entries()]) {
      if (pod.controller?.uid !== set.uid) continue;
      const name = pod.nodeName === '' ? (pod.fate.targetNode ?? '') : pod.nodeName;
      const node = world.store.nodes.get(name);
      if (node === undefined || !wants(set, node)) {
        if (pod.nodeName === '') world.store.pods.remove(key, 'controller');
        else if (pod.deletionMs === undefined) removeLater(world, key, pod);
      } else covered.add(name);
    }
    for (const node of [...world.store.nodes.values()]) {
      if (wants(set, node) && !covered.has(node.name)) makeDaemonPod(world, set, node.name);
    }
  }
}

function removeLater(world: World, key: string, pod: FakePod): void {
  const goneMs = world.events.now() + 1000;
  world.store.pods.put(key, { ...pod, deletionMs: goneMs, fate: { ...pod.fate, goneMs } }, 'controller');
}

function makeDaemonPod(world: World, set: FakeDaemonSet, targetNode: string): void {
  const uid = world.store.makeUid();
  const driver = set.role === 'driver';
  const pod = makePod(world, {
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
    fate: { kind: set.role, graceMs: 5000, targetNode, digest: set.digest, owner: set.name },
  });
  world.store.pods.put(keyOf(pod), pod, 'controller');
}

type PodParts = Partial<Omit<FakePod, 'fate'>> &
  Pick<FakePod, 'namespace' | 'name' | 'uid'> & { readonly fate: Partial<PodFate> & Pick<PodFate, 'kind'> };

/** A pod that the scheduler has not bound yet. */
export function makePod(world: World, { fate, ...parts }: PodParts): FakePod {
  return {
    labels: {},
    nodeName: '',
    phase: 'Pending',
    createdMs: world.events.now(),
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
    fate: {
      startMs: Infinity,
      readyMs: Infinity,
      finishMs: Infinity,
      graceMs: 30_000,
      goneMs: Infinity,
      ...fate,
    },
  };
}

function makeWorkloadPods(world: World): void {
  const alive = new Map<string, number>();
  const names = new Set<string>();
  for (const [key, pod] of [...world.store.pods.entries()]) {
    const { owner } = pod.fate;
    if (owner === undefined) continue;
    const finished = pod.phase === 'Succeeded' || pod.phase === 'Failed';
    // A controller deletes failed pods and replaces what ends; a Job keeps what succeeded.
    if (pod.deletionMs === undefined && !finished) alive.set(owner, (alive.get(owner) ?? 0) + 1);
    names.add(key);
  }
  for (const workload of world.workloads) {
    for (let index = 0; (alive.get(workload.name) ?? 0) < workload.replicas && index < 100; index += 1) {
      const uid = world.store.makeUid();
      const ordinal = workload.kind === 'StatefulSet' ? String(index) : uid;
      const name = `${workload.name}-${ordinal}`;
      if (names.has(`${workload.namespace}/${name}`)) continue;
      alive.set(workload.name, (alive.get(workload.name) ?? 0) + 1);
      const pod = workloadPod(world, workload, name, uid);
      world.store.pods.put(keyOf(pod), pod, 'controller');
    }
  }
}

const API_VERSIONS = { ReplicaSet: 'apps/v1', StatefulSet: 'apps/v1', Job: 'batch/v1', CustomThing: 'example.com/v1' };

function workloadPod(world: World, workload: Workload, name: string, uid: string): FakePod {
  const { namespace, labels, resourceNames, emptyDir, toleratesUnschedulable, graceMs, kind } = workload;
  return makePod(world, {
    namespace,
    name,
    uid,
    labels: { ...labels, app: workload.name },
    resourceNames,
    emptyDir,
    toleratesUnschedulable,
    finalizers: workload.finalizer ? ['example.com/slow'] : [],
    controller: { apiVersion: API_VERSIONS[kind], kind, name: workload.name, uid: workload.uid },
    fate: { kind: kind === 'Job' ? 'job' : 'workload', graceMs, owner: workload.name, finishMs: workload.runsMs },
  });
}

function bindPods(world: World): void {
  const used = new Map<string, number>();
  for (const pod of world.store.pods.values()) {
    if (pod.nodeName === '' || pod.phase === 'Succeeded' || pod.phase === 'Failed') continue;
    if (pod.fate.kind !== 'driver' && pod.fate.kind !== 'gated') {
      used.set(pod.nodeName, (used.get(pod.nodeName) ?? 0) + 1);
    }
  }
  for (const [key, pod] of [...world.store.pods.entries()]) {
    if (pod.nodeName !== '') continue;
    const nodeName = pod.fate.targetNode === undefined ? roomFor(world, pod, used) : ownNode(world, pod);
    if (nodeName === undefined) {
      if (!pod.unschedulable) world.store.pods.put(key, { ...pod, unschedulable: true }, 'controller');
      continue;
    }
    used.set(nodeName, (used.get(nodeName) ?? 0) + 1);
    const startMs = world.events.now() + world.chance.kubelet.int(100, 3000);
    const fate = { ...pod.fate, startMs, finishMs: world.events.now() + pod.fate.finishMs };
    world.store.pods.put(key, { ...pod, nodeName, unschedulable: false, fate }, 'controller');
  }
}

function roomFor(world: World, pod: FakePod, used: ReadonlyMap<string, number>): string | undefined {
  const fits = [...world.store.nodes.values()]
    .filter((node) => node.ready === 'True' && (!node.unschedulable || pod.toleratesUnschedulable))
    .filter((node) => (used.get(node.name) ?? 0) < world.weather.room);
  return fits.length === 0 ? undefined : world.chance.controllers.pick(fits).name;
}

/** A driver pod keeps off a node that has another driver pod: pod anti-affinity. */
function ownNode(world: World, pod: FakePod): string | undefined {
  const { targetNode } = pod.fate;
  if (targetNode === undefined || world.store.nodes.get(targetNode) === undefined) return undefined;
  const inTheWay = (other: SnapshotPod & { readonly fate: PodFate }): boolean =>
    other.nodeName === targetNode && other.fate.kind === 'driver' && sameDriver(other, pod);
  return pod.fate.kind === 'driver' && [...world.store.pods.values()].some(inTheWay) ? undefined : targetNode;
}

function sameDriver(a: SnapshotPod, b: SnapshotPod): boolean {
  return ['nvidia.com/ofed-driver', 'nvidia.com/gpu-driver'].some((label) => label in a.labels && label in b.labels);
}

function countBudgets(world: World): void {
  for (const [key, budget] of [...world.store.budgets.entries()]) {
    let healthy = 0;
    for (const pod of world.store.pods.values()) {
      if (pod.ready && pod.deletionMs === undefined && covers(budget, pod)) healthy += 1;
    }
    const disruptionsAllowed = Math.max(0, healthy - budget.minAvailable);
    if (disruptionsAllowed !== budget.disruptionsAllowed) {
      world.store.budgets.put(key, { ...budget, disruptionsAllowed }, 'controller');
    }
  }
}
