import { DS_OWNER_LABEL, driverKeys, OFED_DRIVER_LABEL } from '../../src/contract/labels.js';
import { upgradePolicyHash, type UpgradePolicy } from '../../src/contract/upgrade-policy.js';
import { canonicalJson } from '../../src/lib/json.js';
import type { KubernetesObject } from '../../src/kubernetes/types.js';
import { isKept } from '../../src/review/diff/objects.js';
import { reduceDaemonSet } from '../../src/upgrade/runtime/kube-port/reduce.js';
import { runCompanion } from '../../src/upgrade/runtime/loop/loop.js';
import { makePod, recordRevision, startControllers } from '../kit/cluster/controllers.js';
import { startKubelets } from '../kit/cluster/kubelet.js';
import { makeCluster, type SimulatedCluster } from '../kit/cluster/simulated-cluster.js';
import { keyOf, type StoredDaemonSet, type StoredPod } from '../kit/cluster/store.js';
import { createFakePorts } from '../kit/fake-ports.js';
import { TAINT, type NodeInput } from './pairs.js';
import type { Side } from './sides.js';

/** What happened to the nodes of a simulated cluster after a change was applied and the companion came to rest. */
export interface Measured {
  /** Its workloads were evicted. */
  readonly drained: readonly string[];
  /** Its driver pod ended while workloads ran. */
  readonly lost: readonly string[];
  /** It had a driver, and has none. */
  readonly withoutDriver: readonly string[];
  /** It runs a driver that the new output does not install, or not so. */
  readonly outdated: readonly string[];
  readonly log: readonly string[];
}

const NAMESPACE = 'nvidia-network-operator';
const WARM_UP_MS = 120_000;
const KEYS = driverKeys('ofed');
/** What `runUntil` says of a run that lasts for hours. */
const RUNS_ON = 'the run does not end';
const NO_POLICY: UpgradePolicy = { apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', paused: false, drivers: [] };

/** Applies the old side, then the new one as a GitOps controller does, and runs the companion until it ends. */
export async function rollOut(seed: number, old: Side, next: Side, nodes: readonly NodeInput[]): Promise<Measured> {
  const conditions = { faultRate: 0, lagMs: 5, room: Infinity, isInstant: true };
  const cluster = makeCluster(seed, conditions, next.policy ?? NO_POLICY);
  cluster.hasFaults = false;
  for (const node of nodes) addNode(cluster, node, old.policy !== undefined);
  addSpares(cluster);
  for (const object of driversOf(old)) putDaemonSet(cluster, object);
  startControllers(cluster);
  startKubelets(cluster);
  advance(cluster, WARM_UP_MS);
  const watch = watchNodes(cluster);
  applyNext(cluster, old, next);
  advance(cluster, WARM_UP_MS);
  const { policy } = next;
  if (policy !== undefined) await runToRest(cluster, policy);
  advance(cluster, WARM_UP_MS);
  return { ...watch(next, nodes), log: cluster.log };
}

function advance(cluster: SimulatedCluster, ms: number): void {
  const untilMs = cluster.events.now() + ms;
  while (cluster.events.step(untilMs));
}

async function runToRest(cluster: SimulatedCluster, policy: UpgradePolicy): Promise<void> {
  const ports = createFakePorts(cluster, canonicalJson(policy));
  const identity = 'companion-1';
  const hash = upgradePolicyHash(policy);
  const options = { namespace: NAMESPACE, identity, mode: 'job', runId: `job-${hash}`, policyHash: hash } as const;
  const run = runCompanion(ports, options);
  const end = await ports.runUntil(run).catch((error: unknown) => {
    // Nodes that wait for others keep a Job running; hours later nothing changes.
    if (error instanceof Error && error.message === RUNS_ON) return { reason: 'waiting', message: RUNS_ON };
    throw error;
  });
  cluster.note(`the companion ends: ${end.reason}, ${end.message}`);
  if (end.reason === 'bug') throw new Error('stack' in end ? end.stack : end.message);
}

function addNode({ store }: SimulatedCluster, { name, labels, isTainted }: NodeInput, isManaged: boolean): void {
  const node = {
    ...{
      name,
      uid: `uid-${name}`,
      resourceVersion: '',
      annotations: {},
      unschedulable: false,
      allocatable: {},
      boots: 0,
    },
    labels: { ...labels, ...(isManaged ? { [KEYS.state]: 'upgrade-done' } : {}) },
    ready: 'True',
    taints: isTainted ? [TAINT] : [],
  } as const;
  store.nodes.put(name, node, 'setup');
}

/** Nodes without NICs, which take pods, and a workload on each of the others. */
function addSpares(cluster: SimulatedCluster): void {
  for (const name of [...cluster.store.nodes.values()].map((node) => node.name)) putWorkload(cluster, name);
  for (const name of ['spare-1', 'spare-2', 'spare-3']) {
    const spare = { uid: `uid-${name}`, resourceVersion: '', annotations: {}, unschedulable: false, allocatable: {} };
    cluster.store.nodes.put(name, { ...spare, name, labels: {}, ready: 'True', taints: [], boots: 0 }, 'setup');
  }
}

function putWorkload(cluster: SimulatedCluster, nodeName: string): void {
  const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'job', uid: 'uid-job' };
  const pod = makePod(cluster, {
    ...{ namespace: 'work', name: `job-${nodeName}`, uid: `uid-job-${nodeName}`, nodeName, controller },
    ...{ phase: 'Running', ready: true, lifecycle: { kind: 'workload', graceMs: 0 } },
  });
  cluster.store.pods.put(keyOf(pod), pod, 'setup');
}

