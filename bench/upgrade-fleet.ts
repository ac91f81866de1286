import { PRE_PULL_DIGEST_LABEL, PRE_PULL_LABEL } from '../src/contract/labels.js';
import { upgradePolicySchema } from '../src/contract/upgrade-policy.js';
import { makePod, recordRevision } from '../test/kit/cluster/controllers.js';
import { keyOf, type FakeDaemonSet, type FakePod } from '../test/kit/cluster/store.js';
import { makeWorld, type World } from '../test/kit/cluster/world.js';
import { NAMESPACE, policyDocument, type Git } from '../test/sim/scenario.js';

/** Machines and controllers of a large cluster: each event costs the same however many nodes there are. */
export interface Fleet {
  readonly world: World;
  /** How long each new driver pod took from being bound to being ready. */
  readonly restartsMs: number[];
}

/** How images come to the nodes. */
export interface ImagePull {
  /** Milliseconds that the image of the new driver takes. */
  readonly ms: number;
  /** Pods of a DaemonSet pull it from the start on, as with `upgrade.prePull`, and nodes wait for it. */
  readonly isEarly: boolean;
}

const PODS_PER_NODE = 5;
const BIND_MS = 500;
const START_MS = 1500;
/** Loading the driver takes between these, which makes slots come free one by one. */
const LOAD_MS = [20_000, 60_000] as const;
const SET_NAME = 'ofed-a';

/** Every node has the image. */
const NO_PULL: ImagePull = { ms: 0, isEarly: false };

/** A cluster whose nodes all have the driver `old`, under a policy that wants `new` with so many at a time. */
export function makeFleet(nodes: number, slots: number, pull: ImagePull = NO_PULL): Fleet {
  const git: Git = { paused: false, drivers: [{ ...driverOf(slots), rollout: { prePull: pull.isEarly } }] };
  const policy = upgradePolicySchema.parse(policyDocument(git));
  const world = makeWorld(1, { faultRate: 0, lagMs: 50, room: Infinity }, policy);
  world.stormy = false;
  // What the fake cluster notes is the simulation's, and grows without end.
  const fleet: Fleet = { world: { ...world, note: () => undefined }, restartsMs: [] };
  const old = applyDriver(fleet.world, 1, 'old');
  for (let index = 0; index < nodes; index += 1) addNode(fleet.world, `node-${index}`, old);
  startMachines(fleet, applyDriver(fleet.world, 2, 'new'), pull);
  return fleet;
}

function driverOf(slots: number): Git['drivers'][number] {
  return {
    prefix: 'ofed',
    autoUpgrade: true,
    uninstall: false,
    sets: [{ name: SET_NAME, policy: 'main', digest: 'new', group: 'a' }],
    maxParallelUpgrades: slots,
    maxUnavailable: '100%',
    drain: { enable: true, force: false, timeoutSeconds: 300 },
    deleteEmptyDir: false,
    drainPodSelector: '',
    podDeletionTimeoutSeconds: 300,
    jobsSelector: '',
    jobsTimeoutSeconds: 0,
    rollout: {},
  };
}

