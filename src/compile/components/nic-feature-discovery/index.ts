import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { NAME, NicFeatureDiscovery, STATUS_NAME } from './manifests.js';
import { schema, type NicFeatureDiscoverySpec } from './schema.js';

export { NicFeatureDiscovery };
export type { NicFeatureDiscoveryProps } from './manifests.js';

/**
 * NIC feature discovery.
 *
 * @internal
 */
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
  construct: NicFeatureDiscovery,
} satisfies Component<NicFeatureDiscoverySpec>;
