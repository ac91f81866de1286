import { resourceOffers } from '../resource-offers.js';
import type { ResourceOffer } from '../component.js';
import type { RdmaSharedDevicePluginSpec } from './schema.js';

/** The plugin's own default (k8s-rdma-shared-dev-plugin, pkg/resources/resources_manager.go). */
const DEFAULT_PREFIX = 'rdma';

/** The resources of the plugin's configuration, in its order. */
export function offers({ config }: Pick<RdmaSharedDevicePluginSpec, 'config'>): readonly ResourceOffer[] {
  return resourceOffers(config, 'configList', DEFAULT_PREFIX);
}