export function driversOf({ objects }: Pick<Side, 'objects'>): readonly KubernetesObject[] {
  return objects.filter(
    ({ kind, metadata }) => kind === 'DaemonSet' && Object.hasOwn(metadata.labels ?? {}, OFED_DRIVER_LABEL),
  );
}

function putDaemonSet(cluster: SimulatedCluster, object: KubernetesObject): void {
  const { namespace = '', name } = object.metadata;
  const before = cluster.store.daemonSets.get(`${namespace}/${name}`);
  const generation = (before?.generation ?? 0) + 1;
  const reduced = reduceDaemonSet(object);
  if (before !== undefined && sameTemplate(before, reduced)) return;
  const set: StoredDaemonSet = {
    ...reduced,
    ...{ uid: before?.uid ?? cluster.store.makeUid(), resourceVersion: '', generation },
    ...{
      createdMs: before?.createdMs ?? cluster.events.now(),
      observedGeneration: before?.observedGeneration ?? generation,
    },
    ...{ hash: `${reduced.digest}-${generation}`, role: 'driver', labelPrefix: 'ofed' },
    labels: { ...reduced.labels },
  };
  const after = cluster.store.daemonSets.put(keyOf(set), set, 'setup');
  if (before === undefined) recordRevision(cluster, after);
}

function sameTemplate(a: StoredDaemonSet, b: ReturnType<typeof reduceDaemonSet>): boolean {
  const part = ({ digest, nodeSelector, nodeAffinity, tolerations, labels }: typeof b) =>
    canonicalJson([digest, nodeSelector, nodeAffinity ?? null, tolerations, labels[DS_OWNER_LABEL] ?? ''] as never);
  return part(a) === part(b);
}

/** DaemonSets that leave the output are pruned, with their pods, unless their annotations keep them. */
function applyNext(cluster: SimulatedCluster, old: Side, next: Side): void {
  const wanted = new Set(driversOf(next).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`));
  for (const object of driversOf(old)) {
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    if (!wanted.has(key) && !isKept(object)) prune(cluster, key);
  }
  for (const object of driversOf(next)) putDaemonSet(cluster, object);
  cluster.note('the new side is applied');
}

function prune(cluster: SimulatedCluster, key: string): void {
  const set = cluster.store.daemonSets.get(key);
  cluster.store.daemonSets.remove(key, 'admin');
  for (const [podKey, pod] of [...cluster.store.pods.entries()])
    if (pod.controller?.uid === set?.uid) cluster.store.pods.remove(podKey, 'controller');
}

function isDriver({ labels }: StoredPod): boolean {
  return OFED_DRIVER_LABEL in labels;
}

/** Records what happens to nodes from here on. */
function watchNodes(cluster: SimulatedCluster) {
  const { pods } = cluster.store;
  const drained = new Set<string>();
  const lost = new Set<string>();
  const busy = new Set([...pods.values()].filter((pod) => pod.namespace === 'work').map(({ nodeName }) => nodeName));
  const had = new Set([...pods.values()].filter((pod) => isDriver(pod) && pod.ready).map(({ nodeName }) => nodeName));
  pods.listen((_key, before, after) => {
    const isEnding = before?.deletionMs === undefined && (after === undefined || after.deletionMs !== undefined);
    if (before === undefined || before.nodeName === '' || !isEnding) return;
    if (before.namespace === 'work') {
      drained.add(before.nodeName);
      busy.delete(before.nodeName);
    } else if (isDriver(before) && before.ready && busy.has(before.nodeName)) lost.add(before.nodeName);
  });
  return (next: Side, nodes: readonly NodeInput[]): Omit<Measured, 'log'> => {
    const digests = new Map(
      driversOf(next).map((object) => [object.metadata.name, reduceDaemonSet(object as never).digest]),
    );
    const running = new Map(
      [...pods.values()].filter((pod) => isDriver(pod) && pod.ready).map((pod) => [pod.nodeName, pod]),
    );
    const isCurrent = ({ lifecycle }: StoredPod) => digests.get(lifecycle.owner ?? '') === lifecycle.digest;
    const names = nodes.map(({ name }) => name);
    return {
      drained: names.filter((name) => drained.has(name)),
      lost: names.filter((name) => lost.has(name)),
      withoutDriver: names.filter((name) => had.has(name) && !running.has(name)),
      outdated: names.filter((name) => {
        const pod = running.get(name);
        return pod !== undefined && !isCurrent(pod);
      }),
    };
  };
}

/** The nodes as `kubectl get nodes -o json` prints them. */
export function nodeList(nodes: readonly NodeInput[]): unknown {
  const items = nodes.map(({ name, labels, isTainted }) => ({
    metadata: { name, labels },
    spec: isTainted ? { taints: [TAINT] } : {},
  }));
  return { kind: 'NodeList', items };
}
