import { PRE_PULL_DIGEST_LABEL, PRE_PULL_LABEL } from '../src/shared/contract/labels.js';
import { upgradePolicySchema } from '../src/shared/contract/upgrade-policy.js';
import { makePod } from '../src/forecast/simulation/controllers/pods.js';
import { recordRevision } from '../src/forecast/simulation/controllers/daemon-sets.js';
import { keyOf, type StoredDaemonSet, type StoredPod } from '../src/forecast/simulation/store.js';
import { makeCluster, type SimulatedCluster } from '../src/forecast/simulation/simulated-cluster.js';
import { NAMESPACE, policyDocument, type Git } from '../test/sim/scenario/git.js';

/** Kubelets and controllers of a large cluster. The cost of an event does not depend on the number of nodes. */
export interface Fleet {
  readonly cluster: SimulatedCluster;
  /** How long each new driver pod took from being bound to being ready. */
  readonly restartsMs: number[];
}

/** How nodes pull images. */
interface ImagePull {
  /** Duration of the pull in milliseconds. */
  readonly ms: number;
  /** Pods of a DaemonSet pull the image before the upgrade, as with `upgrade.prePull`. */
  readonly isEarly: boolean;
}

const PODS_PER_NODE = 5;
const BIND_MS = 500;
const START_MS = 1500;
/** Range of the driver's load time, so that slots become free one by one. */
const LOAD_MS = [20_000, 60_000] as const;
const SET_NAME = 'ofed-a';

/** Every node has the image. */
const NO_PULL: ImagePull = { ms: 0, isEarly: false };

/** A cluster whose nodes have the driver `old`, with a policy for `new` and this number of slots. */
export function makeFleet(nodes: number, slots: number, pull: ImagePull = NO_PULL): Fleet {
  const git: Git = { paused: false, rollout: { prePull: pull.isEarly }, drivers: [driverOf(slots)] };
  const policy = upgradePolicySchema.parse(policyDocument(git));
  const cluster = makeCluster(1, { faultRate: 0, lagMs: 50, podCapacity: Infinity }, policy);
  cluster.hasFaults = false;
  // The log of the simulated cluster is off, because it grows without limit.
  const fleet: Fleet = { cluster: { ...cluster, note: () => undefined }, restartsMs: [] };
  const old = applyDriver(fleet.cluster, 1, 'old');
  for (let index = 0; index < nodes; index += 1) addNode(fleet.cluster, `node-${index}`, old);
  startMachines(fleet, applyDriver(fleet.cluster, 2, 'new'), pull);
  return fleet;
}

function driverOf(slots: number): Git['drivers'][number] {
  return {
    prefix: 'ofed',
    autoUpgrade: true,
    offPolicies: [],
    uninstall: false,
    uninstalledGroups: [],
    tolerates: true,
    startupSeconds: 0,
    sets: [{ name: SET_NAME, policy: 'main', digest: 'new', group: 'a' }],
    maxParallelUpgrades: slots,
    maxUnavailable: '100%',
    drain: { enable: true, force: false, timeoutSeconds: 300 },
    deleteEmptyDir: false,
    drainPodSelector: '',
    podDeletionTimeoutSeconds: 300,
    jobsSelector: '',
    jobsTimeoutSeconds: 0,
  };
}

function applyDriver(cluster: SimulatedCluster, generation: number, digest: string): StoredDaemonSet {
  const key = `${NAMESPACE}/${SET_NAME}`;
  const set = cluster.store.daemonSets.put(
    key,
    {
      namespace: NAMESPACE,
      name: SET_NAME,
      uid: cluster.store.daemonSets.get(key)?.uid ?? cluster.store.makeUid(),
      resourceVersion: '',
      labels: { 'nvidia.com/ofed-driver': '', 'ds-owner': 'main' },
      createdMs: cluster.store.daemonSets.get(key)?.createdMs ?? cluster.events.now(),
      generation,
      observedGeneration: generation,
      digest,
      renderedDigest: digest,
      hash: `${digest}-${generation}`,
      nodeSelector: { group: 'a' },
      tolerations: [{ operator: 'Exists' }],
      role: 'driver',
      labelPrefix: 'ofed',
    },
    'setup',
  );
  recordRevision(cluster, set);
  return set;
}

function addNode(cluster: SimulatedCluster, name: string, driver: StoredDaemonSet): void {
  cluster.store.nodes.put(
    name,
    {
      name,
      uid: cluster.store.makeUid(),
      resourceVersion: '',
      labels: { group: 'a', 'kubernetes.io/hostname': name, 'nvidia.com/ofed-driver-upgrade-state': 'upgrade-done' },
      annotations: {},
      unschedulable: false,
      ready: 'True',
      taints: [],
      allocatable: {},
      boots: 0,
    },
    'setup',
  );
  put(cluster, readyPod(cluster, driverPod(cluster, driver, name)));
  for (let index = 0; index < PODS_PER_NODE; index += 1) put(cluster, readyPod(cluster, workloadPod(cluster, name)));
}

