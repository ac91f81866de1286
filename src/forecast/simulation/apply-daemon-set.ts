import { DS_OWNER_LABEL, OFED_DRIVER_LABEL } from '../../shared/contract/labels.js';
import { podGate } from '../../shared/contract/pod-gate.js';
import type { ApiDaemonSet } from '../../shared/kubernetes/shapes/workloads.js';
import { canonicalJson } from '../../shared/lib/json.js';
import type { SnapshotDaemonSet } from '../../companion/model/types.js';
import { reduceDaemonSet } from '../../companion/runtime/kube-port/reduce.js';
import { recordRevision } from './controllers/daemon-sets.js';
import { GPU_DRIVER_LABEL, type SimulatedCluster } from './simulated-cluster.js';
import { keyOf, type StoredDaemonSet } from './store.js';

/** `driver`: it has the label of one. `gated`: its pods wait for the driver. */
export function daemonSetRole({ metadata, spec }: ApiDaemonSet): StoredDaemonSet['role'] {
  const labels = metadata?.labels ?? {};
  if (Object.hasOwn(labels, OFED_DRIVER_LABEL) || Object.hasOwn(labels, GPU_DRIVER_LABEL)) return 'driver';
  return podGate(spec?.template?.spec) === 'none' ? 'foreign-ds' : 'gated';
}

/**
 * A DaemonSet as a GitOps controller applies it: nothing happens where it is the same. The pods of a driver stay, because its update
 * strategy is `OnDelete`; those of another one are made anew at once.
 */
export function applyDaemonSet(cluster: SimulatedCluster, object: ApiDaemonSet): void {
  const { namespace = '', name = '' } = object.metadata ?? {};
  const before = cluster.store.daemonSets.get(`${namespace}/${name}`);
  const generation = (before?.generation ?? 0) + 1;
  const reduced = reduceDaemonSet(object);
  const role = daemonSetRole(object);
  const template = canonicalJson(object.spec?.template ?? null);
  if (before !== undefined && (role === 'driver' ? isSameDriver(before, reduced) : before.hash.startsWith(template)))
    return;
  const set: StoredDaemonSet = {
    ...reduced,
    uid: before?.uid ?? cluster.store.makeUid(),
    resourceVersion: '',
    generation,
    createdMs: before?.createdMs ?? cluster.events.now(),
    observedGeneration: before?.observedGeneration ?? generation,
    hash: `${role === 'driver' ? reduced.digest : template}-${generation}`,
    role,
    labelPrefix: Object.hasOwn(reduced.labels, GPU_DRIVER_LABEL) ? 'gpu' : 'ofed',
    ...(role === 'driver' ? {} : { podLabels: object.spec?.template?.metadata?.labels ?? {} }),
  };
  const after = cluster.store.daemonSets.put(keyOf(set), set, 'setup');
  if (before === undefined) recordRevision(cluster, after);
  // A rolling update, all at once.
  else if (role !== 'driver')
    for (const pod of cluster.store.podsOf(before.uid)) cluster.store.pods.remove(keyOf(pod), 'controller');
}

function isSameDriver(a: SnapshotDaemonSet, b: SnapshotDaemonSet): boolean {
  const part = ({ digest, nodeSelector, nodeAffinity, tolerations, labels }: SnapshotDaemonSet) =>
    canonicalJson([digest, nodeSelector, nodeAffinity ?? null, tolerations, labels[DS_OWNER_LABEL] ?? ''] as never);
  return part(a) === part(b);
}
