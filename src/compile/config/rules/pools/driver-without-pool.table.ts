import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (more = ''): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver: {}\n${more}`);
const tainted = clusterText(
  `  release: v26.4\n  nodePools:\n${UBUNTU_POOL.replace('}', ', taints: [{key: a, value: b, effect: NoSchedule}]}')}`,
);

testRule('WEFT0238', {
  valid: [
    { name: 'a pool', policy: policy() },
    {
      name: 'a tolerated taint',
      cluster: tainted,
      policy: policy('  tolerations: [{key: a, operator: Equal, value: b}]\n'),
    },
    {
      name: 'a taint of another value, which WEFT0302 names',
      cluster: tainted,
      policy: policy('  tolerations: [{key: a, operator: Equal, value: c}]\n'),
    },
    {
      name: 'a plugin without a pool',
      cluster: clusterText('  release: v26.4\n  nodePools: []\n'),
      policy: policyText('NicClusterPolicy', 'nic-cluster-policy', '  rdmaSharedDevicePlugin: {}\n'),
    },
  ],
  invalid: [
    {
      name: 'no pools',
      cluster: clusterText('  release: v26.4\n  nodePools: []\n'),
      policy: policy(),
      expected: ['policy.yaml:6:3 the driver of NicClusterPolicy `nic-cluster-policy` has no node pool to run on'],
    },
    {
      name: 'a selector that no pool has',
      policy: policyText('NicNodePolicy', 'gpu', '  nodeSelector: {a: b}\n  ofedDriver: {}\n'),
      expected: ['policy.yaml:7:3 the driver of NicNodePolicy `gpu` has no node pool to run on'],
    },
  ],
});
