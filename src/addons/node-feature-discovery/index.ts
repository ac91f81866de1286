import type { AddOn } from '../add-on.js';
import { crds } from './crds.js';
import { NodeFeatureDiscovery } from './manifests.js';
import { nodeFeatureDiscoverySpec, type NodeFeatureDiscoverySpec } from './schema.js';

/** Node Feature Discovery, and the rule by which it labels nodes with an NVIDIA NIC. */
export const nodeFeatureDiscovery = {
  id: 'node-feature-discovery',
  source: { kind: 'cluster', path: ['nodeFeatureDiscovery'] },
  schema: nodeFeatureDiscoverySpec,
  crds,
  build(scope, props) {
    new NodeFeatureDiscovery(scope, 'objects', props);
  },
} as const satisfies AddOn<NodeFeatureDiscoverySpec>;

export { NodeFeatureDiscovery };