const put = (cluster: SimulatedCluster, pod: StoredPod): void =>
  void cluster.store.pods.put(keyOf(pod), pod, 'controller');

function driverPod(cluster: SimulatedCluster, set: StoredDaemonSet, nodeName: string): StoredPod {
  const labels = { ...set.labels, 'controller-revision-hash': set.hash };
  return daemonPod(cluster, set, nodeName, labels, { kind: 'driver', graceMs: 5000 });
}

function daemonPod(
  cluster: SimulatedCluster,
  set: StoredDaemonSet,
  nodeName: string,
  labels: StoredPod['labels'],
  lifecycle: Parameters<typeof makePod>[1]['lifecycle'],
): StoredPod {
  const uid = cluster.store.makeUid();
  return makePod(cluster, {
    ...{
      namespace: NAMESPACE,
      name: `${set.name}-${uid}`,
      uid,
      nodeName,
      labels,
      toleratesUnschedulable: true,
      lifecycle,
    },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set.name, uid: set.uid },
  });
}

function applyPrePull(cluster: SimulatedCluster): StoredDaemonSet {
  const driver = cluster.store.daemonSets.get(`${NAMESPACE}/${SET_NAME}`);
  if (driver === undefined) throw new Error('the driver comes first');
  const name = `${SET_NAME}-pre-pull`;
  const { labelPrefix, digest } = driver;
  const labels = { [PRE_PULL_LABEL]: labelPrefix, [PRE_PULL_DIGEST_LABEL]: digest };
  return cluster.store.daemonSets.put(
    `${NAMESPACE}/${name}`,
    { ...driver, name, uid: cluster.store.makeUid(), labels, digest: '', renderedDigest: '', role: 'gated' },
    'setup',
  );
}

function workloadPod(cluster: SimulatedCluster, nodeName: string): StoredPod {
  const uid = cluster.store.makeUid();
  return makePod(cluster, {
    namespace: 'work',
    name: `app-${uid}`,
    uid,
    nodeName,
    labels: { app: 'app' },
    controller: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'app', uid: 'uid-of-app' },
    lifecycle: { kind: 'workload', graceMs: 10_000 },
  });
}

function readyPod(cluster: SimulatedCluster, pod: StoredPod): StoredPod {
  const now = cluster.events.now();
  const name = pod.lifecycle.kind === 'driver' ? 'mofed-container' : 'main';
  const containers = [{ name, ready: true, restarts: 0, startedMs: now }];
  return { ...pod, phase: 'Running', ready: true, readyChangedMs: now, containers };
}

/** Kubelets terminate deleted pods. Controllers replace them: driver pods on the same node, others on any schedulable node. */
function startMachines({ cluster, restartsMs }: Fleet, driver: StoredDaemonSet, pull: ImagePull): void {
  const { store, events, chance } = cluster;
  const names = [...store.nodes.values()].map(({ name }) => name);
  const ready = (pod: StoredPod, afterMs: number) =>
    events.after(afterMs, () => {
      if (store.pods.get(keyOf(pod))?.uid === pod.uid) put(cluster, readyPod(cluster, pod));
    });
  const pulledMs = events.now() + pull.ms;
  if (pull.isEarly) {
    const set = applyPrePull(cluster);
    for (const name of names) {
      const pod = daemonPod(cluster, set, name, set.labels, { kind: 'gated', graceMs: 0 });
      put(cluster, pod);
      ready(pod, pull.ms);
    }
  }
  const makeWorkloadPod = (): void => {
    const nodeName = nodeFor(cluster, names);
    if (nodeName === undefined) return events.after(BIND_MS, makeWorkloadPod);
    const pod = workloadPod(cluster, nodeName);
    put(cluster, pod);
    ready(pod, START_MS);
  };
  store.pods.listen((key, before, after) => {
    if (after?.deletionMs !== undefined && before?.deletionMs === undefined) {
      events.at(after.lifecycle.goneMs, () => store.pods.remove(key, 'kubelet'));
    }
    if (after !== undefined || before === undefined) return;
    if (before.lifecycle.kind !== 'driver') return events.after(BIND_MS, makeWorkloadPod);
    events.after(BIND_MS, () => {
      const pod = driverPod(cluster, driver, before.nodeName);
      const pullMs = pull.isEarly ? Math.max(0, pulledMs - events.now()) : pull.ms;
      const loadMs = START_MS + pullMs + chance.kubelet.int(...LOAD_MS);
      restartsMs.push(loadMs);
      put(cluster, pod);
      ready(pod, loadMs);
    });
  });
}

/** A node that is not cordoned; undefined if none is found soon. */
function nodeFor(cluster: SimulatedCluster, names: readonly string[]): string | undefined {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const name = cluster.chance.controllers.pick(names);
    if (cluster.store.nodes.get(name)?.unschedulable === false) return name;
  }
  return undefined;
}
