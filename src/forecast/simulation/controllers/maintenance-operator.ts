import { parseSelector, matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { MAINTENANCE_OPERATOR_POD_SELECTOR } from '../../../shared/contract/node-maintenance.js';
import { isFinished } from '../../../companion/model/pod.js';
import type { NodeMaintenanceSpec } from '../../../companion/model/node-maintenance.js';
import { evictPod, patchNode } from '../api.js';
import type { MaintenanceOperator, SimulatedCluster } from '../simulated-cluster.js';
import { keyOf, type StoredNodeMaintenance, type StoredPod } from '../store.js';
import { makePod } from './pods.js';

/** How often it looks at its objects. */
const EVERY_MS = 2000;
const OUT: ReadonlySet<string> = new Set(['Scheduled', 'Cordon', 'WaitForPodCompletion', 'Draining', 'Ready']);
const [LABEL = '', COMPONENT = ''] = MAINTENANCE_OPERATOR_POD_SELECTOR.split('=');

/**
 * Runs the passes of the Maintenance Operator by its protocol: maintenance-operator e15d07b,
 * `internal/controller/nodemaintenance_controller.go` and `internal/scheduler`. Each pass makes one step for each object. After one that changes
 * nothing, the next one follows a change of the cluster. All that it knows is in the objects; a node that is gone takes its object along,
 * which has the node as its owner.
 *
 * @param maxParallel nodes in maintenance at once; 0: no limit
 * @returns ends its process, and starts another one
 */
export function runMaintenanceOperator(
  cluster: SimulatedCluster,
  maxParallel: number,
): { readonly end: () => void; readonly start: () => void } {
  const { store, events, chance } = cluster;
  let life = 0;
  let sleeps = false;
  const run = (own: number): void => {
    if (own !== life) return;
    const before = store.version();
    for (const one of [...store.nodeMaintenances.values()]) step(cluster, one, maxParallel);
    if (store.version() === before) sleeps = true;
    else events.after(chance.controllers.int(EVERY_MS / 2, EVERY_MS), () => run(own));
  };
  const start = (): void => {
    const own = ++life;
    sleeps = false;
    events.after(100, () => run(own));
  };
  const wake = (): void => {
    if (!sleeps || store.nodeMaintenances.size === 0) return;
    sleeps = false;
    const own = life;
    events.after(chance.controllers.int(EVERY_MS / 2, EVERY_MS), () => run(own));
  };
  for (const table of [store.nodeMaintenances, store.pods, store.nodes, store.budgets]) table.listen(wake);
  start();
  const end = (): void => {
    life += 1;
    sleeps = false;
  };
  return { end, start };
}

/** The operator with a pod of its own, which does not run while it is away. */
export function startMaintenanceOperator(cluster: SimulatedCluster, maxParallel: number): MaintenanceOperator {
  let life = 0;
  let isAway = false;
  let pod = addPod(cluster);
  const passes = runMaintenanceOperator(cluster, maxParallel);
  cluster.store.pods.listen((key, before, after) => {
    if (after !== undefined || key !== keyOf(pod) || before?.uid !== pod.uid || isAway) return;
    cluster.events.after(1000, () => {
      if (!isAway) pod = addPod(cluster);
    });
  });
  return {
    restart: (awayMs) => {
      const own = ++life;
      isAway = true;
      passes.end();
      cluster.store.pods.remove(keyOf(pod), 'controller');
      cluster.events.after(awayMs, () => {
        if (own !== life) return;
        isAway = false;
        pod = addPod(cluster);
        passes.start();
      });
    },
  };
}

/** A pod of the operator, for which the scheduler finds a node. */
function addPod(cluster: SimulatedCluster): StoredPod {
  const uid = cluster.store.makeUid();
  const pod = makePod(cluster, {
    namespace: 'maintenance',
    name: `maintenance-operator-${uid}`,
    uid,
    toleratesUnschedulable: true,
    labels: { [LABEL]: COMPONENT },
    controller: {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name: 'maintenance-operator',
      uid: 'maintenance-operator',
    },
    lifecycle: { kind: 'operator', graceMs: 1000 },
  });
  return cluster.store.pods.put(keyOf(pod), pod, 'controller');
}

function put(cluster: SimulatedCluster, one: StoredNodeMaintenance, to: Partial<StoredNodeMaintenance>): void {
  cluster.note(`  Maintenance Operator: ${one.name} ${to.phase ?? ''}`);
  cluster.store.nodeMaintenances.put(one.name, { ...one, ...to }, 'maintenance-operator');
}

function step(cluster: SimulatedCluster, one: StoredNodeMaintenance, maxParallel: number): void {
  const { store } = cluster;
  const node = store.nodes.get(one.node);
  if (node === undefined) return store.nodeMaintenances.remove(one.name, 'maintenance-operator');
  if (one.isDeleting) return giveBack(cluster, one);
  switch (one.phase) {
    case '':
      return put(cluster, one, { phase: 'Pending' });
    case 'Pending': {
      const out = [...store.nodeMaintenances.values()].filter(({ phase }) => OUT.has(phase)).length;
      if (maxParallel === 0 || out < maxParallel) put(cluster, one, { phase: 'Scheduled' });
      return;
    }
    case 'Scheduled':
      return put(cluster, one, { phase: 'Cordon', hasFinalizer: true });
    case 'Cordon': {
      const hasCordon = one.hasCordon || !node.unschedulable;
      if (!node.unschedulable) patchNode(cluster, one.node, { unschedulable: true }, 'maintenance-operator');
      return put(cluster, one, { phase: 'WaitForPodCompletion', hasCordon });
    }
    case 'WaitForPodCompletion':
      return waits(cluster, one) ? undefined : put(cluster, one, { phase: 'Draining' });
    case 'Draining':
      return drain(cluster, one);
  }
}

/** Other requestors keep a node that is drained. */
function giveBack(cluster: SimulatedCluster, one: StoredNodeMaintenance): void {
  if (one.isReady && one.additionalRequestors.length > 0) return;
  if (one.hasCordon) patchNode(cluster, one.node, { unschedulable: false }, 'maintenance-operator');
  cluster.note(`  Maintenance Operator: ${one.name} is gone`);
  cluster.store.nodeMaintenances.remove(one.name, 'maintenance-operator');
}

/** Pods that it waits for, until they end. The wait has no time-out here. */
function waits(cluster: SimulatedCluster, { spec, node }: StoredNodeMaintenance): boolean {
  const { waitForPodCompletion: wait } = spec;
  if (wait === undefined) return false;
  const selector = selectorOf(wait.podSelector);
  return [...cluster.store.podsOn(node)].some((pod) => !isFinished(pod) && matchesSelector(selector, pod.labels));
}

/** Evicts what is left, again and again: kubectl's drain without an end. */
function drain(cluster: SimulatedCluster, one: StoredNodeMaintenance): void {
  const { drainSpec } = one.spec;
  const left =
    drainSpec === undefined
      ? []
      : [...cluster.store.podsOn(one.node)].filter((pod) => isAsked(cluster, pod, drainSpec));
  const podsLeft = left.map(keyOf);
  if (left.length === 0) return put(cluster, one, { phase: 'Ready', isReady: true, podsLeft });
  if (podsLeft.join() !== one.podsLeft.join()) put(cluster, one, { podsLeft });
  for (const pod of left) evictPod(cluster, pod, 'maintenance-operator');
}

type DrainSpec = NonNullable<NodeMaintenanceSpec['drainSpec']>;

function isAsked(cluster: SimulatedCluster, pod: StoredPod, { podSelector, podEvictionFilters }: DrainSpec): boolean {
  const { controller, mirror, resourceNames, labels } = pod;
  const isOfDaemonSet =
    controller?.kind === 'DaemonSet' && cluster.foreignDaemonSets.get(`${pod.namespace}/${controller.name}`) !== false;
  if (mirror || isOfDaemonSet || labels[LABEL] === COMPONENT) return false;
  if ('error' in parseSelector(podSelector) || !matchesSelector(selectorOf(podSelector), labels)) return false;
  if (podEvictionFilters === undefined) return true;
  const patterns = podEvictionFilters.map(({ byResourceNameRegex }) => new RegExp(byResourceNameRegex));
  return resourceNames.some((name) => patterns.some((pattern) => pattern.test(name)));
}
