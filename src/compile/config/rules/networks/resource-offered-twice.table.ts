import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

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
  `  release: v26.4\n  nodePools:\n${UBUNTU_POOL.replace('}', ', labels: {pool: a}}')}${OTHER}`,
);

/** For nodes that no pool of the Cluster describes. */
const noPools = clusterText('  release: v26.4\n  nodePools: []\n');
const NAME = 'resourceName: a, resourcePrefix: nvidia.com';
const json = (list: string): string =>
  `{"${list}": [{"resourceName": "a", "resourcePrefix": "nvidia.com", "rdmaHcaMax": 1, "selectors": {"vendors": ["15b3"]}}]}`;
const configMap = (name: string, text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  config.json: '${text}'\n`;
const RDMA_MAP = configMap('rdma-devices', json('configList'));

testRule('WEFT0260', {
  valid: [
    {
      name: 'two plugins for other nodes, without pools',
      cluster: noPools,
      policy: [nodePolicy('a', rdma(NAME)), nodePolicy('b', sriov(NAME))].join('---\n'),
    },
    {
      name: 'two plugins whose selectors may have nodes in common, without pools',
      cluster: noPools,
      policy: [nodePolicy('a', rdma(NAME)), nodePolicy('b', sriov(NAME)).replace('pool: b', 'rack: b')].join('---\n'),
    },
    {
      name: 'two plugins that an affinity may keep apart, without pools',
      cluster: noPools,
      policy: [
        clusterPolicy(
          `  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: NotIn, values: [b]}]}]}}\n${rdma(NAME)}`,
        ),
        nodePolicy('b', sriov(NAME)),
      ].join('---\n'),
    },
    {
      name: 'a ConfigMap beside a config, which does without it',
      policy: clusterPolicy(rdma('resourceName: b') + sriov(NAME)),
      network: RDMA_MAP.replace('rdma-devices', 'rdma-devices, namespace: default'),
    },
    {
      name: 'a ConfigMap in the cluster',
      cluster: clusterText(
        `  release: v26.4\n  existingConfigMaps: [{name: rdma-devices, keys: [config.json]}]\n  nodePools:\n${UBUNTU_POOL}`,
      ),
      policy: clusterPolicy(`  rdmaSharedDevicePlugin: {}\n${sriov(NAME)}`),
    },
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
    {
      name: 'one name with two prefixes of the SR-IOV plugin',
      policy: clusterPolicy(sriov('resourceName: a', 'resourceName: a, resourcePrefix: nvidia.com')),
    },
    { name: 'no configuration', policy: clusterPolicy('  rdmaSharedDevicePlugin: {}\n  sriovDevicePlugin: {}\n') },
  ],
  invalid: [
    {
      name: 'two plugins of one policy, without pools',
      cluster: noPools,
      policy: clusterPolicy(rdma(NAME) + sriov(NAME)),
      expected: ['policy.yaml:13:26 resource `nvidia.com/a` is offered twice on the same nodes'],
    },
    {
      name: 'two policies, one for nodes of the other, without pools',
      cluster: noPools,
      policy: [clusterPolicy(rdma(NAME)), nodePolicy('b', sriov(NAME))].join('---\n'),
      expected: ['policy.yaml:20:26 resource `nvidia.com/a` is offered twice on the same nodes'],
    },
    {
      name: 'a plugin with a ConfigMap, and one without',
      policy: clusterPolicy(`  rdmaSharedDevicePlugin: {}\n${sriov(NAME)}`),
      network: RDMA_MAP,
      expected: ['policy.yaml:10:26 resource `nvidia.com/a` is offered twice on the nodes of pool `workers`'],
    },
    {
      name: 'two plugins with a ConfigMap each',
      policy: clusterPolicy('  rdmaSharedDevicePlugin: {}\n  sriovDevicePlugin: {config: ""}\n'),
      network: [
        RDMA_MAP,
        configMap('network-operator-sriovdp-config', json('resourceList').replace('"rdmaHcaMax": 1, ', '')),
      ].join('---\n'),
      expected: ['network.yaml:11:16 resource `nvidia.com/a` is offered twice on the nodes of pool `workers`'],
    },
    {
      name: 'twice in one list',
      policy: clusterPolicy(sriov('resourceName: a', 'resourceName: b', 'resourceName: a, resourcePrefix: intel.com')),
      expected: ['policy.yaml:11:26 resource `intel.com/a` is offered twice on the same nodes'],
      help: 'give one of the two another `resourceName` or another `resourcePrefix`',
    },
    {
      name: 'one name with two prefixes of the RDMA plugin',
      policy: clusterPolicy(rdma('resourceName: a', 'resourceName: a, resourcePrefix: nvidia.com')),
      expected: [
        'policy.yaml:10:26 resources `rdma/a` and `nvidia.com/a` have the same name without their prefixes, with which the device plugin ends',
      ],
      help: 'give one of the two another `resourceName`',
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
      expected: ['policy.yaml:13:26 resource `nvidia.com/a` is offered twice on the nodes of pool `workers`'],
    },
    {
      name: 'two policies that meet in one pool',
      cluster,
      policy: [
        clusterPolicy(rdma('resourceName: a, resourcePrefix: nvidia.com')),
        nodePolicy('b', sriov('resourceName: a, resourcePrefix: nvidia.com')),
      ].join('---\n'),
      expected: ['policy.yaml:20:26 resource `nvidia.com/a` is offered twice on the nodes of pool `other`'],
    },
  ],
});
