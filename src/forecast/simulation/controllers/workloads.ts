import { isFinished } from '../../../companion/model/pod.js';
import { keyOf, type StoredPod } from '../store.js';
import type { SimulatedCluster, Workload } from '../simulated-cluster.js';
import { makePod } from './pods.js';
import { workQueue } from './work-queue.js';

/** The controllers of ReplicaSets, StatefulSets, Jobs and custom resources: they replace pods that are gone. */
export function startWorkloadControllers(cluster: SimulatedCluster): void {
  const add = workQueue(cluster, (uids) => {
    for (const uid of uids) makePods(cluster, uid);
  });
  cluster.store.pods.listen((_key, before, after) => {
    const uid = (after ?? before)?.controller?.uid;
    if (uid !== undefined && cluster.workloadOf(uid) !== undefined) add(uid);
  });
  for (const { uid } of cluster.workloads) add(uid);
}

function makePods(cluster: SimulatedCluster, uid: string): void {
  const workload = cluster.workloadOf(uid);
  if (workload === undefined) return;
  const own = [...cluster.store.podsOf(uid)];
  // A controller deletes failed pods and replaces terminated ones; a Job keeps succeeded pods.
  let alive = 0;
  for (const pod of own) if (pod.deletionMs === undefined && !isFinished(pod)) alive += 1;
  if (alive >= workload.replicas) return;
  const taken = new Set(own.map(({ name }) => name));
  const names = namesOf(workload);
  // One that gives names again makes no pod under a name that is still there.
  const count = names?.length ?? workload.replicas;
  for (let index = 0; alive < workload.replicas && index < count; index += 1) {
    const podUid = cluster.store.makeUid();
    const name = names === undefined ? `${workload.name}-${podUid}` : names[index];
    if (name === undefined || taken.has(name)) continue;
    alive += 1;
    const pod = workloadPod(cluster, workload, name, podUid);
    cluster.store.pods.put(keyOf(pod), pod, 'controller');
  }
}

/** The names of its pods where these are given again; undefined: each pod has a new name. */
function namesOf({ kind, name, replicas, keepsNames, schedulingOf }: Workload): readonly string[] | undefined {
  if (kind === 'StatefulSet') return Array.from({ length: replicas }, (_, index) => `${name}-${index}`);
  return keepsNames === true ? [...(schedulingOf?.keys() ?? [])] : undefined;
}

const API_VERSIONS = { ReplicaSet: 'apps/v1', StatefulSet: 'apps/v1', Job: 'batch/v1', CustomThing: 'example.com/v1' };

function workloadPod(cluster: SimulatedCluster, workload: Workload, name: string, uid: string): StoredPod {
  const { namespace, labels, resourceNames, emptyDir, toleratesUnschedulable, graceMs, kind } = workload;
  const scheduling = workload.schedulingOf?.get(name) ?? workload.scheduling;
  return makePod(cluster, {
    namespace,
    name,
    uid,
    labels: workload.hasOwnLabels === true ? labels : { ...labels, app: workload.name },
    resourceNames,
    emptyDir,
    toleratesUnschedulable,
    finalizers: workload.finalizer === 'none' ? [] : [`example.com/${workload.finalizer}`],
    controller: { apiVersion: workload.apiVersion ?? API_VERSIONS[kind], kind, name: workload.name, uid: workload.uid },
    lifecycle: { kind: kind === 'Job' ? 'job' : 'workload', graceMs, owner: workload.name, finishMs: workload.runsMs },
    ...(scheduling && { scheduling }),
  });
}
