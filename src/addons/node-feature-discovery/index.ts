import type { AddOn } from '../add-on.js';
import { resolvedAddOn } from '../add-on-construct.js';
import { ofChartValues } from './chart-values.js';
import { crds, definitions } from './crds.js';
import { imageOf } from './images.js';
import { NodeFeatureDiscovery } from './manifests.js';
import { nodeFeatureDiscoverySpec, type NodeFeatureDiscoverySpec } from './schema.js';

/**
 * Node Feature Discovery, and the rule by which it labels nodes with an NVIDIA NIC.
 *
 * @internal
 */
export const nodeFeatureDiscovery = {
  id: 'node-feature-discovery',
  source: { kind: 'cluster', path: ['nodeFeatureDiscovery'] },
  schema: nodeFeatureDiscoverySpec,
  definitions,
  crds,
  images: (spec, cluster) => (spec.deploy ? { image: imageOf(spec, cluster) } : {}),
  ofChartValues,
  inOpenshift: 'the Node Feature Discovery operator',
  servesAddOns: true,
  build: (scope, props, cluster?) => new NodeFeatureDiscovery(scope, 'objects', resolvedAddOn(props, cluster)),
} as const satisfies AddOn<NodeFeatureDiscoverySpec>;

export { NodeFeatureDiscovery };
export type { NodeFeatureDiscoveryProps } from './manifests.js';
