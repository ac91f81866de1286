import type { PlacementNode } from '../kubernetes/selection/node-placement.js';
import { driverPlacement } from './driver-placement.js';
import type { PodDriverPolicy } from './upgrade-policy.js';

/** The nodes without a listed DaemonSet whose driver goes. */
export type UninstallOf = (node: PlacementNode) => { readonly policy: string | undefined } | undefined;

/**
 * Whether an uninstall asks for the driver of a node. The question is for nodes on which no listed DaemonSet puts a driver: any other
 * node keeps it. The answer names the policy by whose settings it goes, where an uninstall names nodes.
 */
export function uninstallOf({ uninstall, policies }: PodDriverPolicy): UninstallOf {
  if (uninstall === true) return () => ALL;
  const parts = policies.flatMap(({ name, uninstall: nodes = [] }) =>
    nodes.map(({ nodeSelector, nodeAffinity }) => ({
      name,
      nodeSelector,
      // No pod has to run there.
      tolerations: [{ operator: 'Exists' }],
      ...(nodeAffinity && { nodeAffinity }),
    })),
  );
  if (parts.length === 0) return () => undefined;
  const placement = driverPlacement(parts);
  return (node) => {
    const { daemonSet } = placement(node);
    return daemonSet && { policy: daemonSet.name };
  };
}

const ALL = { policy: undefined };
