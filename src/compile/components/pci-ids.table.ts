import { policyText } from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

const rdma = (selectors: string): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  rdmaSharedDevicePlugin:\n    config: {configList: [{resourceName: a, rdmaHcaMax: 1, selectors: ${selectors}}]}\n`,
  );
const sriov = (config: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  sriovDevicePlugin:\n    config: ${config}\n`);
const unknownId = (id: string) => `is \`${id}\`, which no device has: PCI ids are four hexadecimal digits`;

testRule('WEFT0223', {
  valid: [
    { name: 'ids', policy: rdma('{vendors: ["15b3"], deviceIDs: ["101B"], linkTypes: [ether]}') },
    { name: 'no selectors', policy: rdma('{ifNames: [0x15b3]}') },
    { name: 'no configuration', policy: sriov('""') },
  ],
  invalid: [
    {
      name: 'another notation, and names',
      policy: rdma('{vendors: ["0x15B3"], deviceIDs: [mt2892, "101b"]}'),
      expected: [
        `policy.yaml:7:82 \`spec.rdmaSharedDevicePlugin.config.configList[0].selectors.vendors[0]\` ${unknownId('0x15B3')}`,
        `policy.yaml:7:105 \`spec.rdmaSharedDevicePlugin.config.configList[0].selectors.deviceIDs[0]\` ${unknownId('mt2892')}`,
      ],
      help: 'write `15b3`',
    },
    {
      name: 'one of several selectors, in text',
      policy: sriov(
        `'{"resourceList": [{"resourceName": "a", "selectors": [{"vendors": ["15b3"]}, {"devices": ["1"]}]}]}'`,
      ),
      expected: [
        `policy.yaml:7:104 \`spec.sriovDevicePlugin.config.resourceList[0].selectors[1].devices[0]\` ${unknownId('1')}`,
      ],
      help: '`lspci -nn` shows the ids of a node',
    },
  ],
});
