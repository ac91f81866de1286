import { ARCH_LABEL, driverKeys, OFED_DRIVER_LABEL, OFED_GATE_LABEL } from '../../src/shared/contract/labels.js';
import { windowState } from '../../src/shared/contract/maintenance-window.js';
import {
  upgradePolicyHash,
  upgradePolicySchema,
  type UpgradePolicy,
} from '../../src/shared/contract/upgrade-policy.js';
import { canonicalJson } from '../../src/shared/lib/json.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { isKept } from '../../src/cluster/changes/objects.js';
import { reduceDaemonSet } from '../../src/companion/runtime/kube-port/reduce.js';
import { runCompanion } from '../../src/companion/runtime/loop/loop.js';
import { applyDaemonSet } from '../../src/forecast/simulation/apply-daemon-set.js';
import { makePod } from '../../src/forecast/simulation/controllers/pods.js';
import { startControllers } from '../../src/forecast/simulation/controllers/controllers.js';
import { startKubelets } from '../../src/forecast/simulation/kubelet.js';
import { makeCluster, type SimulatedCluster } from '../../src/forecast/simulation/simulated-cluster.js';
import { keyOf, type StoredPod } from '../../src/forecast/simulation/store.js';
import { createFakePorts } from '../kit/fake-ports.js';
import { NAMESPACE, TAINT, WORKLOAD, type NodeInput } from './pairs.js';
import type { Side } from './sides.js';
import { taintInProgress } from './taint.js';

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
  /** `<DaemonSet>@<node>`: pods of no driver that ended, and were made anew. */
  readonly restarted: readonly string[];
  /** What was wrong with a node that got a taint while it was in progress. */
  readonly problems: readonly string[];
  readonly log: readonly string[];
}

const SPARES = ['spare-1', 'spare-2', 'spare-3'];
const WARM_UP_MS = 120_000;
const KEYS = driverKeys('ofed');
/** What `runUntil` says of a run that lasts for hours. */
const RUNS_ON = 'the run does not end';
const NO_POLICY = upgradePolicySchema.parse({ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', drivers: [] });

/**
 * Applies the old side, then the new one as a GitOps controller does, and runs the companion until it ends.
 *
 * @param upgraded names of the nodes that the companion brings another driver
 */
export async function rollOut(
  seed: number,
  old: Side,
  next: Side,
  nodes: readonly NodeInput[],
  upgraded: ReadonlySet<string>,
): Promise<Measured> {
  const conditions = { faultRate: 0, lagMs: 5, podCapacity: Infinity, isInstant: true };
  const cluster = makeCluster(seed, conditions, next.policy ?? NO_POLICY);
  cluster.hasFaults = false;
  for (const node of nodes) addNode(cluster, node, old.policy !== undefined);
  addSpares(cluster);
  for (const object of daemonSetsOf(old)) applyDaemonSet(cluster, object);
  startControllers(cluster);
  startKubelets(cluster);
  advance(cluster, WARM_UP_MS);
  if (old.policy?.drivers.some((one) => one.kind === 'ofed' && one.gate?.kind === 'label')) openGates(cluster);
  const watch = watchNodes(cluster);
  const problems = taintInProgress(cluster, seed, upgraded);
  applyNext(cluster, old, next);
  advance(cluster, WARM_UP_MS);
  const { policy } = next;
  if (policy !== undefined) await runToRest(cluster, policy);
  advance(cluster, WARM_UP_MS);
  return { ...watch(next, nodes), problems, log: cluster.log };
}

function advance(cluster: SimulatedCluster, ms: number): void {
  const untilMs = cluster.events.now() + ms;
  while (cluster.events.step(untilMs));
}

/** Runs the companion, and again as its CronJob does, as long as nodes wait for a time. */
async function runToRest(cluster: SimulatedCluster, policy: UpgradePolicy): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const message = await runOnce(cluster, policy);
    const nextMs = message.includes('soaked') ? SOAK_MS : windowMs(policy, cluster.events.now());
    if (!/soaked|maintenance window/.test(message) || nextMs === undefined) return;
    advance(cluster, nextMs);
  }
}

const MOST_ROUNDS = 12;
const SOAK_MS = 300_000;

/** How long it takes until a maintenance window opens. */
function windowMs({ rollout }: UpgradePolicy, nowMs: number): number | undefined {
  const states = rollout.maintenanceWindows.map((window) => windowState(window, nowMs));
  const opens = states.flatMap(({ open, nextChangeMs = Infinity }) => (open ? [] : [nextChangeMs - nowMs + 1000]));
  return opens.length === 0 ? undefined : Math.min(...opens);
}

/** One run; returns what it says at its end. */
async function runOnce(cluster: SimulatedCluster, policy: UpgradePolicy): Promise<string> {
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
  return end.message;
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
  for (const name of SPARES) {
    const spare = { uid: `uid-${name}`, resourceVersion: '', annotations: {}, unschedulable: false, allocatable: {} };
    cluster.store.nodes.put(name, { ...spare, name, labels: {}, ready: 'True', taints: [], boots: 0 }, 'setup');
  }
}

function putWorkload(cluster: SimulatedCluster, nodeName: string): void {
  const [key = '', value = ''] = WORKLOAD.split('=');
  const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'job', uid: 'uid-job' };
  const pod = makePod(cluster, {
    ...{
      labels: { [key]: value },
      namespace: 'work',
      name: `job-${nodeName}`,
      uid: `uid-job-${nodeName}`,
      nodeName,
      controller,
    },
    ...{ phase: 'Running', ready: true, lifecycle: { kind: 'workload', graceMs: 0 } },
  });
  cluster.store.pods.put(keyOf(pod), pod, 'setup');
}

