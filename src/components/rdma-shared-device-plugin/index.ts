import type { Component } from '../component.js';
import { resourceOffers } from '../resource-offers.js';
import { CONTAINER, RdmaSharedDevicePlugin, STATUS_NAME } from './manifests.js';
import { schema, type RdmaSharedDevicePluginSpec } from './schema.js';

/** The RDMA shared device plugin. */
export const rdmaSharedDevicePlugin = {
  id: 'rdma-shared-device-plugin',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['rdmaSharedDevicePlugin'], scopes: ['cluster', 'node'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'RdmaSharedDevicePlugin' }],
  containers: () => [CONTAINER],
  crds: [],
  gated: true,
  providesDriver: false,
  // The prefix is the plugin's own default (k8s-rdma-shared-dev-plugin, pkg/resources/resources_manager.go).
  offers: ({ config }) => resourceOffers(config, 'configList', 'rdma'),
  rules: [],
  build: (scope, props) => new RdmaSharedDevicePlugin(scope, 'rdma-shared-device-plugin', props),
} satisfies Component<RdmaSharedDevicePluginSpec>;
