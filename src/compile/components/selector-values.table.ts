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

const rdmaDevices = (names: string): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  rdmaSharedDevicePlugin:\n    config: {configList: [{resourceName: a, rdmaHcaMax: 1, devices: [${names}]}]}\n`,
  );
const sriovOf = (selectors: string): string => sriov(`{resourceList: [{resourceName: a, selectors: ${selectors}}]}`);
const resources = (...selectors: readonly string[]): string =>
  sriov(
    `{resourceList: [${selectors.map((one, index) => `{resourceName: r${index}, selectors: ${one}}`).join(', ')}]}`,
  );
const taken = (place: string, name: string, by: string): string =>
  `policy.yaml:${place} resource \`${name}\` offers no device: \`${by}\` before it takes all that its selectors match`;
const RDMA_AT = '`spec.rdmaSharedDevicePlugin.config.configList[0]';
const SRIOV_AT = '`spec.sriovDevicePlugin.config.resourceList[0].selectors';

testRule('WEFT0223', {
  valid: [
    { name: 'ids', policy: rdma('{vendors: ["15b3"], deviceIDs: ["101b"], linkTypes: [ether]}') },
    { name: 'link types', policy: rdma('{linkTypes: [ether, infiniband]}') },
    { name: 'names of fifteen characters', policy: rdma('{ifNames: [enp200s0f0np0v1]}') },
    { name: 'interfaces', policy: rdmaDevices('ens1f0np0, ib0, ens1f0.100') },
    { name: 'addresses', policy: sriovOf('{pciAddresses: ["0000:3b:00.0", "10000:3b:00.7"]}') },
    {
      name: 'addresses in upper case, which the plugin takes there',
      policy: sriovOf('{rootDevices: ["0000:AF:00.0#0-3"]}'),
    },
    { name: 'virtual functions', policy: sriovOf('{pfNames: [ens1f0, "ens1f0#3", "ens1f0#0-3", "ens1f0#0-3,5,7-9"]}') },
    { name: 'vDPA types', policy: sriovOf('[{vdpaType: vhost}, {vdpaType: virtio}]') },
    { name: 'no selectors', policy: rdma('{ifNames: ["0x15b3"]}') },
    { name: 'no configuration', policy: sriov('""') },
    { name: 'drivers', policy: sriovOf('{drivers: [mlx5_core, vfio-pci]}') },
    {
      name: 'resources of different devices',
      policy: resources(
        '{pfNames: ["ens1f0#0-3"], isRdma: true}',
        '{pfNames: ["ens1f0#4-7"]}',
        '[{vendors: ["15b3"], linkTypes: [ether]}, {vendors: ["15b3"], linkTypes: [infiniband]}]',
      ),
    },
    {
      name: 'the rest after those with RDMA, or of a selector',
      policy: resources('{vendors: ["15b3"], isRdma: true}', '{vendors: ["15b3"]}', '{}'),
    },
  ],
  invalid: [
    {
      name: 'a resource of which another one has all devices',
      policy: resources('{vendors: ["15b3"]}', '{vendors: ["15b3"], isRdma: true}', '{vendors: ["8086"]}'),
      expected: [taken('7:81', 'r1', 'r0')],
    },
    {
      name: 'selectors of which an earlier one has each',
      policy: resources('[{pfNames: [ens1f0]}, {pfNames: [ens1f1]}]', '[{pfNames: [ens1f1]}, {pfNames: [ens1f0]}]'),
      expected: [taken('7:104', 'r1', 'r0')],
    },
    {
      name: 'a driver that has no device, and a range that is the wrong way round',
      policy: sriovOf('{drivers: [mlx5-core], pfNames: ["ens1f0#0,7-3"]}'),
      expected: [
        `policy.yaml:7:69 ${SRIOV_AT}.drivers[0]\` is \`mlx5-core\`, which drives no device on the PCI bus`,
        `policy.yaml:7:91 ${SRIOV_AT}.pfNames[0]\` is \`ens1f0#0,7-3\`, where \`7-3\` ends before it begins`,
      ],
      help: 'write `3-7`',
    },
    {
      name: 'another notation, and names',
      policy: rdma('{vendors: ["0x15B3"], deviceIDs: [mt2892, "101b"]}'),
      expected: [
        `policy.yaml:7:82 ${RDMA_AT}.selectors.vendors[0]\` ${unknownId('0x15B3')}`,
        `policy.yaml:7:105 ${RDMA_AT}.selectors.deviceIDs[0]\` ${unknownId('mt2892')}`,
      ],
      help: 'write `15b3`',
    },
    {
      name: 'ids in upper case',
      policy: rdma('{deviceIDs: ["101B"]}'),
      expected: [
        `policy.yaml:7:84 ${RDMA_AT}.selectors.deviceIDs[0]\` is \`101B\`, and the system writes it in lower case`,
      ],
      help: 'write `101b`',
    },
    {
      name: 'one of several selectors, in text',
      policy: sriov(
        `'{"resourceList": [{"resourceName": "a", "selectors": [{"vendors": ["15b3"]}, {"devices": ["1"]}]}]}'`,
      ),
      expected: [`policy.yaml:7:104 ${SRIOV_AT}[1].devices[0]\` ${unknownId('1')}`],
      help: '`lspci -nn` shows the ids of a node',
    },
    {
      name: 'a link type of other programs',
      policy: rdma('{linkTypes: [IB]}'),
      expected: [`policy.yaml:7:84 ${RDMA_AT}.selectors.linkTypes[0]\` is \`IB\`, which is no link type of a NIC`],
      help: 'write `infiniband`',
    },
    {
      name: 'a link type of the SR-IOV operator',
      policy: sriovOf('{linkTypes: [eth]}'),
      expected: [`policy.yaml:7:71 ${SRIOV_AT}.linkTypes[0]\` is \`eth\`, which is no link type of a NIC`],
      help: 'write `ether`',
    },
    {
      name: 'an RDMA device',
      policy: rdmaDevices('mlx5_0'),
      expected: [`policy.yaml:7:70 ${RDMA_AT}.devices[0]\` is \`mlx5_0\`, which is an RDMA device, not an interface`],
      help: '`rdma link` or `ibdev2netdev` on the node shows its interface',
    },
    {
      name: 'a list, a pattern, and a name that is too long',
      policy: rdma('{ifNames: ["ens1f0,ens2f0", "ens*", enp200s0f0np0v16]}'),
      expected: [
        `policy.yaml:7:82 ${RDMA_AT}.selectors.ifNames[0]\` is \`ens1f0,ens2f0\`, which is a list, and one interface is wanted`,
        `policy.yaml:7:99 ${RDMA_AT}.selectors.ifNames[1]\` is \`ens*\`, which is a pattern, and names are compared as they are written`,
        `policy.yaml:7:107 ${RDMA_AT}.selectors.ifNames[2]\` is \`enp200s0f0np0v16\`, which has 16 characters, and the name of an interface at most 15`,
      ],
    },
    {
      name: 'an address without its domain',
      policy: sriovOf('{pciAddresses: ["3b:00.0"]}'),
      expected: [
        `policy.yaml:7:74 ${SRIOV_AT}.pciAddresses[0]\` is \`3b:00.0\`, which no device has: PCI addresses are such as \`0000:3b:00.0\``,
      ],
      help: 'write `0000:3b:00.0`',
    },
    {
      name: 'no numbers of virtual functions',
      policy: sriovOf('{pfNames: ["ens1f0#all"]}'),
      expected: [
        `policy.yaml:7:69 ${SRIOV_AT}.pfNames[0]\` is \`ens1f0#all\`, which has no numbers of virtual functions behind its \`#\``,
      ],
      help: 'write it as `ens1f0#0-7` or `ens1f0#0,2,4`',
    },
    {
      name: 'an unknown vDPA type',
      policy: sriovOf('{vdpaType: net}'),
      expected: [`policy.yaml:7:69 ${SRIOV_AT}.vdpaType\` is \`net\`, which is no vDPA type`],
    },
    {
      name: 'no devices at all',
      policy: rdma('{vendors: ["15b3"]}').replace('rdmaHcaMax: 1', 'rdmaHcaMax: 0'),
      expected: [`policy.yaml:7:27 ${RDMA_AT}\` offers no device: \`rdmaHcaMax\` is 0`],
    },
  ],
});
