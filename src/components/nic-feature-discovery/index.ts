import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { NAME, NicFeatureDiscovery, STATUS_NAME } from './manifests.js';
import { schema, type NicFeatureDiscoverySpec } from './schema.js';

export { NicFeatureDiscovery };

/** NIC feature discovery. */
export const nicFeatureDiscovery = {
  id: 'nic-feature-discovery',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['nicFeatureDiscovery'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'nicFeatureDiscovery' }],
  containers: () => [NAME],
  crds: [],
  minimumKubernetes: SINCE.appsV1,
  gated: false,
  providesDriver: false,
  rules: [],
  build: (scope, props) => new NicFeatureDiscovery(scope, 'nic-feature-discovery', props),
} satisfies Component<NicFeatureDiscoverySpec>;
