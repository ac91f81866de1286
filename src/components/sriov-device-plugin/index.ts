import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { pciIdsComparable } from '../pci-ids.js';
import { jsonConfig } from '../../model/shapes/json-text.js';
import { resourceOffers } from '../resource-offers.js';
import { configMapName, CONTAINER, SriovDevicePlugin, STATUS_NAME } from './manifests.js';
import { schema, type SriovDevicePluginSpec } from './schema.js';

export { SriovDevicePlugin };

/** The SR-IOV network device plugin. */
export const sriovDevicePlugin = {
  id: 'sriov-device-plugin',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['sriovDevicePlugin'], scopes: ['cluster', 'node'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'SriovDevicePlugin' }],
  containers: () => [CONTAINER],
  crds: [],
  minimumKubernetes: SINCE.systemPriority,
  gated: true,
  providesDriver: false,
  // The plugin's own default, which no argument of the template changes (sriov-network-device-plugin, cmd/sriovdp/main.go).
  offers: ({ config }) => resourceOffers(config, 'resourceList', 'intel.com'),
  mountsConfigMap: (instance) =>
    jsonConfig(instance.spec.config) === undefined
      ? { name: configMapName(instance), key: 'config.json', field: 'config' }
      : undefined,
  rules: [pciIdsComparable({ componentId: 'sriov-device-plugin', list: 'resourceList', keys: ['vendors', 'devices'] })],
  build: (scope, props) => new SriovDevicePlugin(scope, 'sriov-device-plugin', props),
} satisfies Component<SriovDevicePluginSpec>;
