import { CACHE_LAG_MS, type DriverFacts } from './driver-view.js';
import type { NodePlan } from '../../core/maintenance/plan.js';
import { nameOf } from '../../model/pod.js';
import type { ContainerState, SnapshotDaemonSet, SnapshotPod, WaitReason } from '../../model/types.js';
import { currentDriverPod, unlistedWait } from './driver-pod.js';
import type { DriverNode } from './driver-node.js';

/** Upstream's limit, `isDriverPodFailing` in `pkg/upgrade/common_manager.go`. */
const MOST_RESTARTS = 10;
/** Errors of an image or a configuration count as permanent after this time, because a registry may be unreachable for a moment. */
const ERROR_LASTS_MS = 300_000;
/** Waiting reasons of the kubelet for such errors: `pkg/kubelet/images/types.go` and `pkg/kubelet/container/sync_result.go`. */
const LASTING_REASONS: ReadonlySet<string> = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'SignatureValidationFailed',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

/** Why the driver pod of the node fails; undefined while it may still become ready. Restarts before this maintenance do not count. */
export function driverFailure(driver: DriverFacts, view: DriverNode, plan: NodePlan): string | undefined {
  const pod = currentDriverPod(view);
  if (pod === undefined) return undefined;
  const { nowMs } = plan.shared;
  const [uid, before] = (plan.record.restartsBefore?.[driver.policy.labelPrefix] ?? '').split(' ');
  const restartsBefore = uid === pod.uid ? Number(before) || 0 : 0;
  const containers = [...pod.initContainers, ...pod.containers];
  const restarting = containers.find(({ ready, restarts }) => !ready && restarts - restartsBefore > MOST_RESTARTS);
  if (restarting !== undefined) {
    return `container ${restarting.name} of driver pod ${nameOf(pod)} was restarted ${restarting.restarts - restartsBefore} times`;
  }
  const since = Math.max(pod.createdMs, pod.ready ? nowMs : (pod.readyChangedMs ?? 0));
  if (nowMs - since < ERROR_LASTS_MS) return undefined;
  const stuck = containers.find(({ waitingReason }) => LASTING_REASONS.has(waitingReason ?? ''));
  return stuck === undefined
    ? undefined
    : `container ${stuck.name} of driver pod ${nameOf(pod)} cannot start: ${stuck.waitingReason ?? ''}`;
}

/** When an error of the pod counts as permanent; undefined if it has none. */
function driverPodFailsMs(pod: SnapshotPod): number | undefined {
  const stuck = [...pod.initContainers, ...pod.containers].some(({ waitingReason }) =>
    LASTING_REASONS.has(waitingReason ?? ''),
  );
  return stuck ? Math.max(pod.createdMs, pod.readyChangedMs ?? 0) + ERROR_LASTS_MS : undefined;
}

/** How long a DaemonSet may take to create its pod before the wait says where to look: it says why only in an Event. */
const CREATES_WITHIN_MS = 60_000;

function creationWait({ namespace, name }: SnapshotDaemonSet, plan: NodePlan, driver: DriverFacts): WaitReason {
  const { nowMs } = plan.shared;
  const startSeconds = plan.record.restarts?.[driver.policy.labelPrefix];
  const message = `there is no driver pod yet, DaemonSet ${name} creates it`;
  const wakeMs = (startSeconds ?? nowMs / 1000) * 1000 + CREATES_WITHIN_MS;
  if (nowMs < wakeMs) return { kind: 'driver-pod', message, wakeMs };
  return {
    kind: 'driver-pod',
    message: `${message}: \`kubectl describe daemonset ${name} -n ${namespace}\` says why not`,
  };
}

/** What the node waits for until its driver pod is in sync and ready. */
export function driverPodWait(driver: DriverFacts, view: DriverNode, plan: NodePlan): WaitReason {
  const { nowMs } = plan.shared;
  const unlisted = unlistedWait(view);
  if (unlisted !== undefined && currentDriverPod(view) === undefined) return unlisted;
  const pod = currentDriverPod(view) ?? view.driverPods[0]?.pod;
  if (pod === undefined) {
    const name = view.daemonSet?.name;
    const [anyMissing] = driver.notApplied.values();
    const missing = name === undefined ? anyMissing : driver.notApplied.get(name);
    if (missing !== undefined) return { kind: 'daemon-set', message: missing };
    if (view.daemonSet === undefined) return { kind: 'driver-pod', message: 'there is no driver pod yet' };
    return creationWait(view.daemonSet, plan, driver);
  }
  if (view.driverPods.some((one) => one.pod === pod && one.status === 'unknown')) {
    const message = `the revision of driver pod ${nameOf(pod)} is not known yet`;
    return { kind: 'driver-pod', message, sinceMs: pod.createdMs, wakeMs: pod.createdMs + CACHE_LAG_MS };
  }
  const wakeMs = driverPodFailsMs(pod);
  return {
    kind: 'driver-pod',
    message: notReadyText(pod),
    sinceMs: pod.createdMs,
    ...(wakeMs === undefined || wakeMs <= nowMs ? {} : { wakeMs }),
  };
}

/** That a driver pod is not ready, and what its kubelet says. */
export function notReadyText(pod: SnapshotPod): string {
  return `driver pod ${nameOf(pod)} is not ready: ${phaseOf(pod)}`;
}

function phaseOf(pod: SnapshotPod): string {
  const waiting = [...pod.initContainers, ...pod.containers].find(
    (one: ContainerState) => one.waitingReason !== undefined,
  );
  if (waiting !== undefined) return `container ${waiting.name} waits (${waiting.waitingReason ?? ''})`;
  return pod.phase;
}
