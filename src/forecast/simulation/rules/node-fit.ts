import { fromStructured, matchesSelector } from '../../../shared/kubernetes/selection/label-selector.js';
import {
  nodePlacement,
  type NodeConstraints,
  type NodeSelectorTerm,
} from '../../../shared/kubernetes/selection/node-placement.js';
import { taintText, toleratesAll, type Taint } from '../../../shared/kubernetes/selection/taints.js';

/** A node as the scheduler sees it. */
export interface SchedulableNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
}

const CORDON: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/**
 * Why the node itself takes no pod with these constraints; undefined if it does. The plug-ins `NodeUnschedulable`, `TaintToleration` and
 * `NodeAffinity` of Kubernetes' scheduler, v1.34: a taint with the effect `PreferNoSchedule` keeps no pod away.
 */
export function nodeMisfit(constraints: NodeConstraints, node: SchedulableNode): string | undefined {
  const { tolerations } = constraints;
  if (node.unschedulable && !toleratesAll(tolerations, [CORDON])) return 'cordoned';
  const taint = node.taints.find(
    (one) => one.key !== CORDON.key && one.effect !== 'PreferNoSchedule' && !toleratesAll(tolerations, [one]),
  );
  if (taint !== undefined) return `with the taint ${taintText(taint)}`;
  return isSelected(constraints, node) ? undefined : 'that its node selector or affinity does not allow';
}

/** Whether the node selector and the required node affinity allow the node. */
export function isSelected(
  { nodeSelector, nodeAffinity }: NodeConstraints,
  { name, labels }: SchedulableNode,
): boolean {
  // Most pods have neither, and each is tried on many nodes.
  if (nodeAffinity === undefined && Object.keys(nodeSelector).length === 0) return true;
  const placement = nodePlacement({ nodeSelector, tolerations: [], ...(nodeAffinity && { nodeAffinity }) });
  return placement.accepts({ name, labels, taints: [] });
}

/**
 * Whether a node can reach all volumes: each needs one of its terms, which a local volume has for its only node. Kubernetes'
 * `volume.CheckNodeAffinity` and the plug-in `VolumeBinding`, v1.34.
 */
export function reachesVolumes(
  volumes: readonly (readonly NodeSelectorTerm[])[],
  { labels }: Pick<SchedulableNode, 'labels'>,
): boolean {
  return volumes.every((terms) =>
    terms.some(({ matchExpressions }) => matchesSelector(fromStructured({ matchExpressions }), labels)),
  );
}
