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

const ofPolicy = (nicSelector: string, more = ''): string =>
  `---\napiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetworkNodePolicy\nmetadata: {name: vfs, namespace: nvidia-network-operator}\n` +
  `spec:\n  resourceName: c\n  numVfs: 8\n  nodeSelector: {feature.node.kubernetes.io/network-sriov.capable: "true"}\n  nicSelector: ${nicSelector}\n${more}`;
const beside = (selectors: string, nicSelector: string, more?: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', sriov(selectors)) + ofPolicy(nicSelector, more);
const offered =
  'policy.yaml:16:16 SriovNetworkNodePolicy `vfs` and `intel.com/b` offer the same NICs on the nodes of pool';

testRule('WEFT0575', {
  valid: [
    {
      name: 'a policy of the SR-IOV operator for another interface',
      policy: beside('{pfNames: [a]}', '{pfNames: [b]}'),
    },
    { name: 'for other virtual functions', policy: beside('{pfNames: ["a#0-2,4"]}', '{pfNames: ["a#3-3"]}') },
    { name: 'for another vendor', policy: beside(NVIDIA, '{vendor: "8086"}') },
    { name: 'for an interface that may be of another vendor', policy: beside(NVIDIA, '{pfNames: [a]}') },
    { name: 'for NICs that may be others', policy: beside('{pfNames: [a]}', '{vendor: "15b3"}') },
    { name: 'for NICs of some id', policy: beside('{vendors: ["15b3"], devices: [101e]}', '{vendor: "15b3"}') },
    { name: 'for another link type', policy: beside('{linkTypes: [ether]}', '{vendor: "15b3"}', '  linkType: ib\n') },
    {
      name: 'for another driver',
      policy: beside('{pfNames: [a], drivers: [mlx5_core]}', '{pfNames: [a]}', '  deviceType: vfio-pci\n'),
    },
    {
      name: 'for other nodes',
      cluster: pools,
      policy:
        node('a', sriov('{pfNames: [a]}')) +
        ofPolicy('{pfNames: [a]}').replace(/nodeSelector: .*/, 'nodeSelector: {pool: b}'),
    },
    {
      name: 'for nodes with a label that no pool lists',
      policy: beside('{pfNames: [a]}', '{pfNames: [a]}').replace(/nodeSelector: .*/, 'nodeSelector: {sriov: "true"}'),
    },
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
      name: 'an interface, and a policy of the SR-IOV operator for it',
      policy: beside(
        '{vendors: ["15b3"], devices: [101e], pfNames: ["a#0-2,4"]}',
        '{vendor: "15b3", pfNames: ["a#3-4"]}',
      ),
      expected: [`${offered} \`workers\``],
      help: 'select NICs of its own for each, by `pfNames` or `rootDevices` of both, or remove one of them',
    },
    {
      name: 'a PCI address, and a policy for it',
      policy: beside('{pciAddresses: ["0000:3b:00.0"]}', '{rootDevices: ["0000:3b:00.0"]}'),
      expected: [`${offered} \`workers\``],
    },
    {
      name: 'a vendor, and a policy for it',
      policy: beside('[{vendors: ["8086"]}, {vendors: ["15b3"], isRdma: true}]', '{vendor: "15b3", deviceID: "101d"}'),
      expected: [`${offered} \`workers\``],
    },
    {
      name: 'a policy for some nodes',
      cluster: pools,
      policy:
        policyText('NicClusterPolicy', 'nic-cluster-policy', sriov(NVIDIA)) +
        ofPolicy('{vendor: "15b3"}').replace(/nodeSelector: .*/, 'nodeSelector: {pool: b}'),
      expected: [`${offered} \`other\``],
    },
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
