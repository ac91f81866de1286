import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import type { NodeUpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { isFinished } from '../../model/pod.js';
import type { SnapshotPod } from '../../model/types.js';
import type { Participant, NodePlan, PlannedPart } from './plan.js';

/** Whether a pod holds a participant: it asks for a resource of it, has a device of it in another way, or its policy selects the pod. */
export function resourceUser(
  { resourcePrefixes, podDeletion: { podSelector = '' } }: Pick<NodeUpgradePolicy, 'resourcePrefixes' | 'podDeletion'>,
  { holdsIt }: Pick<Participant, 'holdsIt'>,
): (pod: SnapshotPod) => boolean {
  const selector = podSelector === '' ? undefined : selectorOf(podSelector);
  return (pod) =>
    pod.resourceNames.some((name) => resourcePrefixes.some((prefix) => name.startsWith(prefix))) ||
    holdsIt(pod) ||
    (selector !== undefined && matchesSelector(selector, pod.labels));
}

/** Whether the maintenance of a node for these participants moves a pod to another node, if their policies allow to evict it. */
function isPodToMove({ shared }: NodePlan, parts: readonly PlannedPart[]): (pod: SnapshotPod) => boolean {
  const leaves = parts.flatMap(({ part, answers }) => {
    if (part.policy === undefined || answers.leavesPods) return [];
    const { drain } = part.policy;
    const selector = drain.enable ? selectorOf(drain.podSelector) : undefined;
    const usesResource = resourceUser(part.policy, part.participant);
    return (pod: SnapshotPod) => (selector !== undefined && matchesSelector(selector, pod.labels)) || usesResource(pod);
  });
  return (pod) =>
    pod.controller !== undefined &&
    pod.controller.kind !== 'DaemonSet' &&
    !pod.mirror &&
    shared.skipLabels.every((label) => pod.labels[label] !== 'true') &&
    !isFinished(pod) &&
    leaves.some((leavesIt) => leavesIt(pod)) &&
    !shared.isOwnPod(pod);
}

/** The participants for which pods leave the node: those of its maintenance, or those that it would begin for. */
function movingParts({ parts }: NodePlan): readonly PlannedPart[] {
  const members = parts.filter(({ isMember }) => isMember);
  return members.length > 0 ? members : parts.filter(({ state }) => state === 'upgrade-required');
}

export function hasPodsToMove(plan: NodePlan): boolean {
  return plan.pods.some(isPodToMove(plan, movingParts(plan)));
}

/** The pods that the node has still to evict; without those whose eviction fails for another reason than a PodDisruptionBudget. */
export function podsToEvict(plan: NodePlan): readonly SnapshotPod[] {
  const records = plan.shared.snapshot.evictions.byNode.get(plan.node.name);
  const isToMove = isPodToMove(plan, movingParts(plan));
  return plan.pods.filter(
    (pod) =>
      pod.deletionMs === undefined &&
      pod.phase === 'Running' &&
      isToMove(pod) &&
      (records?.get(pod.uid)?.outcome ?? 'refused') === 'refused',
  );
}
