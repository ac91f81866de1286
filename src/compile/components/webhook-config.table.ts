import { policyText } from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

const section = (name: string, config: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${name}:\n    config: ${config}\n`);
const rdma = (resource: string): string =>
  section('rdmaSharedDevicePlugin', `{configList: [{resourceName: a, rdmaHcaMax: 1, ${resource}}]}`);
const sriov = (resource: string, name = 'a'): string =>
  section('sriovDevicePlugin', `{resourceList: [{resourceName: ${name}, ${resource}}]}`);
const refuses = (fact: string): string =>
  `the admission webhook of the operator refuses this, and the device plugin takes it: ${fact}`;

testRule('WEFT0310', {
  valid: [
    { name: 'a domain', policy: rdma('resourcePrefix: nvidia.com, devices: [ens1f0]') },
    { name: 'selectors of the type', policy: sriov('selectors: {vendors: ["15b3"], isRdma: true}') },
    { name: 'an accelerator', policy: sriov('deviceType: accelerator, selectors: [{vendors: ["15b3"]}]') },
    { name: 'no configuration', policy: section('sriovDevicePlugin', '""') },
    {
      name: 'a key that is almost that of a selector, which is reported as that',
      policy: section(
        'sriovDevicePlugin',
        `'{"resourceList": [{"resourceName": "a", "selectors": {"vendors": ["15b3"], "driver": ["mlx5_core"]}}]}'`,
      ),
    },
  ],
  invalid: [
    {
      name: 'a prefix that is no domain',
      policy: rdma('resourcePrefix: rdma, devices: [ens1f0]'),
      expected: [
        `policy.yaml:7:76 ${refuses('`configList[0].resourcePrefix` must be a domain such as `rdma.example.com`')}`,
      ],
      help: 'the webhook is off by default; if it is off in your cluster, write `# weft-ignore WEFT0310: reason` above it',
    },
    {
      name: 'a prefix with a digit in its second label, in text',
      policy: section(
        'sriovDevicePlugin',
        `'{"resourceList": [{"resourceName": "a", "resourcePrefix": "rdma.h100.example.com", "selectors": {"isRdma": true}}]}'`,
      ),
      expected: [
        `policy.yaml:7:72 ${refuses('`resourceList[0].resourcePrefix` must be a domain such as `nvidia.com`')}`,
      ],
    },
    {
      name: 'a dash in a name',
      policy: sriov('selectors: {vendors: ["15b3"]}', 'my-res'),
      expected: [
        `policy.yaml:7:44 ${refuses('`resourceList[0].resourceName` must be letters, digits, `_` and `.`, with a letter or digit at each end')}`,
      ],
    },
    {
      name: 'no number of devices, with others of the same list',
      policy: section('rdmaSharedDevicePlugin', '{configList: [{resourceName: a, devices: [ens1f0]}]}'),
      expected: [`policy.yaml:7:28 ${refuses('`configList[0].rdmaHcaMax` is missing')}`],
    },
    {
      name: 'selectors of newer plugins, and of another device type',
      policy: sriov(
        'deviceType: auxNetDevice, selectors: {auxTypes: [sf], acpiIndexes: ["1"], pciAddresses: ["0000:3b:00.0"]}',
      ),
      expected: [
        `policy.yaml:7:114 ${refuses('`resourceList[0].selectors` has no key `acpiIndexes`')}`,
        `policy.yaml:7:135 ${refuses('`resourceList[0].selectors` has no key `pciAddresses`')}`,
      ],
    },
    {
      name: 'all devices',
      policy: sriov('selectors: {}'),
      expected: [
        `policy.yaml:7:58 ${refuses('`resourceList[0].selectors` needs one of `vendors`, `devices`, `drivers`, `pciAddresses`, `pfNames`, `rootDevices`, `linkTypes`, `isRdma`, `ddpProfiles`, `needVhostNet`, `vdpaType`')}`,
      ],
    },
  ],
});
