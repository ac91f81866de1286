import { drawn, type Durations, type Range, type SimulatedCluster } from '../../simulation/simulated-cluster.js';
import { schedulingOf } from '../../simulation/rules/read-scheduling.js';
import { keyOf, type PodLifecycle, type StoredPod } from '../../simulation/store.js';
import { reducePod } from '../../../companion/runtime/kube-port/reduce.js';
import type { SnapshotPod } from '../../../companion/core/model/types.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { SnapshotObjects } from '../snapshot/objects.js';
import { driverMatcher, gatedMatcher } from './roles.js';
import { volumesIn } from './volumes.js';

/** A pod of the snapshot before a run gives it times. */
export interface ReadPod {
  readonly pod: Omit<StoredPod, 'lifecycle'>;
  readonly kind: PodLifecycle['kind'];
  readonly graceMs: number;
}

/** Reads the pods once for all runs. */
export function readPods(objects: SnapshotObjects, policy: UpgradePolicy): readonly ReadPod[] {
  const isDriver = driverMatcher(policy);
  const isGated = gatedMatcher(policy);
  const volumesOf = volumesIn(objects);
  return objects.Pod.map((object) => {
    const pod = reducePod(object);
    const { spec = {} } = object;
    const kind = isDriver(object) ? 'driver' : isGated(object) ? 'gated' : kindOf(pod);
    return {
      kind,
      graceMs: (spec.terminationGracePeriodSeconds ?? GRACE_SECONDS) * 1000,
      pod: {
        ...pod,
        resourceVersion: '',
        unschedulable: pod.nodeName === '',
        scheduling: schedulingOf(spec, pod.labels, volumesOf(object)),
      },
    };
  });
}

/** The default of the API. */
const GRACE_SECONDS = 30;

function kindOf({ controller, mirror }: SnapshotPod): PodLifecycle['kind'] {
  if (mirror) return 'mirror';
  switch (controller?.kind) {
    case undefined:
      return 'bare';
    case 'DaemonSet':
      return 'foreign-ds';
    case 'Job':
      return 'job';
    default:
      return 'workload';
  }
}

/** Adds the pods of a run: jobs end after a time that is drawn, and pods that start or end go on. */
export function addPods(cluster: SimulatedCluster, pods: readonly ReadPod[], durations: Durations, job: Range): void {
  const now = cluster.events.now();
  for (const { pod, kind, graceMs } of pods) {
    const isStarting = pod.phase === 'Pending' && pod.nodeName !== '';
    const lifecycle: PodLifecycle = {
      kind,
      graceMs,
      startMs: isStarting ? now + durations.kubeletMs : Infinity,
      readyMs: Infinity,
      finishMs: kind === 'job' && pod.phase === 'Running' ? now + drawn(cluster, job, [0, 0]) : Infinity,
      goneMs: pod.deletionMs === undefined ? Infinity : Math.max(now, pod.deletionMs),
      ...(pod.controller !== undefined && { owner: pod.controller.name }),
    };
    cluster.store.pods.put(keyOf(pod), { ...pod, lifecycle }, 'setup');
  }
}
