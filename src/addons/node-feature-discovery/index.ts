import type { AddOn } from '../add-on.js';
import { NodeFeatureDiscovery } from './manifests.js';
import { nodeFeatureDiscoverySpec, type NodeFeatureDiscoverySpec } from './schema.js';

/** Node Feature Discovery: the rule by which it labels nodes with an NVIDIA NIC. */
export const nodeFeatureDiscovery = {
  id: 'node-feature-discovery',
  source: { kind: 'cluster', path: ['nodeFeatureDiscovery'] },
  schema: nodeFeatureDiscoverySpec,
  build(scope, props) {
    new NodeFeatureDiscovery(scope, 'objects', props);
  },
} as const satisfies AddOn<NodeFeatureDiscoverySpec>;

export { NodeFeatureDiscovery };
