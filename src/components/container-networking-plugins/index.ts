import type { Component } from '../component.js';
import { CONTAINER, ContainerNetworkingPlugins, STATUS_NAME } from './manifests.js';
import { schema, type ContainerNetworkingPluginsSpec } from './schema.js';

/** The standard CNI plugins. */
export const containerNetworkingPlugins = {
  id: 'container-networking-plugins',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['secondaryNetwork', 'cniPlugins'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'CniPlugins' }],
  containers: () => [CONTAINER],
  crds: [],
  gated: false,
  providesDriver: false,
  provides: ['cni-plugins'],
  rules: [],
  build: (scope, props) => new ContainerNetworkingPlugins(scope, 'container-networking-plugins', props),
} satisfies Component<ContainerNetworkingPluginsSpec>;
