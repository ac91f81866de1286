import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const rdma = (selectors: string): string =>
  `  rdmaSharedDevicePlugin:\n    config: {configList: [{resourceName: a, rdmaHcaMax: 1, ${selectors}}]}\n`;
const sriov = (selectors: string, more = ''): string =>
  `  sriovDevicePlugin:\n    config: {resourceList: [{resourceName: b, ${more}selectors: ${selectors}}]}\n`;
const both = (shared: string, single: string, more?: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', rdma(`selectors: ${shared}`) + sriov(single, more));
const node = (pool: string, section: string): string =>
  policyText('NicNodePolicy', pool, `  nodeSelector: {pool: ${pool}}\n${section}`);
const OTHER = UBUNTU_POOL.replace('workers', 'other')
  .replace('6.8.0-31', '6.8.0-45')
  .replace('}', ', labels: {pool: b}}');
const pools = clusterText(
  `  release: v26.4\n  nodePools:\n${UBUNTU_POOL.replace('}', ', labels: {pool: a}}')}${OTHER}`,
);
const NVIDIA = '{vendors: ["15b3"]}';
const found = (place: string): string =>
  `policy.yaml:${place} \`intel.com/b\` gives a NIC to one pod, and \`rdma/a\` shares the same NICs on the nodes of pool \`workers\``;

testRule('WEFT0575', {
  valid: [
    { name: 'other device ids', policy: both('{vendors: ["15b3"], deviceIDs: [101d]}', '{devices: [101e]}') },
    { name: 'other link types', policy: both('{linkTypes: [ether]}', '{linkTypes: [infiniband], isRdma: true}') },
    { name: 'another vendor', policy: both(NVIDIA, '{vendors: ["8086"]}') },
    {
      name: 'physical functions by name, and their virtual functions',
      policy: both('{ifNames: [a]}', '{pfNames: [a]}'),
    },
    {
      name: 'physical functions by id, and what is no physical function with virtual ones',
      policy: both('{vendors: ["15b3"], deviceIDs: [101d]}', '{vendors: ["15b3"], isRdma: true}'),
    },
    { name: 'NICs whose vendor is not told', policy: both(NVIDIA, '{pciAddresses: ["0000:3b:00.0"]}') },
    { name: 'a driver without RDMA', policy: both(NVIDIA, '{vendors: ["15b3"], drivers: [vfio-pci]}') },
    {
      name: 'scalable functions',
      policy: both(NVIDIA, '{vendors: ["15b3"], auxTypes: [sf]}', 'deviceType: auxNetDevice, '),
    },
    {
      name: 'other nodes',
      cluster: pools,
      policy: [node('a', rdma(`selectors: ${NVIDIA}`)), node('b', sriov(NVIDIA))].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'the same vendor',
      policy: both(NVIDIA, '{vendors: ["15b3"], isRdma: true}'),
      expected: [found('9:44')],
      help: 'separate them in the `selectors` of both, for instance by device ids or link types, or by `ifNames` of the shared ones; where pods of a node never ask for both, write `# weft-ignore WEFT0575: reason` above it',
    },
    {
      name: 'virtual functions of a vendor that is shared',
      policy: both(NVIDIA, '{vendors: ["15b3"], devices: [101e], pfNames: ["ens1f0#0-7"], drivers: [mlx5_core]}'),
      expected: [found('9:44')],
    },
    {
      name: 'one of several selectors',
      policy: both(NVIDIA, '[{vendors: ["8086"]}, {vendors: ["15b3"]}]'),
      expected: [found('9:44')],
    },
    {
      name: 'two policies with the same nodes',
      cluster: pools,
      policy: [
        policyText('NicClusterPolicy', 'nic-cluster-policy', rdma(`selectors: ${NVIDIA}`)),
        node('a', sriov(NVIDIA)),
      ].join('---\n'),
      expected: [found('16:44')],
    },
  ],
});
