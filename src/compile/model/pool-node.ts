import type { PlacementNode } from '../../shared/kubernetes/selection/node-placement.js';
import type { NodePool } from './config.js';

/**
 * A node of a pool, as far as the Cluster document says it: a label that the pool does not declare may have any value. All nodes run Linux, and nobody
 * writes that label down.
 */
export function poolNode({ labels, taints }: Pick<NodePool, 'labels' | 'taints'>): PlacementNode {
  return { labels: { 'kubernetes.io/os': 'linux', ...labels }, taints, otherLabels: 'any' };
}
