import { drawn, type SimulatedCluster, type VirtualMachines } from '../simulated-cluster.js';
import { keyOf, type StoredPod } from '../store.js';
import { makePod } from './pods.js';

/**
 * KubeVirt, as far as drains see it: kubevirt v1.3, `pkg/virt-api/webhooks/validating-webhook/admitters/pod-eviction-admitter.go` and
 * `pkg/virt-controller/watch/drain/evacuation`. An eviction is refused and begins a migration: a pod of the same virtual machine starts on another
 * node, and when it is ready the machine moves and the first pod ends.
 */
export function startVirtualMachines(cluster: SimulatedCluster): VirtualMachines {
  const { store, events } = cluster;
  /** UIDs of the pods that migrate, by those of the pods that they move to. */
  const sources = new Map<string, string>();
  const end = (target: string): void => {
    for (const pod of [...store.podsByUid(sources.get(target) ?? '')])
      store.pods.put(keyOf(pod), { ...pod, phase: 'Succeeded', ready: false }, 'kubelet');
    sources.delete(target);
  };
  store.pods.listen((_key, before, after) => {
    const uid = (after ?? before)?.uid ?? '';
    if (!sources.has(uid)) return;
    if (after === undefined) sources.delete(uid);
    else if (after.ready && before?.ready !== true)
      events.after(drawn(cluster, cluster.conditions.durations?.workload, [1000, 20_000]), () => end(uid));
  });
  return {
    evict: (pod) => {
      if (pod.phase === 'Running' && pod.deletionMs === undefined && ![...sources.values()].includes(pod.uid)) {
        const target = targetOf(cluster, pod);
        sources.set(target.uid, pod.uid);
        store.pods.put(keyOf(target), target, 'controller');
      }
      const machine = `${pod.namespace}/${pod.controller?.name ?? pod.name}`;
      return { status: 429, message: `the eviction of virtual machine ${machine} has begun its migration` };
    },
  };
}

function targetOf(cluster: SimulatedCluster, pod: StoredPod): StoredPod {
  const uid = cluster.store.makeUid();
  const { graceMs, owner = '' } = pod.lifecycle;
  return makePod(cluster, {
    ...pod,
    name: `${pod.name}-${uid}`,
    uid,
    nodeName: '',
    phase: 'Pending',
    createdMs: cluster.events.now(),
    ready: false,
    unschedulable: false,
    containers: [],
    initContainers: [],
    resourceVersion: '',
    lifecycle: { kind: 'workload', graceMs, owner, isMigrated: true },
  });
}
