import type { AddOn } from '../add-on.js';
import { ofChartValues } from './chart-values.js';
import { crds, definitions } from './crds.js';
import { imageOf, ofChartImage } from './images.js';
import { NodeFeatureDiscovery } from './manifests.js';
import { nodeLabels } from './names.js';
import { neededObjects } from './rbac.js';
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
  installedAs: ['node-feature-discovery', 'nfd'],
  definitions,
  crds,
  images: (spec, cluster) => (spec.deploy ? { image: imageOf(spec, cluster) } : {}),
  ofChartValues,
  ofChartImage,
  nodeLabels,
  neededObjects,
  inOpenshift: 'the Node Feature Discovery operator',
  servesAddOns: true,
  construct: NodeFeatureDiscovery,
} as const satisfies AddOn<NodeFeatureDiscoverySpec>;

export { NodeFeatureDiscovery };
export type { NodeFeatureDiscoveryProps } from './manifests.js';
