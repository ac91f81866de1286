import { listAt, valueAt } from '../../../shared/lib/json.js';
import { deviceSelector, resourceOffers } from '../resource-offers.js';
import type { DeviceSelector, ResourceOffer } from '../component.js';
import { rdmaConfig, type RdmaSharedDevicePluginSpec } from './schema.js';

/** The plugin's own default (k8s-rdma-shared-dev-plugin, pkg/resources/resources_manager.go). */
const DEFAULT_PREFIX = 'rdma';

/** The resources of the plugin's configuration, in its order. */
export function offers({ config }: Pick<RdmaSharedDevicePluginSpec, 'config'>): readonly ResourceOffer[] {
  return resourceOffers(config, {
    list: 'configList',
    schema: rdmaConfig,
    defaultPrefix: DEFAULT_PREFIX,
    selectorsOf,
    mostOf,
  });
}

/** As many as `rdmaHcaMax`, however many devices the node has (k8s-rdma-shared-dev-plugin 410b0f3, pkg/resources/server.go). */
function mostOf(resource: unknown): number | undefined {
  const most = valueAt(resource, ['rdmaHcaMax']) ?? 0;
  return typeof most === 'number' ? most : undefined;
}

/** Names of interfaces cannot be compared: the plugins name one of a physical function and those of its virtual functions. */
function selectorsOf(resource: unknown): readonly DeviceSelector[] {
  const names = [...listAt(resource, 'devices'), ...listAt(resource, 'selectors', 'ifNames')];
  return names.length > 0 ? [] : [deviceSelector(valueAt(resource, ['selectors']), 'deviceIDs')];
}
