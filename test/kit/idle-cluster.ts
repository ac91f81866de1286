import { REVISION_LABEL, driverKeys } from '../../src/shared/contract/labels.js';
import { upgradePolicySchema } from '../../src/shared/contract/upgrade-policy.js';
import type { SnapshotBudget, SnapshotNode, SnapshotPod } from '../../src/companion/model/types.js';
import type { LeaseRecord, StatusObject, VersionedLease } from '../../src/companion/runtime/ports.js';
import { STATUS_CONFIG_MAP } from '../../src/forecast/simulation/cache.js';
import { makePod } from '../../src/forecast/simulation/controllers/pods.js';
import { recordRevision } from '../../src/forecast/simulation/controllers/daemon-sets.js';
import { makeCluster, type SimulatedCluster } from '../../src/forecast/simulation/simulated-cluster.js';
import {
  keyOf,
  type StoredBudget,
  type StoredDaemonSet,
  type StoredNode,
  type StoredPod,
} from '../../src/forecast/simulation/store.js';
import { digestOf, revisionOf } from './digests.js';

/**
 * A simulated cluster without kubelets, faults and delays, and with one controller, which replaces the pods of DaemonSets that
 * the companion deletes. Nothing else happens unless the test triggers it.
 */

export const NAMESPACE = 'driver-ns';
export const DRIVER_LABEL = 'nvidia.com/ofed-driver';
export const DRIVER_CONTAINER = 'mofed-container';
export const KEYS = driverKeys('ofed');
/** Prefix of the second driver and of the names of its DaemonSets. */
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
const START_MS = Date.UTC(2026, 0, 6, 12);
const INSTANT = { faultRate: 0, lagMs: 0, podCapacity: Infinity, isInstant: true };
/** The tests have their own policy. */
const NO_POLICY = upgradePolicySchema.parse({ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', drivers: [] });

export function createCluster(): SimulatedCluster {
  return withController(makeCluster(0, INSTANT, NO_POLICY, START_MS));
}

/** A copy of a cluster at the same time. The first cluster must have no pending events. */
export function copyOf(cluster: SimulatedCluster): SimulatedCluster {
  const copy = makeCluster(0, INSTANT, NO_POLICY, cluster.events.now(), cluster.store.copy());
  for (const [name, exists] of cluster.foreignDaemonSets) copy.foreignDaemonSets.set(name, exists);
  return withController(copy);
}

/** Moves the clock forward, and runs all events that are due until then. */
export function advance(cluster: SimulatedCluster, ms: number): void {
  if (ms < 0) throw new Error('the clock of a cluster only goes forward');
  const untilMs = cluster.events.now() + ms;
  while (cluster.events.step(untilMs));
}

/** Replaces pods of DaemonSets that the companion deletes. Driver pods are not ready then, other pods are. */
function withController(cluster: SimulatedCluster): SimulatedCluster {
  cluster.hasFaults = false;
  cluster.store.pods.listen((_key, before, after, actor) => {
    if (before !== undefined && after === undefined && actor === 'ours')
      cluster.events.after(0, () => replace(cluster, before));
  });
  return cluster;
}

function replace(cluster: SimulatedCluster, pod: StoredPod): void {
  if (isDriverPod(pod)) {
    const drivers = [...cluster.store.daemonSets.values()].filter(({ name }) => driverLabelOf(name) in pod.labels);
    const owner = drivers.find(({ uid }) => uid === pod.controller?.uid) ?? drivers[0];
    if (owner !== undefined) putDriverPod(cluster, pod.nodeName, owner.name, owner.digest, false);
  } else if (cluster.foreignDaemonSets.get(`${pod.namespace}/${pod.controller?.name ?? ''}`) === true) {
    const containers = pod.containers.map((one) => ({ ...one, ready: true, startedMs: cluster.events.now() }));
    putPod(cluster, { ...pod, uid: `${pod.uid}+`, createdMs: cluster.events.now(), containers });
  }
}

export function putNode(cluster: SimulatedCluster, name: string, change: Partial<SnapshotNode> = {}): StoredNode {
  const node: StoredNode = {
    name,
    uid: `node-${name}`,
    resourceVersion: '',
    labels: {},
    annotations: {},
    unschedulable: false,
    ready: 'True',
    taints: [],
    allocatable: {},
    boots: 0,
    ...cluster.store.nodes.get(name),
    ...change,
  };
  return cluster.store.nodes.put(name, node, 'setup');
}

export function daemonSetOf(cluster: SimulatedCluster, name: string): StoredDaemonSet | undefined {
  return cluster.store.daemonSets.get(`${NAMESPACE}/${name}`);
}

export function daemonSetNames(cluster: SimulatedCluster): readonly string[] {
  return [...cluster.store.daemonSets.values()].map(({ name }) => name);
}

export function putDaemonSet(cluster: SimulatedCluster, name: string, template: string): void {
  const before = daemonSetOf(cluster, name);
  const generation = (before?.generation ?? 0) + 1;
  const digest = digestOf(template);
  const set: StoredDaemonSet = {
    namespace: NAMESPACE,
    name,
    uid: before?.uid ?? `set-${name}-${cluster.store.makeUid()}`,
    resourceVersion: '',
    labels: { [driverLabelOf(name)]: '' },
    createdMs: before?.createdMs ?? cluster.events.now(),
    generation,
    observedGeneration: generation,
    digest,
    renderedDigest: digest,
    hash: revisionOf(template),
    nodeSelector: before?.nodeSelector ?? {},
    tolerations: [{ operator: 'Exists' }],
    role: 'driver',
    labelPrefix: isOfSecondDriver(name) ? SECOND_PREFIX : 'ofed',
  };
  recordRevision(cluster, cluster.store.daemonSets.put(keyOf(set), set, 'setup'));
}

export type NewPod = Pick<SnapshotPod, 'namespace' | 'name' | 'nodeName'> &
  Partial<SnapshotPod & Pick<StoredPod, 'unschedulable'>>;

/** Creates a running pod. Its DaemonSet exists, unless `foreignDaemonSets` already has it as missing. */
export function putPod(cluster: SimulatedCluster, pod: NewPod): StoredPod {
  const { namespace, controller } = pod;
  const owner = `${namespace}/${controller?.name ?? ''}`;
  if (controller?.kind === 'DaemonSet' && !cluster.foreignDaemonSets.has(owner))
    cluster.foreignDaemonSets.set(owner, true);
  const made = makePod(cluster, {
    uid: `pod-${pod.name}-${cluster.store.makeUid()}`,
    ...{ phase: 'Running', ready: true, ...pod },
    lifecycle: { kind: isDriverPod({ labels: {}, ...pod }) ? 'driver' : 'workload', graceMs: 0 },
  });
  return cluster.store.pods.put(keyOf(made), made, 'setup');
}

export function changePod(cluster: SimulatedCluster, key: string, change: Partial<SnapshotPod>): void {
  const pod = cluster.store.pods.get(key);
  if (pod === undefined) throw new Error(`there is no pod ${key}`);
  cluster.store.pods.put(key, { ...pod, ...change }, 'setup');
}

/** A pod of the driver DaemonSet, with a revision of this template. */
export function putDriverPod(
  cluster: SimulatedCluster,
  node: string,
  setName: string,
  template: string,
  ready: boolean,
): void {
  const owner = daemonSetOf(cluster, setName);
  if (owner === undefined) throw new Error(`there is no DaemonSet ${setName}`);
  const hash = revisionOf(template);
  recordRevision(cluster, { ...owner, hash, digest: digestOf(template) });
  putPod(cluster, {
    namespace: NAMESPACE,
    name: `${setName}-${node}`,
    nodeName: node,
    labels: { [driverLabelOf(setName)]: '', [REVISION_LABEL]: hash },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: setName, uid: owner.uid },
    toleratesUnschedulable: true,
    ready,
    readyChangedMs: cluster.events.now(),
    containers: [{ name: DRIVER_CONTAINER, ready, restarts: 0, startedMs: cluster.events.now() }],
  });
}

/** Driver pods become ready this long after their creation. */
export function readyDriverPods(cluster: SimulatedCluster, afterMs: number): void {
  const nowMs = cluster.events.now();
  for (const [key, pod] of [...cluster.store.pods.entries()]) {
    if (pod.ready || pod.namespace !== NAMESPACE || nowMs - pod.createdMs < afterMs) continue;
    const containers = pod.containers.map((one) => ({ ...one, ready: true }));
    changePod(cluster, key, { ready: true, readyChangedMs: nowMs, containers });
  }
}

/** A pod that its budget keeps on the node until the drain times out: it is not Ready, so a node begins with it. */
export function putKeptPod(cluster: SimulatedCluster, nodeName: string): void {
  const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'kept', uid: 'uid-of-kept' };
  putPod(cluster, {
    namespace: 'default',
    name: 'kept-0',
    nodeName,
    labels: { app: 'kept' },
    controller,
    ready: false,
  });
  const selector = { matchLabels: { app: 'kept' } };
  putBudget(cluster, { namespace: 'default', name: 'kept', selector, disruptionsAllowed: 0 });
}