function applyDriver(world: World, generation: number, digest: string): FakeDaemonSet {
  const key = `${NAMESPACE}/${SET_NAME}`;
  const set = world.store.daemonSets.put(
    key,
    {
      namespace: NAMESPACE,
      name: SET_NAME,
      uid: world.store.daemonSets.get(key)?.uid ?? world.store.makeUid(),
      resourceVersion: '',
      labels: { 'nvidia.com/ofed-driver': '', 'ds-owner': 'main' },
      createdMs: world.store.daemonSets.get(key)?.createdMs ?? world.events.now(),
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
  recordRevision(world, set);
  return set;
}

function addNode(world: World, name: string, driver: FakeDaemonSet): void {
  world.store.nodes.put(
    name,
    {
      name,
      uid: world.store.makeUid(),
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
  put(world, readyPod(world, driverPod(world, driver, name)));
  for (let index = 0; index < PODS_PER_NODE; index += 1) put(world, readyPod(world, workloadPod(world, name)));
}

const put = (world: World, pod: FakePod): void => void world.store.pods.put(keyOf(pod), pod, 'controller');

function driverPod(world: World, set: FakeDaemonSet, nodeName: string): FakePod {
  const labels = { ...set.labels, 'controller-revision-hash': set.hash };
  return daemonPod(world, set, nodeName, labels, { kind: 'driver', graceMs: 5000 });
}

function daemonPod(
  world: World,
  set: FakeDaemonSet,
  nodeName: string,
  labels: FakePod['labels'],
  fate: Parameters<typeof makePod>[1]['fate'],
): FakePod {
  const uid = world.store.makeUid();
  return makePod(world, {
    ...{ namespace: NAMESPACE, name: `${set.name}-${uid}`, uid, nodeName, labels, toleratesUnschedulable: true, fate },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set.name, uid: set.uid },
  });
}

function applyPrePull(world: World): FakeDaemonSet {
  const driver = world.store.daemonSets.get(`${NAMESPACE}/${SET_NAME}`);
  if (driver === undefined) throw new Error('the driver comes first');
  const name = `${SET_NAME}-pre-pull`;
  const { labelPrefix, digest } = driver;
  const labels = { [PRE_PULL_LABEL]: labelPrefix, [PRE_PULL_DIGEST_LABEL]: digest };
  return world.store.daemonSets.put(
    `${NAMESPACE}/${name}`,
    { ...driver, name, uid: world.store.makeUid(), labels, digest: '', renderedDigest: '', role: 'gated' },
    'setup',
  );
}

function workloadPod(world: World, nodeName: string): FakePod {
  const uid = world.store.makeUid();
  return makePod(world, {
    namespace: 'work',
    name: `app-${uid}`,
    uid,
    nodeName,
    labels: { app: 'app' },
    controller: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'app', uid: 'uid-of-app' },
    fate: { kind: 'workload', graceMs: 10_000 },
  });
}

function readyPod(world: World, pod: FakePod): FakePod {
  const now = world.events.now();
  const name = pod.fate.kind === 'driver' ? 'mofed-container' : 'main';
  const containers = [{ name, ready: true, restarts: 0, startedMs: now }];
  return { ...pod, phase: 'Running', ready: true, readyChangedMs: now, containers };
}

/** Kubelets end deleted pods; controllers make them again, drivers where they were and others where there is room. */
function startMachines({ world, restartsMs }: Fleet, driver: FakeDaemonSet, pull: ImagePull): void {
  const { store, events, chance } = world;
  const names = [...store.nodes.values()].map(({ name }) => name);
  const ready = (pod: FakePod, afterMs: number) =>
    events.after(afterMs, () => {
      if (store.pods.get(keyOf(pod))?.uid === pod.uid) put(world, readyPod(world, pod));
    });
  const pulledMs = events.now() + pull.ms;
  if (pull.isEarly) {
    const set = applyPrePull(world);
    for (const name of names) {
      const pod = daemonPod(world, set, name, set.labels, { kind: 'gated', graceMs: 0 });
      put(world, pod);
      ready(pod, pull.ms);
    }
  }
  const makeWorkloadPod = (): void => {
    const nodeName = roomFor(world, names);
    if (nodeName === undefined) return events.after(BIND_MS, makeWorkloadPod);
    const pod = workloadPod(world, nodeName);
    put(world, pod);
    ready(pod, START_MS);
  };
  store.pods.listen((key, before, after) => {
    if (after?.deletionMs !== undefined && before?.deletionMs === undefined) {
      events.at(after.fate.goneMs, () => store.pods.remove(key, 'kubelet'));
    }
    if (after !== undefined || before === undefined) return;
    if (before.fate.kind !== 'driver') return events.after(BIND_MS, makeWorkloadPod);
    events.after(BIND_MS, () => {
      const pod = driverPod(world, driver, before.nodeName);
      const pullMs = pull.isEarly ? Math.max(0, pulledMs - events.now()) : pull.ms;
      const loadMs = START_MS + pullMs + chance.kubelet.int(...LOAD_MS);
      restartsMs.push(loadMs);
      put(world, pod);
      ready(pod, loadMs);
    });
  });
}

/** Some node that is not cordoned; undefined where it is hard to find one. */
function roomFor(world: World, names: readonly string[]): string | undefined {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const name = world.chance.controllers.pick(names);
    if (world.store.nodes.get(name)?.unschedulable === false) return name;
  }
  return undefined;
}
