import { driverKeys } from '../../../src/shared/contract/labels.js';
import { deletePod, evictPod, patchNode, type NodePatch } from '../../../src/forecast/simulation/api.js';
import { makePod } from '../../../src/forecast/simulation/controllers/pods.js';
import { keyOf, type StoredNode, type StoredPod } from '../../../src/forecast/simulation/store.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { NAMESPACE } from '../scenario/git.js';
import { CONTROLLER_LABELS } from '../scenario/scenario.js';

const keys = driverKeys('ofed');
const BETWEEN = new Set([
  'cordon-required',
  'wait-for-jobs-required',
  'drain-required',
  'pod-deletion-required',
  'pod-restart-required',
  'validation-required',
  'uncordon-required',
]);

/**
 * A plain model of the network operator's upgrade flow (k8s-operator-libs `pkg/upgrade`) on the same labels: one node at a
 * time, after a delay for leader election. It runs until `untilMs`, and has a pod while it runs.
 */
export function runForeignFlow(cluster: SimulatedCluster, untilMs: number): void {
  const uid = cluster.store.makeUid();
  const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'network-operator', uid: 'operator' };
  const pod = makePod(cluster, {
    namespace: NAMESPACE,
    name: `network-operator-${uid}`,
    uid,
    labels: CONTROLLER_LABELS,
    toleratesUnschedulable: true,
    controller,
    lifecycle: { kind: 'operator', graceMs: 1000 },
  });
  cluster.store.pods.put(keyOf(pod), pod, 'controller');
  const pass = (): void => {
    if (cluster.events.now() >= untilMs || cluster.store.pods.get(keyOf(pod))?.uid !== uid) {
      deletePod(cluster, pod, 'controller');
      return;
    }
    const present = cluster.store.pods.get(keyOf(pod));
    if (present?.ready === true) for (const node of [...cluster.store.nodes.values()]) step(cluster, node);
    cluster.events.after(5000, pass);
  };
  // The model waits longer than the longest stall of a watch, so that both flows never act at the same time.
  cluster.events.after(100_000, pass);
}

function driverPod(cluster: SimulatedCluster, node: StoredNode): StoredPod | undefined {
  for (const pod of cluster.store.pods.values()) {
    if (pod.nodeName === node.name && 'nvidia.com/ofed-driver' in pod.labels) return pod;
  }
  return undefined;
}

function inSync(cluster: SimulatedCluster, pod: StoredPod): boolean {
  const set = [...cluster.store.daemonSets.values()].find(({ uid }) => uid === pod.controller?.uid);
  return set !== undefined && pod.labels['controller-revision-hash'] === set.hash;
}

function step(cluster: SimulatedCluster, node: StoredNode): void {
  const pod = driverPod(cluster, node);
  if (pod === undefined) return;
  const state = node.labels[keys.state] ?? '';
  const to = (next: string, patch: NodePatch = {}): void => {
    cluster.note(`  operator: ${node.name} ${state} -> ${next}`);
    patchNode(cluster, node.name, { ...patch, labels: { [keys.state]: next } }, 'foreign-flow');
  };
  const initial = keys.initialState in node.annotations;
  switch (state) {
    case '':
    case 'upgrade-done':
      if (inSync(cluster, pod)) return state === '' ? to('upgrade-done') : undefined;
      return to('upgrade-required', node.unschedulable ? { annotations: { [keys.initialState]: 'true' } } : {});
    case 'upgrade-required': {
      const busy = [...cluster.store.nodes.values()].some((other) => BETWEEN.has(other.labels[keys.state] ?? ''));
      return busy || node.labels[keys.skip] === 'true' ? undefined : to('cordon-required');
    }
    case 'cordon-required':
      return to('wait-for-jobs-required', { unschedulable: true });
    case 'wait-for-jobs-required':
    case 'pod-deletion-required':
      return to('drain-required');
    case 'drain-required':
      return drain(cluster, node) ? to('pod-restart-required') : undefined;
    case 'pod-restart-required':
      if (!inSync(cluster, pod)) return void deletePod(cluster, pod, 'foreign-flow');
      return pod.ready ? to(initial ? 'upgrade-done' : 'uncordon-required', dropInitial(initial)) : undefined;
    case 'validation-required':
      return to(initial ? 'upgrade-done' : 'uncordon-required', dropInitial(initial));
    case 'uncordon-required':
      return to('upgrade-done', { unschedulable: false });
    default:
      return undefined;
  }
}

const dropInitial = (initial: boolean): NodePatch => (initial ? { annotations: { [keys.initialState]: null } } : {});

function drain(cluster: SimulatedCluster, node: StoredNode): boolean {
  let left = false;
  for (const pod of [...cluster.store.pods.values()]) {
    if (pod.nodeName !== node.name || pod.mirror || pod.controller?.kind === 'DaemonSet') continue;
    if (pod.lifecycle.kind === 'driver' || pod.lifecycle.kind === 'operator' || keys.skipDrain in pod.labels) continue;
    left = true;
    evictPod(cluster, pod, 'foreign-flow');
  }
  return !left;
}
