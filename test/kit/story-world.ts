import { digestOf } from './digests.js';
import { driverKeys, REVISION_LABEL } from '../../src/contract/labels.js';
import { recordEviction } from '../../src/upgrade/drain/evictions.js';
import { podIndexOf } from '../../src/upgrade/model/pod-index.js';
import { fromStructured, matchesSelector } from '../../src/kubernetes/label-selector.js';
import type { Snapshot } from '../../src/upgrade/model/snapshot.js';
import type {
  Action,
  DeletePod,
  EvictionOutcome,
  EvictionRecord,
  EvictPod,
  PatchNode,
  SnapshotBudget,
  SnapshotDaemonSet,
  SnapshotNode,
  SnapshotPod,
  SnapshotRevision,
} from '../../src/upgrade/model/types.js';
import { evictionsOf } from './snapshots.js';

/** A cluster in memory, simple enough to be told as a story: what is not said does not happen. */
export interface StoryWorld {
  nowMs: number;
  readonly nodes: Map<string, SnapshotNode>;
  readonly pods: Map<string, SnapshotPod>;
  readonly daemonSets: Map<string, SnapshotDaemonSet>;
  readonly revisions: Map<string, SnapshotRevision>;
  readonly budgets: Map<string, SnapshotBudget>;
  readonly evictions: Map<string, EvictionRecord>;
  paused: boolean;
  /** When git's policy was applied; it is as old as what it lists where nothing is said. */
  policyWrittenMs: number;
  /** UIDs of DaemonSets that a policy listed while the companion carried it out. */
  readonly listed: Set<string>;
  counter: number;
}

export const NAMESPACE = 'driver-ns';
export const DRIVER_LABEL = 'nvidia.com/ofed-driver';
export const DRIVER_CONTAINER = 'mofed-container';
export const KEYS = driverKeys('ofed');
/** The second driver, where a scenario has one: the DaemonSets whose names begin with its prefix are its own. */
export const SECOND_PREFIX = 'gpu';
const SECOND_LABEL = 'nvidia.com/gpu-driver';

export function isOfSecondDriver(daemonSet: string): boolean {
  return daemonSet.startsWith(SECOND_PREFIX);
}

/** The label by which a driver finds its DaemonSets and pods. */
export function driverLabelOf(daemonSet: string): string {
  return isOfSecondDriver(daemonSet) ? SECOND_LABEL : DRIVER_LABEL;
}

export function isDriverPod({ labels }: Pick<SnapshotPod, 'labels'>): boolean {
  return DRIVER_LABEL in labels || SECOND_LABEL in labels;
}
/** Tuesday. */
export const START_MS = Date.UTC(2026, 0, 6, 12);

export function createWorld(): StoryWorld {
  return {
    nowMs: START_MS,
    nodes: new Map(),
    pods: new Map(),
    daemonSets: new Map(),
    revisions: new Map(),
    budgets: new Map(),
    evictions: new Map(),
    paused: false,
    policyWrittenMs: START_MS,
    listed: new Set(),
    counter: 0,
  };
}

export function snapshotOf(world: StoryWorld): Snapshot {
  return {
    nodes: [...world.nodes.values()],
    pods: podIndexOf(world.pods.values()),
    daemonSets: [...world.daemonSets.values()],
    revisions: [...world.revisions.values()],
    budgets: [...world.budgets.values()],
    foreignDaemonSets: new Map(
      [...world.pods.values()].map((pod) => [`${pod.namespace}/${pod.controller?.name ?? ''}`, 'present']),
    ),
    evictions: evictionsOf(world.pods.values(), world.evictions),
    paused: world.paused,
    policyWrittenMs: world.policyWrittenMs,
    listedBefore: world.listed,
  };
}

function next(world: StoryWorld): string {
  return String(++world.counter);
}

export function putNode(world: StoryWorld, name: string, change: Partial<SnapshotNode> = {}): SnapshotNode {
  const before = world.nodes.get(name);
  const node: SnapshotNode = {
    name,
    uid: `node-${name}`,
    labels: {},
    annotations: {},
    unschedulable: false,
    ready: 'True',
    taints: [],
    allocatable: {},
    ...before,
    ...change,
    resourceVersion: next(world),
  };
  world.nodes.set(name, node);
  return node;
}

