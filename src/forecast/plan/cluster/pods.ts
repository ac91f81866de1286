import { drawn, type Durations, type Range, type SimulatedCluster } from '../../simulation/simulated-cluster.js';
import { schedulingOf } from '../../simulation/rules/read-scheduling.js';
import { keyOf, type PodLifecycle, type StoredPod } from '../../simulation/store.js';
import { reducePod } from '../../../companion/runtime/kube-port/reduce.js';
import type { SnapshotPod } from '../../../companion/model/types.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { SnapshotObjects } from '../snapshot/objects.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { driverMatcher, gatedMatcher, gpuPodMatcher, withGpuLabel } from './roles.js';
import type { ReadDevices } from './devices.js';
import { migratedMatcher } from './virtual-machines.js';
import { volumesIn } from './volumes.js';

/** A pod of the snapshot before a run gives it times. */
export interface ReadPod {
  readonly pod: Omit<StoredPod, 'lifecycle'>;
  readonly kind: PodLifecycle['kind'];
  readonly graceMs: number;
  /** It is a virtual machine that an eviction migrates. */
  readonly isMigrated: boolean;
}

/** Reads the pods once for all runs. */
export function readPods(objects: SnapshotObjects, policy: UpgradePolicy, devices: ReadDevices): readonly ReadPod[] {
  const isDriver = driverMatcher(policy);
  const isGated = gatedMatcher(policy);
  const isGpu = gpuPodMatcher(policy);
  const volumesOf = volumesIn(objects);
  const isMigrated = migratedMatcher(objects);
  const read = objects.Pod.map((object): ReadPod => {
    const reduced = reducePod(object);
    const pod = isGpu(object) ? withGpuLabel(reduced) : reduced;
    const { spec = {} } = object;
    const scheduling = schedulingOf(spec, pod.labels, volumesOf(object));
    const requests = { ...scheduling.requests, ...devices.requestsOf(object) };
    const kind = isDriver(object) ? 'driver' : isGated(object) ? 'gated' : kindOf(pod);
    return {
      kind,
      isMigrated: isMigrated(object),
      graceMs: (spec.terminationGracePeriodSeconds ?? GRACE_SECONDS) * 1000,
      pod: {
        ...pod,
        resourceVersion: '',
        unschedulable: pod.nodeName === '',
        scheduling: { ...scheduling, requests, ...(devices.hasGpuClaim(object) && { hasGpuClaim: true }) },
      },
    };
  });
  return withoutManyTerms(read);
}

/**
 * More pods of a namespace than this do not keep others off: each pod that is bound is compared with all of them, and a tenant may have 20,000 with terms for
 * every namespace.
 */
export const REPELLING_MAX = 1000;

function withoutManyTerms(pods: readonly ReadPod[]): readonly ReadPod[] {
  const isRepelling = ({ pod }: ReadPod): boolean => (pod.scheduling?.antiAffinity.length ?? 0) > 0;
  const byNamespace = groupBy(pods.filter(isRepelling), ({ pod }) => pod.namespace);
  const isMany = ({ pod }: ReadPod): boolean => (byNamespace.get(pod.namespace)?.length ?? 0) > REPELLING_MAX;
  return pods.map((one) => {
    const { scheduling } = one.pod;
    if (scheduling === undefined || !isRepelling(one) || !isMany(one)) return one;
    return { ...one, pod: { ...one.pod, scheduling: { ...scheduling, antiAffinity: [], hasManyPeers: true } } };
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
  for (const { pod, kind, graceMs, isMigrated } of pods) {
    const isStarting = pod.phase === 'Pending' && pod.nodeName !== '';
    const lifecycle: PodLifecycle = {
      kind,
      graceMs,
      startMs: isStarting ? now + durations.kubeletMs : Infinity,
      readyMs: Infinity,
      finishMs: kind === 'job' && pod.phase === 'Running' ? now + drawn(cluster, job, [0, 0]) : Infinity,
      goneMs: pod.deletionMs === undefined ? Infinity : Math.max(now, pod.deletionMs),
      ...(pod.controller !== undefined && { owner: pod.controller.name }),
      ...(isMigrated && { isMigrated }),
    };
    cluster.store.pods.put(keyOf(pod), { ...pod, lifecycle }, 'setup');
  }
}
