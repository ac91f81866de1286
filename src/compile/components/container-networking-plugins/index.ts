import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { CONTAINER, ContainerNetworkingPlugins, STATUS_NAME } from './manifests.js';
import { schema, type ContainerNetworkingPluginsSpec } from './schema.js';

export { ContainerNetworkingPlugins };
export type { ContainerNetworkingPluginsProps } from './manifests.js';

/**
 * The standard CNI plugins.
 *
 * @internal
 */
export const containerNetworkingPlugins = {
  id: 'container-networking-plugins',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['secondaryNetwork', 'cniPlugins'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'CniPlugins' }],
  containers: () => [CONTAINER],
  crds: [],
  minimumKubernetes: SINCE.appsV1,
  gated: false,
  providesDriver: false,
  provides: [{ id: 'cni-plugins', name: 'the standard CNI plugins', isInOpenshift: true }],
  construct: ContainerNetworkingPlugins,
} satisfies Component<ContainerNetworkingPluginsSpec>;
