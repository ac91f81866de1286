import type { SnapshotPod, WaitReason } from '../../model/types.js';
import type { DriverPod, DriverNode } from './driver-node.js';

/** Driver pods that must be gone before the new one counts: outdated, retired or terminating pods. */
export function oldDriverPods(view: DriverNode): readonly DriverPod[] {
  return view.driverPods.filter(
    ({ pod, status }) => status === 'outdated' || status === 'retired' || pod.deletionMs !== undefined,
  );
}

/** The driver pod that is in sync and not terminating. That of an operator is in sync on a node that is done by its label. */
export function currentDriverPod({ driverPods, operatorState }: DriverNode): SnapshotPod | undefined {
  const inSync = operatorState === 'upgrade-done' ? 'operators' : 'current';
  return driverPods.find(({ pod, status }) => status === inSync && pod.deletionMs === undefined)?.pod;
}

/** The most restarts of a container of the pod. */
export function restartsOf({ initContainers, containers }: SnapshotPod): number {
  return Math.max(0, ...[...initContainers, ...containers].map(({ restarts }) => restarts));
}

/** The wait of a node with a driver pod of a DaemonSet that no policy listed yet; undefined if it has none. */
export function unlistedWait({ driverPods }: DriverNode): WaitReason | undefined {
  const pod = driverPods.find(({ status }) => status === 'unlisted')?.pod;
  return pod === undefined ? undefined : { kind: 'policy', message: unlistedText(pod.controller?.name ?? '') };
}

/** Why a DaemonSet that the policy does not list is kept, and what the user can do. */
export function unlistedText(name: string): string {
  return `DaemonSet ${name} is newer than the policy, which does not list it: apply the policy that does, or delete it`;
}
