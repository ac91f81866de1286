import { sriovConfig } from '../schema.js';
import {
  interfaceName,
  linkType,
  pciAddress,
  pciDriver,
  pciId,
  selectorValues,
  vdpaType,
  withFunctions,
} from '../../selector-values.js';

export const sriovSelectorValues = selectorValues({
  componentId: 'sriov-device-plugin',
  program: 'SR-IOV network device plugin',
  list: 'resourceList',
  schema: sriovConfig,
  forms: {
    vendors: pciId,
    devices: pciId,
    drivers: pciDriver,
    pciAddresses: pciAddress,
    pfNames: withFunctions(interfaceName),
    rootDevices: withFunctions((text) => pciAddress(text.toLowerCase())),
    linkTypes: linkType,
    vdpaType,
  },
  source: 'sriov-network-device-plugin v3.9.0, pkg/resources/deviceSelectors.go',
});
