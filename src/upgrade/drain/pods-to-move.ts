import { matchesSelector, selectorOf } from '../../kubernetes/selection/label-selector.js';
import { isFinished } from '../model/pod.js';
import type { SnapshotPod } from '../model/types.js';
import { ownPods } from '../view/driver-pod.js';
import type { DriverView, NodeView } from '../view/driver-view.js';

/** Whether an upgrade of the node moves a pod of it to another node, if its policy allows to evict the pod. */
export function isPodToMove(
  view: NodeView,
  { policy, keys }: Pick<DriverView, 'policy' | 'keys'>,
): (pod: SnapshotPod) => boolean {
  const drain = view.policy?.drain;
  const selector = drain?.enable === true ? selectorOf(drain.podSelector) : undefined;
  const usesResource = resourceUser(policy.resourcePrefixes);
  const own = ownPods(view);
  return (pod) =>
    pod.controller !== undefined &&
    pod.controller.kind !== 'DaemonSet' &&
    !pod.mirror &&
    pod.labels[keys.skipDrain] !== 'true' &&
    !isFinished(pod) &&
    ((selector !== undefined && matchesSelector(selector, pod.labels)) || usesResource(pod)) &&
    !own.includes(pod);
}

/** Whether a pod uses a resource with one of these prefixes. */
export function resourceUser(prefixes: readonly string[]): (pod: SnapshotPod) => boolean {
  return ({ resourceNames }) => resourceNames.some((name) => prefixes.some((prefix) => name.startsWith(prefix)));
}