export function driversOf({ objects }: Pick<Side, 'objects'>): readonly KubernetesObject[] {
  return objects.filter(
    ({ kind, metadata }) => kind === 'DaemonSet' && Object.hasOwn(metadata.labels ?? {}, OFED_DRIVER_LABEL),
  );
}

function daemonSetsOf({ objects }: Pick<Side, 'objects'>): readonly KubernetesObject[] {
  return objects.filter(({ kind }) => kind === 'DaemonSet');
}

/** The companion of the old side has labelled the nodes whose driver is loaded. */
function openGates(cluster: SimulatedCluster): void {
  const { nodes, pods } = cluster.store;
  for (const { nodeName } of [...pods.values()].filter((pod) => isDriver(pod) && pod.ready)) {
    const node = nodes.get(nodeName);
    if (node) nodes.put(nodeName, { ...node, labels: { ...node.labels, [OFED_GATE_LABEL]: 'false' } }, 'setup');
  }
  advance(cluster, WARM_UP_MS);
}

/** DaemonSets that leave the output are pruned, with their pods, unless their annotations keep them. */
function applyNext(cluster: SimulatedCluster, old: Side, next: Side): void {
  const desired = new Set(daemonSetsOf(next).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`));
  for (const object of daemonSetsOf(old)) {
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    if (!desired.has(key) && !isKept(object)) prune(cluster, key);
  }
  cluster.safeLoad = next.safeLoad;
  for (const object of daemonSetsOf(next)) applyDaemonSet(cluster, object);
  cluster.note('the new side is applied');
}

function prune(cluster: SimulatedCluster, key: string): void {
  const set = cluster.store.daemonSets.get(key);
  cluster.store.daemonSets.remove(key, 'admin');
  if (set !== undefined) removePods(cluster, set.uid);
}

function removePods(cluster: SimulatedCluster, uid: string): void {
  for (const [key, pod] of [...cluster.store.pods.entries()])
    if (pod.controller?.uid === uid) cluster.store.pods.remove(key, 'controller');
}

function isDriver({ labels }: StoredPod): boolean {
  return OFED_DRIVER_LABEL in labels;
}

/** Whether a pod is of a DaemonSet of the output that is no driver. */
function isOther(pod: StoredPod): boolean {
  return pod.controller?.kind === 'DaemonSet' && !isDriver(pod);
}

function placeOf({ controller, nodeName }: StoredPod): string {
  return `${controller?.name ?? ''}@${nodeName}`;
}

/** Records what happens to nodes from here on. */
function watchNodes(cluster: SimulatedCluster) {
  const { pods } = cluster.store;
  const drained = new Set<string>();
  const ran = new Set([...pods.values()].filter((pod) => isOther(pod) && pod.ready).map(placeOf));
  const ended = new Set<string>();
  const known = new Set([...pods.values()].map(({ uid }) => uid));
  const lost = new Set<string>();
  const busy = new Set([...pods.values()].filter((pod) => pod.namespace === 'work').map(({ nodeName }) => nodeName));
  const had = new Set([...pods.values()].filter((pod) => isDriver(pod) && pod.ready).map(({ nodeName }) => nodeName));
  pods.listen((_key, before, after) => {
    const isEnding = before?.deletionMs === undefined && (after === undefined || after.deletionMs !== undefined);
    if (before === undefined || before.nodeName === '' || !isEnding) return;
    if (isOther(before) && ran.has(placeOf(before))) ended.add(placeOf(before));
    if (before.namespace === 'work') {
      drained.add(before.nodeName);
      busy.delete(before.nodeName);
    } else if (isDriver(before) && before.ready && busy.has(before.nodeName)) lost.add(before.nodeName);
  });
  return (next: Side, nodes: readonly NodeInput[]): Omit<Measured, 'log' | 'problems'> => {
    const digests = new Map(
      driversOf(next).map((object) => [object.metadata.name, reduceDaemonSet(object as never).digest]),
    );
    const isForeign = builtForOthers(cluster, next);
    const running = new Map(
      [...pods.values()]
        .filter((pod) => isDriver(pod) && pod.ready && (known.has(pod.uid) || !isForeign(pod)))
        .map((pod) => [pod.nodeName, pod]),
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
      restarted: [...pods.values()]
        .filter((pod) => isOther(pod) && pod.ready && ended.has(placeOf(pod)))
        .map(placeOf)
        .sort(),
    };
  };
}

/** Whether the driver of a pod of the new output is built for another architecture than that of its node: it does not run. */
function builtForOthers({ store }: SimulatedCluster, { coverage }: Side): (pod: StoredPod) => boolean {
  const arches = new Map(coverage.map(({ digest, arch }) => [digest, arch]));
  return ({ nodeName, lifecycle }) => {
    const arch = arches.get(lifecycle.digest ?? '');
    return arch !== undefined && arch !== store.nodes.get(nodeName)?.labels[ARCH_LABEL];
  };
}

/** The nodes as `kubectl get nodes -o json` prints them. */
export function nodeList(nodes: readonly NodeInput[]): unknown {
  const items = nodes.map(({ name, labels, isTainted }) => ({
    metadata: { name, labels },
    spec: isTainted ? { taints: [TAINT] } : {},
  }));
  return { kind: 'NodeList', items: [...items, ...SPARES.map((name) => ({ metadata: { name } }))] };
}