/** Labels or annotations after a patch; `null` removes a key. */
export function merged(
  before: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries({ ...before, ...change }).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

export function putDaemonSet(world: StoryWorld, name: string, digest: string): void {
  const before = world.daemonSets.get(name);
  const uid = before?.uid ?? `set-${name}-${next(world)}`;
  const generation = (before?.generation ?? 0) + 1;
  world.daemonSets.set(name, {
    namespace: NAMESPACE,
    name,
    uid,
    resourceVersion: next(world),
    labels: { [driverLabelOf(name)]: '' },
    createdMs: before?.createdMs ?? world.nowMs,
    generation,
    observedGeneration: generation,
    digest: digestOf(digest),
    renderedDigest: digestOf(digest),
    nodeSelector: before?.nodeSelector ?? {},
    tolerations: [{ operator: 'Exists' }],
  });
  putRevision(world, uid, digest);
}

/** The label that a pod of the template has, ten characters as real ones. */
export function revisionOf(digest: string): string {
  return digestOf(digest).slice(0, 10);
}

function putRevision(world: StoryWorld, ownerUid: string, digest: string): void {
  const revision = { namespace: NAMESPACE, ownerUid, hash: revisionOf(digest), digest: digestOf(digest) };
  world.revisions.set(`${ownerUid}/${revision.hash}`, revision);
}

export type NewPod = Pick<SnapshotPod, 'namespace' | 'name' | 'nodeName'> & Partial<SnapshotPod>;

export function putPod(world: StoryWorld, pod: NewPod): SnapshotPod {
  const made: SnapshotPod = {
    uid: `pod-${pod.name}-${next(world)}`,
    labels: {},
    phase: 'Running',
    createdMs: world.nowMs,
    finalizers: [],
    mirror: false,
    emptyDir: false,
    toleratesUnschedulable: false,
    resourceNames: [],
    ready: true,
    unschedulable: false,
    containers: [],
    initContainers: [],
    ...pod,
  };
  world.pods.set(`${made.namespace}/${made.name}`, made);
  return made;
}

export function changePod(world: StoryWorld, key: string, change: Partial<SnapshotPod>): void {
  const pod = world.pods.get(key);
  if (pod === undefined) throw new Error(`there is no pod ${key}`);
  world.pods.set(key, { ...pod, ...change });
}

/** A pod of the driver DaemonSet, with a revision that has this digest. */
export function putDriverPod(world: StoryWorld, node: string, setName: string, digest: string, ready: boolean): void {
  const owner = world.daemonSets.get(setName);
  if (owner === undefined) throw new Error(`there is no DaemonSet ${setName}`);
  putRevision(world, owner.uid, digest);
  putPod(world, {
    namespace: NAMESPACE,
    name: `${setName}-${node}`,
    nodeName: node,
    labels: { [driverLabelOf(setName)]: '', [REVISION_LABEL]: revisionOf(digest) },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: setName, uid: owner.uid },
    toleratesUnschedulable: true,
    ready,
    readyChangedMs: world.nowMs,
    containers: [{ name: DRIVER_CONTAINER, ready, restarts: 0, startedMs: world.nowMs }],
  });
}

/** Applies an action to the cluster; returns the API server's answer to an eviction. */
export function carryOut(world: StoryWorld, action: Action): EvictionOutcome | undefined {
  switch (action.kind) {
    case 'patchNode':
      patchNode(world, action);
      return undefined;
    case 'evictPod':
      return evictPod(world, action);
    case 'deletePod':
      deletePod(world, action);
      return undefined;
    case 'deleteDaemonSet':
      orphanPods(world, action.uid);
      world.daemonSets.delete(action.name);
      return undefined;
  }
}

/** The garbage collector takes the owner reference away from pods that are to stay. */
function orphanPods(world: StoryWorld, ownerUid: string): void {
  for (const [key, pod] of world.pods) {
    if (pod.controller?.uid !== ownerUid) continue;
    const { controller, ...rest } = pod;
    if (controller.kind === 'DaemonSet') world.pods.set(key, rest);
  }
}

export function patchNode(world: StoryWorld, action: PatchNode): SnapshotNode {
  const node = world.nodes.get(action.node);
  if (node === undefined) throw new Error(`there is no node ${action.node}`);
  return putNode(world, action.node, {
    labels: merged(node.labels, action.labels),
    annotations: merged(node.annotations, action.annotations),
    unschedulable: action.unschedulable ?? node.unschedulable,
  });
}

/** An evicted pod is gone at once, unless a budget keeps it or a finalizer does. */
function evictPod(world: StoryWorld, action: EvictPod): EvictionOutcome {
  const key = `${action.namespace}/${action.name}`;
  const pod = world.pods.get(key);
  const outcome = pod === undefined || pod.uid !== action.uid ? ({ kind: 'gone' } as const) : answerFor(world, pod);
  const record = recordEviction(action.uid, world.evictions.get(action.uid), outcome, world.nowMs, () => 0.5);
  if (record === undefined) world.evictions.delete(action.uid);
  else world.evictions.set(action.uid, record);
  if (pod !== undefined && outcome.kind === 'accepted') {
    if (pod.finalizers.length === 0) world.pods.delete(key);
    else changePod(world, key, { deletionMs: world.nowMs });
  }
  return outcome;
}

function answerFor(world: StoryWorld, pod: SnapshotPod): EvictionOutcome {
  const held = [...world.budgets.values()].find(
    ({ namespace, selector, disruptionsAllowed }) =>
      namespace === pod.namespace &&
      selector !== undefined &&
      disruptionsAllowed <= 0 &&
      matchesSelector(fromStructured(selector), pod.labels),
  );
  return held === undefined
    ? { kind: 'accepted' }
    : { kind: 'refused', message: `the disruption budget ${held.name} needs its pods` };
}

/** A deleted pod of a DaemonSet is made again at once: not ready where it is a driver's, ready where it is not. */
function deletePod(world: StoryWorld, action: DeletePod): void {
  const key = `${action.namespace}/${action.name}`;
  const pod = world.pods.get(key);
  if (pod?.uid !== action.uid) return;
  world.pods.delete(key);
  const owner = world.daemonSets.get(pod.controller?.name ?? '');
  if (isDriverPod(pod)) {
    const set = owner ?? [...world.daemonSets.values()][0];
    if (set !== undefined) putDriverPod(world, pod.nodeName, set.name, set.digest, false);
  } else {
    const containers = pod.containers.map((one) => ({ ...one, ready: true, startedMs: world.nowMs }));
    putPod(world, { ...pod, uid: `${pod.uid}+`, createdMs: world.nowMs, containers });
  }
}
