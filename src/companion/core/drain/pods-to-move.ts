import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { isFinished } from '../../model/pod.js';
import type { SnapshotPod } from '../../model/types.js';
import { ownPods } from '../view/driver-pod.js';
import type { DriverView } from '../view/driver-view.js';
import type { NodeView } from '../view/node-view.js';

/** Whether an upgrade of the node moves a pod of it to another node, if its policy allows to evict the pod. */
export function isPodToMove(
  view: NodeView,
  driver: Pick<DriverView, 'skipLabels' | 'isDriverPod' | 'podsWithClaims'>,
): (pod: SnapshotPod) => boolean {
  const drain = view.policy?.drain;
  const selector = drain?.enable === true ? selectorOf(drain.podSelector) : undefined;
  const { skipLabels, isDriverPod } = driver;
  const usesResource = resourceUser(view.policy?.resourcePrefixes ?? [], driver);
  const own = ownPods(view);
  return (pod) =>
    pod.controller !== undefined &&
    pod.controller.kind !== 'DaemonSet' &&
    !pod.mirror &&
    skipLabels.every((label) => pod.labels[label] !== 'true') &&
    !isFinished(pod) &&
    ((selector !== undefined && matchesSelector(selector, pod.labels)) || usesResource(pod)) &&
    !own.includes(pod) &&
    !isDriverPod(pod);
}

/** Whether a pod holds the driver: it asks for a resource of the driver, or has a device of it by a ResourceClaim. */
export function resourceUser(
  resourcePrefixes: readonly string[],
  { podsWithClaims }: Pick<DriverView, 'podsWithClaims'>,
): (pod: SnapshotPod) => boolean {
  return ({ resourceNames, uid }) =>
    resourceNames.some((name) => resourcePrefixes.some((prefix) => name.startsWith(prefix))) || podsWithClaims.has(uid);
}
