import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (resources: string): string =>
  clusterText(`  release: v26.4\n  nodePools: []\n  upgrade: {validation: {resources: [${resources}]}}\n`);
const policy = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  rdmaSharedDevicePlugin:\n    config: {configList: [{resourceName: shared_a, rdmaHcaMax: 1, devices: [eth0]}]}\n',
);
const unknown = (name: string) =>
  `no device plugin of the input offers \`${name}\`, for which every upgraded node would wait`;

testRule('WEFT0276', {
  valid: [
    { name: 'one that is offered, and one of others', cluster: cluster('rdma/shared_a, nvidia.com/gpu'), policy },
    {
      name: 'one that a ConfigMap elsewhere may offer',
      cluster: cluster('rdma/shared_b'),
      policy: `${policy}  sriovDevicePlugin: {}\n`,
    },
    { name: 'one of others, where nothing is offered', cluster: cluster('rdma/shared_a') },
    {
      name: 'a policy that cannot be read',
      cluster: cluster('rdma/shared_b'),
      policy: policy.replace('rdmaHcaMax', 'rdmaHcaMaxx'),
    },
  ],
  invalid: [
    {
      name: 'near ones',
      cluster: cluster('rdma/shared_b, nvidia.com/shared_a'),
      policy,
      expected: [
        `cluster.yaml:8:38 ${unknown('rdma/shared_b')}`,
        `cluster.yaml:8:53 ${unknown('nvidia.com/shared_a')}`,
      ],
      help: 'did you mean `rdma/shared_a`?',
    },
    {
      name: 'another one of the same prefix',
      cluster: cluster('rdma/hca'),
      policy,
      expected: [`cluster.yaml:8:38 ${unknown('rdma/hca')}`],
      help: 'offered: rdma/shared_a',
    },
  ],
});