export function putBudget(cluster: SimulatedCluster, budget: SnapshotBudget): StoredBudget {
  return cluster.store.budgets.put(keyOf(budget), { minAvailable: 0, resourceVersion: '', ...budget }, 'setup');
}

export function leaseOf({ store }: SimulatedCluster): VersionedLease | undefined {
  const lease = store.leases.get('lease');
  return lease && { record: lease.spec, resourceVersion: lease.resourceVersion };
}

/** Another process writes the Lease of companions, or another one. */
export function putLease({ store }: SimulatedCluster, spec: LeaseRecord, name = 'lease'): void {
  store.leases.put(name, { name, resourceVersion: '', spec }, 'setup');
}

/** Another process holds the Lease, and renews it at this interval. */
export function renewLease(cluster: SimulatedCluster, spec: LeaseRecord, everyMs: number): void {
  const renewMs = Math.floor(cluster.events.now() / everyMs) * everyMs;
  const record = leaseOf(cluster)?.record;
  if (record?.holderIdentity === spec.holderIdentity && record?.renewMs === renewMs) return;
  putLease(cluster, { ...spec, renewMs });
}

export function statusOf({ store }: SimulatedCluster): StatusObject | undefined {
  return store.configMaps.get(STATUS_CONFIG_MAP);
}

/** Another process, or a user, writes the status ConfigMap. */
export function putStatus({ store }: SimulatedCluster, status: Partial<StatusObject>): void {
  const before = store.configMaps.get(STATUS_CONFIG_MAP) ?? { annotations: {}, data: {} };
  const object = { ...before, ...status, name: STATUS_CONFIG_MAP, resourceVersion: '' };
  store.configMaps.put(STATUS_CONFIG_MAP, object, 'admin');
}

export function removeStatus({ store }: SimulatedCluster): void {
  store.configMaps.remove(STATUS_CONFIG_MAP, 'admin');
}
