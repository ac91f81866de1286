import nodeFeatureGroups from '../../crds/nodefeaturegroups.nfd.k8s-sigs.io.json' with { type: 'json' };
import nodeFeatureRules from '../../crds/nodefeaturerules.nfd.k8s-sigs.io.json' with { type: 'json' };
import nodeFeatures from '../../crds/nodefeatures.nfd.k8s-sigs.io.json' with { type: 'json' };
import topologies from '../../crds/noderesourcetopologies.topology.node.k8s.io.json' with { type: 'json' };
import type { ComponentCrd, RecordedCrd } from '../../crds/schema.js';
import type { NodeFeatureDiscoverySpec } from './schema.js';

const OPENSHIFT_GROUP = 'nfd.openshift.io';

/**
 * The operator of OpenShift has these kinds in its own API group, with the same fields (openshift/cluster-nfd-operator
 * 05ec52cb). It installs their definitions.
 */
function inOpenshift({ crd }: typeof nodeFeatureRules | typeof nodeFeatures): RecordedCrd {
  const name = `${crd.spec.names.plural}.${OPENSHIFT_GROUP}`;
  return {
    source: {
      project: 'openshift/cluster-nfd-operator',
      file: `config/crd/bases/${OPENSHIFT_GROUP}_${crd.spec.names.plural}.yaml`,
      version: '05ec52cb',
    },
    crd: { ...crd, metadata: { ...crd.metadata, name }, spec: { ...crd.spec, group: OPENSHIFT_GROUP } },
  };
}

export const definitions: readonly ComponentCrd[] = [
  nodeFeatures,
  nodeFeatureRules,
  nodeFeatureGroups,
  topologies,
  ...[nodeFeatures, nodeFeatureRules].map(inOpenshift),
];

/** The definitions that come with what is deployed. */
export function crds(spec: NodeFeatureDiscoverySpec): readonly RecordedCrd[] {
  if (!spec.deploy) return [];
  const { topologyUpdater } = spec;
  const isWithTopologies = topologyUpdater.enable && topologyUpdater.createCRDs;
  return [nodeFeatures, nodeFeatureRules, nodeFeatureGroups, ...(isWithTopologies ? [topologies] : [])];
}
