import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { mountedConfig } from '../config-hash.js';
import { checks } from './checks.js';
import { offers } from './offers.js';
import { configMapName, CONTAINER, RdmaSharedDevicePlugin, STATUS_NAME } from './manifests.js';
import { schema, type RdmaSharedDevicePluginSpec } from './schema.js';

export { RdmaSharedDevicePlugin };
export type { RdmaSharedDevicePluginProps } from './manifests.js';

/** Older images end with an option that they do not know. */
const OLDEST = {
  program: 'RDMA shared device plugin',
  source: 'k8s-rdma-shared-dev-plugin v1.4.0, cmd/k8s-rdma-shared-dp/main.go',
  versionOf: /^v(\d+\.\d+)(?:\.|$)/,
  version: '1.4',
  reason: 'older images do not know the option `--use-cdi` of `useCdi: true`, and their pods crash-loop',
  onlyWith: 'useCdi',
};

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
  imageKeys: [{ path: [], release: 'RdmaSharedDevicePlugin', oldest: OLDEST }],
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
