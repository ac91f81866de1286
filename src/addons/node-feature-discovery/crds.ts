import nodeFeatureGroups from '../../crds/nodefeaturegroups.nfd.k8s-sigs.io.json' with { type: 'json' };
import nodeFeatureRules from '../../crds/nodefeaturerules.nfd.k8s-sigs.io.json' with { type: 'json' };
import nodeFeatures from '../../crds/nodefeatures.nfd.k8s-sigs.io.json' with { type: 'json' };
import topologies from '../../crds/noderesourcetopologies.topology.node.k8s.io.json' with { type: 'json' };
import type { ComponentCrd, RecordedCrd } from '../../crds/schema.js';
import type { NodeFeatureDiscoverySpec } from './schema.js';

export const definitions: readonly ComponentCrd[] = [nodeFeatures, nodeFeatureRules, nodeFeatureGroups, topologies];

/** The definitions that come with what is deployed. */
export function crds(spec: NodeFeatureDiscoverySpec): readonly RecordedCrd[] {
  if (!spec.deploy) return [];
  const { topologyUpdater } = spec;
  const isWithTopologies = topologyUpdater.enable && topologyUpdater.createCRDs;
  return [nodeFeatures, nodeFeatureRules, nodeFeatureGroups, ...(isWithTopologies ? [topologies] : [])];
}
