import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { mountedConfig } from '../config-hash.js';
import { checks } from './checks.js';
import { offers } from './offers.js';
import { configMapName, CONTAINER, SriovDevicePlugin, STATUS_NAME } from './manifests.js';
import { schema, type SriovDevicePluginSpec } from './schema.js';

export { SriovDevicePlugin };
export type { SriovDevicePluginProps } from './manifests.js';

/**
 * The SR-IOV network device plugin.
 *
 * @internal
 */
export const sriovDevicePlugin = {
  id: 'sriov-device-plugin',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['sriovDevicePlugin'], scopes: ['cluster', 'node'] } as const,
  schema,
  checks,
  imageKeys: [{ path: [], release: 'SriovDevicePlugin' }],
  containers: () => [CONTAINER],
  crds: [],
  minimumKubernetes: SINCE.systemPriority,
  gated: true,
  providesDriver: false,
  offers,
  mountsConfigMap: (instance) => mountedConfig(instance.spec, configMapName(instance)),
  construct: SriovDevicePlugin,
} satisfies Component<SriovDevicePluginSpec>;
