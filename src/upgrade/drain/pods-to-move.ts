import { isFinished } from './filters.js';
import type { SnapshotPod } from '../model/types.js';
import type { DriverView, NodeView } from '../view/driver-view.js';

/** Whether a drain of the node would move pods to other nodes: a cheap check, without the drain's filters. */
export function nodeHasPodsToMove(view: NodeView, { policy, keys }: Pick<DriverView, 'policy' | 'keys'>): boolean {
  if (view.policy?.drain.enable !== true && policy.resourcePrefixes.length === 0) return false;
  const { gatedPods, pods } = view;
  const { plain, special } = pods;
  // There are more pods than gated pods. Driver pods have a DaemonSet as controller, or none.
  if (plain.length > gatedPods.length) return true;
  const isOurs = (pod: SnapshotPod): boolean => gatedPods.includes(pod);
  const isMoved = (pod: SnapshotPod): boolean =>
    !isOurs(pod) &&
    pod.controller !== undefined &&
    pod.controller.kind !== 'DaemonSet' &&
    !pod.mirror &&
    pod.labels[keys.skipDrain] !== 'true' &&
    !isFinished(pod);
  return plain.some((pod) => !isOurs(pod)) || special.some(isMoved);
}
