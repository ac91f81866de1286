import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { mountedConfig } from '../config-hash.js';
import { checks } from './checks.js';
import { offers } from './offers.js';
import { configMapName, CONTAINER, SriovDevicePlugin, STATUS_NAME } from './manifests.js';
import { schema, type SriovDevicePluginSpec } from './schema.js';

export { SriovDevicePlugin };
export type { SriovDevicePluginProps } from './manifests.js';

/** Older images end with an option that they do not know. */
const OLDEST = {
  program: 'SR-IOV network device plugin',
  source: 'sriov-network-device-plugin v3.6.0, cmd/sriovdp/main.go',
  versionOf: /^v(\d+\.\d+)(?:\.|$)/,
  version: '3.6',
  reason: 'older images do not know the option `--use-cdi` of `useCdi: true`, and their pods crash-loop',
  onlyWith: 'useCdi',
};

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
  imageKeys: [{ path: [], release: 'SriovDevicePlugin', oldest: OLDEST }],
  containers: () => [CONTAINER],
  crds: [],
  minimumKubernetes: SINCE.systemPriority,
  gated: true,
  providesDriver: false,
  offers,
  mountsConfigMap: (instance) => mountedConfig(instance.spec, configMapName(instance)),
  construct: SriovDevicePlugin,
} satisfies Component<SriovDevicePluginSpec>;
