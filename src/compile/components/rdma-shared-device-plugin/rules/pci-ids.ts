import { pciIdsComparable } from '../../pci-ids.js';

export const rdmaIdsComparable = pciIdsComparable({
  componentId: 'rdma-shared-device-plugin',
  list: 'configList',
  keys: ['vendors', 'deviceIDs'],
});
