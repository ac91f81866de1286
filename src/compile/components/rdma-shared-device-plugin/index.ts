import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { mountedConfig } from '../config-hash.js';
import { checks } from './checks.js';
import { offers } from './offers.js';
import { configMapName, CONTAINER, RdmaSharedDevicePlugin, STATUS_NAME } from './manifests.js';
import { schema, type RdmaSharedDevicePluginSpec } from './schema.js';

export { RdmaSharedDevicePlugin };
export type { RdmaSharedDevicePluginProps } from './manifests.js';

/**
 * The RDMA shared device plugin.
 *
 * @internal
 */
export const rdmaSharedDevicePlugin = {
  id: 'rdma-shared-device-plugin',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['rdmaSharedDevicePlugin'], scopes: ['cluster', 'node'] } as const,
  schema,
  // Until 2020.
  formerKey: 'devicePlugin',
  checks,
  imageKeys: [{ path: [], release: 'RdmaSharedDevicePlugin' }],
  containers: () => [CONTAINER],
  crds: [],
  minimumKubernetes: SINCE.systemPriority,
  gated: true,
  providesDriver: false,
  sharesDevices: true,
  offers,
  hasUniqueBareNames: true,
  mountsConfigMap: (instance) => mountedConfig(instance.spec, configMapName(instance)),
  construct: RdmaSharedDevicePlugin,
} satisfies Component<RdmaSharedDevicePluginSpec>;
