import { groupBy } from '../../../shared/lib/group-by.js';
import type { Workload } from '../../simulation/simulated-cluster.js';
import { isFinished } from '../../../companion/model/pod.js';
import type { SnapshotObjects } from '../snapshot/objects.js';
import type { ReadPod } from './pods.js';

/** The controllers of pods, with the number of pods that they want. One that is not in the snapshot wants as many as there are. */
export function readWorkloads(objects: SnapshotObjects, pods: readonly ReadPod[]): readonly Workload[] {
  const desired = new Map(
    [...objects.ReplicaSet, ...objects.StatefulSet].map(({ metadata, spec }) => [
      metadata?.uid ?? '',
      spec?.replicas ?? 1,
    ]),
  );
  const owned = pods.filter(({ pod }) => pod.controller !== undefined && pod.controller.kind !== 'DaemonSet');
  const byOwner = groupBy(owned, ({ pod }) => pod.controller?.uid ?? '');
  return [...byOwner].flatMap(([uid, own]) => workloadOf(uid, own, desired.get(uid)) ?? []);
}

const KINDS = ['ReplicaSet', 'StatefulSet', 'Job'] as const;

function workloadOf(uid: string, own: readonly ReadPod[], replicas: number | undefined): Workload | undefined {
  const alive = own.filter(({ pod }) => !isFinished(pod as ReadPod['pod'] & { lifecycle: never }));
  const first = alive[0] ?? own[0];
  const controller = first?.pod.controller;
  if (first === undefined || controller === undefined) return undefined;
  const { pod, graceMs } = first;
  const kind = KINDS.find((one) => one === controller.kind) ?? 'CustomThing';
  return {
    namespace: pod.namespace,
    name: controller.name,
    kind,
    uid,
    apiVersion: controller.apiVersion,
    // What kept it from making more pods, such as a quota, still does.
    replicas: Math.min(replicas ?? alive.filter((one) => one.pod.deletionMs === undefined).length, own.length),
    labels: pod.labels,
    resourceNames: pod.resourceNames,
    emptyDir: pod.emptyDir,
    graceMs,
    toleratesUnschedulable: pod.toleratesUnschedulable,
    runsMs: Infinity,
    finalizer: 'none',
    hasOwnLabels: true,
    ...(pod.scheduling && { scheduling: pod.scheduling }),
    ...(kind === 'CustomThing' && haveOwnPlaces(own) && { keepsNames: true }),
    schedulingOf: new Map(own.flatMap((one) => (one.pod.scheduling ? [[one.pod.name, one.pod.scheduling]] : []))),
  };
}

/** Each pod goes to a node of its own, by a volume or an affinity: what replaces one takes its place. */
function haveOwnPlaces(pods: readonly ReadPod[]): boolean {
  const places = pods.map(({ pod: { scheduling } }) => JSON.stringify([scheduling?.constraints, scheduling?.volumes]));
  return new Set(places).size > 1;
}
