import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

const clusterPolicy = (sections: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', sections);
const nodePolicy = (pool: string, sections: string): string =>
  policyText('NicNodePolicy', `policy-${pool}`, `  nodeSelector: {pool: ${pool}}\n${sections}`);
const rdma = (...names: readonly string[]): string =>
  `  rdmaSharedDevicePlugin:\n    config:\n      configList:\n${names
    .map((name) => `        - {${name}, rdmaHcaMax: 1, selectors: {vendors: ["15b3"]}}\n`)
    .join('')}`;
const sriov = (...names: readonly string[]): string =>
  `  sriovDevicePlugin:\n    config:\n      resourceList:\n${names
    .map((name) => `        - {${name}, selectors: {vendors: ["15b3"]}}\n`)
    .join('')}`;
const OTHER = UBUNTU_POOL.replace('workers', 'other')
  .replace('6.8.0-31', '6.8.0-45')
  .replace('}', ', labels: {pool: b}}');
const cluster = clusterText(
  `  release: v26.7\n  nodePools:\n${UBUNTU_POOL.replace('}', ', labels: {pool: a}}')}${OTHER}`,
);

testRule('WEFT0260', {
  valid: [
    { name: 'different names', policy: clusterPolicy(rdma('resourceName: a', 'resourceName: b')) },
    {
      name: 'one name under two prefixes',
      policy: clusterPolicy(rdma('resourceName: a') + sriov('resourceName: a')),
    },
    {
      name: 'one resource in two pools',
      cluster,
      policy: [nodePolicy('a', rdma('resourceName: a')), nodePolicy('b', rdma('resourceName: a'))].join('---\n'),
    },
    {
      name: 'two plugins in two pools',
      cluster,
      policy: [
        nodePolicy('a', rdma('resourceName: a, resourcePrefix: nvidia.com')),
        nodePolicy('b', sriov('resourceName: a, resourcePrefix: nvidia.com')),
      ].join('---\n'),
    },
    { name: 'no configuration', policy: clusterPolicy('  rdmaSharedDevicePlugin: {}\n  sriovDevicePlugin: {}\n') },
  ],
  invalid: [
    {
      name: 'twice in one list',
      policy: clusterPolicy(sriov('resourceName: a', 'resourceName: b', 'resourceName: a, resourcePrefix: intel.com')),
      expected: ['policy.yaml:11:26 resource `intel.com/a` is offered twice on the same nodes'],
      help: 'give one of the two another `resourceName` or another `resourcePrefix`',
    },
    {
      name: 'twice in text',
      policy: clusterPolicy(
        `  rdmaSharedDevicePlugin:\n    config: '{"configList": [${Array(2)
          .fill('{"resourceName": "a", "rdmaHcaMax": 1, "devices": ["eth0"]}')
          .join(', ')}]}'\n`,
      ),
      expected: ['policy.yaml:7:13 resource `rdma/a` is offered twice on the same nodes'],
    },
    {
      name: 'two plugins of one policy',
      policy: clusterPolicy(
        rdma('resourceName: a, resourcePrefix: nvidia.com') + sriov('resourceName: a, resourcePrefix: nvidia.com'),
      ),
      expected: ['policy.yaml:9:26 resource `nvidia.com/a` is offered twice on the nodes of pool `workers`'],
    },
    {
      name: 'two policies that meet in one pool',
      cluster,
      policy: [
        clusterPolicy(rdma('resourceName: a, resourcePrefix: nvidia.com')),
        nodePolicy('b', sriov('resourceName: a, resourcePrefix: nvidia.com')),
      ].join('---\n'),
      expected: ['policy.yaml:9:26 resource `nvidia.com/a` is offered twice on the nodes of pool `other`'],
    },
  ],
});
