import type { StoredPod, PodLifecycle } from '../store.js';
import type { SimulatedCluster } from '../simulated-cluster.js';

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

/** Deletes a pod, as a controller does: it ends a second later. */
export function removeLater(cluster: SimulatedCluster, key: string, pod: StoredPod): void {
  const goneMs = cluster.events.now() + 1000;
  cluster.store.pods.put(key, { ...pod, deletionMs: goneMs, lifecycle: { ...pod.lifecycle, goneMs } }, 'controller');
}
