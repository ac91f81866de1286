import { rdmaConfig } from '../schema.js';
import { interfaceName, linkType, pciDriver, pciId, selectorValues } from '../../selector-values.js';

export const rdmaSelectorValues = selectorValues({
  componentId: 'rdma-shared-device-plugin',
  program: 'RDMA shared device plugin',
  list: 'configList',
  schema: rdmaConfig,
  forms: {
    vendors: pciId,
    deviceIDs: pciId,
    drivers: pciDriver,
    ifNames: interfaceName,
    linkTypes: linkType,
  },
  ofResource: { devices: interfaceName },
  count: 'rdmaHcaMax',
  source: 'k8s-rdma-shared-dev-plugin 410b0f3, pkg/resources/device_selectors.go',
});
