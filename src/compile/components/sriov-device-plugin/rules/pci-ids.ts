import { pciIdsComparable } from '../../pci-ids.js';

export const sriovIdsComparable = pciIdsComparable({
  componentId: 'sriov-device-plugin',
  list: 'resourceList',
  keys: ['vendors', 'devices'],
});
